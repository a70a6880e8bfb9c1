import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { HookCall, HookInput } from '../contract/hooks.js';
import { toJson } from '../results/json.js';

/** What a hook's process is told about the session around the call. */
export interface HookSession {
  /** Default: one made up for this program's run. */
  readonly id?: string;
  /** Absolute path of the transcript; default `""`. */
  readonly transcriptPath?: string;
  /** More members for the input of every hook, in the public names: `effort`, `agent_id`, `prompt_id`, … */
  readonly fields?: Readonly<Record<string, unknown>>;
}

const longestError = 10_000;
/** Members of inputs that hold paths; hooks get them absolute. */
const pathMembers = ['file_path', 'notebook_path', 'path'];

/** The JSON a hook's process reads, in the public names. */
export const hookPayload = (input: HookInput, session: HookSession, cwd: string): string =>
  toJson({
    ...session.fields,
    session_id: session.id ?? ownSession(),
    transcript_path: session.transcriptPath ?? '',
    cwd,
    permission_mode: input.permissionMode,
    hook_event_name: input.event,
    ...membersOf(input, cwd),
  });

let made: string | undefined;
/** The same for all hooks of this program's run. */
const ownSession = (): string => {
  made ??= randomUUID();
  return made;
};

const membersOf = (input: HookInput, cwd: string): Readonly<Record<string, unknown>> => {
  switch (input.event) {
    case 'PreToolUse':
      return { ...toolOf(input, cwd), tool_use_id: input.toolUse.id };
    case 'PermissionRequest':
      return { ...toolOf(input, cwd), permission_suggestions: suggestionsOf(input.suggestions) };
    case 'PostToolUse': {
      const call = { ...toolOf(input, cwd), tool_use_id: input.toolUse.id };
      return { ...call, tool_response: input.output ?? null, duration_ms: input.durationMs };
    }
    case 'PostToolUseFailure': {
      const call = { ...toolOf(input, cwd), tool_use_id: input.toolUse.id };
      const { isInterrupt: is_interrupt, durationMs: duration_ms } = input;
      return { ...call, error: withoutMiddle(input.error), is_interrupt, duration_ms };
    }
    case 'PostToolBatch':
      return {
        tool_calls: input.calls.map((call) => ({
          ...toolOf(call, cwd),
          tool_use_id: call.toolUse.id,
          tool_response: serialised(call.block.content),
        })),
      };
  }
};

const toolOf = ({ name, input }: HookCall, cwd: string) => ({
  tool_name: name,
  tool_input: withAbsolutePaths(input, cwd),
});

const withAbsolutePaths = (input: unknown, cwd: string): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const absolute: Record<string, string> = {};
  for (const member of pathMembers) {
    const path: unknown = Object.hasOwn(input, member) ? Reflect.get(input, member) : undefined;
    if (typeof path === 'string' && path !== '' && !isAbsolute(path)) absolute[member] = resolve(cwd, path);
  }
  return { ...input, ...absolute };
};

/** `Bash(git *)` as the public contract writes it. */
const suggestionsOf = (suggestions: readonly string[]): readonly unknown[] => {
  if (suggestions.length === 0) return [];
  const rules = suggestions.map((rule) => {
    const [, toolName = rule, ruleContent] = /^([^(]*)\(([\s\S]*)\)$/.exec(rule) ?? [];
    return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
  });
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
};

const withoutMiddle = (text: string): string => {
  if (text.length <= longestError) return text;
  const half = longestError / 2;
  // Whole characters; what `toJson` makes of half of one would be no text.
  const head = text.slice(0, half).toWellFormed();
  const tail = text.slice(-half).toWellFormed();
  return `${head}\n[… ${text.length - longestError} characters left out …]\n${tail}`;
};

const serialised = (content: unknown): string => (typeof content === 'string' ? content : toJson(content));
