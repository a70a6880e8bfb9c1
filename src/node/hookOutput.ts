import type { z } from 'zod';
import type {
  HookAnswerBase,
  HookEventName,
  HookInput,
  PermissionRequestAnswer,
  PostToolUseAnswer,
  PreToolUseAnswer,
} from '../contract/hooks.js';
import {
  permissionRequestOutput,
  postToolBatchOutput,
  postToolUseFailureOutput,
  postToolUseOutput,
  preToolUseOutput,
} from './hookSchemas.js';

/** Any hook's answer, before the runner has looked at it. */
export type AnyAnswer = HookAnswerBase &
  Partial<Record<'decision' | 'reason' | 'message', string>> &
  Readonly<Record<string, unknown>>;

/** What the JSON of a hook's process says, in the words of a hook function. @throws ZodError where it is none */
export const answerOf = (json: unknown, input: HookInput): AnyAnswer =>
  readers[input.event](json, input) as AnyAnswer;

type Reader = (json: unknown, input: HookInput) => HookAnswerBase;

const readers: Readonly<Record<HookEventName, Reader>> = {
  PreToolUse: (json) => preToolUse(preToolUseOutput.parse(json)),
  PermissionRequest: (json) => permissionRequest(permissionRequestOutput.parse(json)),
  PostToolUse: (json, input) => postToolUse(postToolUseOutput.parse(json), nameOf(input)),
  PostToolUseFailure: (json) => base(postToolUseFailureOutput.parse(json)),
  PostToolBatch: (json) => {
    const output = postToolBatchOutput.parse(json);
    const { decision, reason } = output;
    return { ...base(output), ...present({ decision, reason }) };
  },
};

/** The members that the output of every event has. */
interface Common {
  readonly continue?: boolean | null | undefined;
  readonly stopReason?: string | null | undefined;
  readonly systemMessage?: string | null | undefined;
  readonly hookSpecificOutput?: { readonly additionalContext?: string | null | undefined } | null | undefined;
}

const base = (output: Common): HookAnswerBase => {
  const { continue: goesOn, stopReason, systemMessage, hookSpecificOutput } = output;
  const { additionalContext } = hookSpecificOutput ?? {};
  return present({ continue: goesOn, stopReason, systemMessage, additionalContext });
};

const preToolUse = (output: z.output<typeof preToolUseOutput>): PreToolUseAnswer => {
  const { permissionDecision, permissionDecisionReason, updatedInput } = output.hookSpecificOutput ?? {};
  const older = output.decision === 'block' ? 'deny' : output.decision === 'approve' ? 'allow' : undefined;
  // Where both forms are used, a denial in either is one.
  const decision = older === 'deny' ? older : (permissionDecision ?? older);
  const reason = permissionDecisionReason ?? output.reason;
  return { ...base(output), ...present({ decision, reason, updatedInput }) };
};

const permissionRequest = (output: z.output<typeof permissionRequestOutput>): PermissionRequestAnswer => {
  const { behavior, updatedInput, updatedPermissions, message, interrupt } =
    output.hookSpecificOutput?.decision ?? {};
  const updates = (updatedPermissions ?? []).flatMap(updatesOf);
  const said = base(output);
  const dropped = (updatedPermissions ?? []).filter(({ type }) => type !== 'addRules' && type !== 'setMode');
  const warning = dropped.map(({ type }) => `The hook’s ${type} is not supported and was not done.`);
  const systemMessage = [said.systemMessage ?? [], ...warning].flat().join('\n');
  return {
    ...said,
    ...(systemMessage === '' ? undefined : { systemMessage }),
    ...present({ decision: behavior, updatedInput, message, interrupt }),
    ...(updates.length === 0 ? undefined : { updatedPermissions: updates }),
  };
};

type Update = NonNullable<PermissionRequestAnswer['updatedPermissions']>[number];
type GivenUpdate = NonNullable<
  NonNullable<
    NonNullable<z.output<typeof permissionRequestOutput>['hookSpecificOutput']>['decision']
  >['updatedPermissions']
>[number];

const updatesOf = (update: GivenUpdate): readonly Update[] => {
  if (update.type === 'setMode') return [{ type: 'setMode', mode: update.mode }];
  if (update.type !== 'addRules') return [];
  return update.rules.map(({ toolName, ruleContent }) => ({
    type: 'addRules',
    behavior: update.behavior,
    rule: ruleContent === undefined || ruleContent === null ? toolName : `${toolName}(${ruleContent})`,
  }));
};

const postToolUse = (output: z.output<typeof postToolUseOutput>, tool: string): PostToolUseAnswer => {
  const { updatedToolOutput, updatedMCPToolOutput } = output.hookSpecificOutput ?? {};
  const updated = updatedToolOutput ?? (tool.startsWith('mcp__') ? updatedMCPToolOutput : undefined);
  const { decision, reason } = output;
  return { ...base(output), ...present({ decision, reason, updatedToolOutput: updated }) };
};

const nameOf = (input: HookInput): string => ('name' in input ? input.name : '');

type Present<T> = { -readonly [K in keyof T]?: NonNullable<T[K]> };

/** Without the members that were left out. */
const present = <T extends object>(members: T): Present<T> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>;
