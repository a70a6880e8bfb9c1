import type { SchedulerLike } from 'rxjs';
import type { Outcome } from './outcome.js';
import type { PermissionMode, RuleUpdate } from './permissions.js';
import type { MaybeLater } from './tool.js';
import type { ToolResultBlock, ToolUse } from './toolUse.js';

/** The points of a call's life that hooks are asked at; the public names. */
export type HookEventName =
  | 'PreToolUse'
  | 'PermissionRequest'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch';

interface HookInputBase {
  /** The turn's context as the batch began; frozen. */
  readonly context: unknown;
  readonly permissionMode: PermissionMode;
  /** Aborted when the answer is not wanted any more: timeout, stop, end of the turn. */
  readonly signal: AbortSignal;
  readonly scheduler: SchedulerLike;
}

/** One call, as hooks see it. */
export interface HookCall {
  /** As the model wrote it. */
  readonly toolUse: ToolUse;
  /** The tool's primary name. */
  readonly name: string;
  /** The input side of what runs: the model's input, as the hooks before have left it. */
  readonly input: unknown;
}

export interface PreToolUseInput extends HookInputBase, HookCall {
  readonly event: 'PreToolUse';
}

export interface PermissionRequestInput extends HookInputBase, HookCall {
  readonly event: 'PermissionRequest';
  /** Why the call is asked about. */
  readonly message: string;
  readonly suggestions: readonly string[];
}

export interface PostToolUseInput extends HookInputBase, HookCall {
  readonly event: 'PostToolUse';
  readonly output: unknown;
  /** Milliseconds the tool ran. */
  readonly durationMs: number;
}

export interface PostToolUseFailureInput extends HookInputBase, HookCall {
  readonly event: 'PostToolUseFailure';
  readonly outcome: Outcome;
  /** What the model would read. */
  readonly error: string;
  /** A user's interruption ended it. */
  readonly isInterrupt: boolean;
  readonly durationMs: number;
}

export interface PostToolBatchInput extends HookInputBase {
  readonly event: 'PostToolBatch';
  /** In call order. */
  readonly calls: readonly (HookCall & { readonly outcome: Outcome; readonly block: ToolResultBlock })[];
}

export type HookInput =
  | PreToolUseInput
  | PermissionRequestInput
  | PostToolUseInput
  | PostToolUseFailureInput
  | PostToolBatchInput;

/** What any hook may say. */
export interface HookAnswerBase {
  /** Placed after the results of the turn, for the model. */
  readonly additionalContext?: string;
  /** False: no further model request is wanted after this turn. Beats every other decision of its kind. */
  readonly continue?: boolean;
  /** Why, for the user. */
  readonly stopReason?: string;
  /** A warning for the user. */
  readonly systemMessage?: string;
}

export interface PreToolUseAnswer extends HookAnswerBase {
  /** Among several hooks deny beats defer beats ask beats allow. Left out: no opinion. */
  readonly decision?: 'allow' | 'deny' | 'ask' | 'defer';
  /** Deny, defer: for the model. Allow, ask: for the user. */
  readonly reason?: string;
  /** An object that replaces the whole input; parsed, and tested against the rules, again. */
  readonly updatedInput?: unknown;
}

export interface PermissionRequestAnswer extends HookAnswerBase {
  /** Left out: no opinion. All are asked, and any denial beats an allow. */
  readonly decision?: 'allow' | 'deny';
  readonly updatedInput?: unknown;
  readonly updatedPermissions?: readonly (
    | ({ readonly type: 'addRules' } & RuleUpdate)
    | { readonly type: 'setMode'; readonly mode: PermissionMode }
  )[];
  readonly message?: string;
  readonly interrupt?: boolean;
}

export interface PostToolUseAnswer extends HookAnswerBase {
  /** `block`: the call has run; `reason` tells the model what is wrong with it. */
  readonly decision?: 'block';
  readonly reason?: string;
  /** Present, `undefined` too: replaces the output the model sees. */
  readonly updatedToolOutput?: unknown;
}

export type PostToolUseFailureAnswer = HookAnswerBase;

export interface PostToolBatchAnswer extends HookAnswerBase {
  /** `block`: no further model request. */
  readonly decision?: 'block';
  readonly reason?: string;
}

interface HookAnswers {
  readonly PreToolUse: PreToolUseAnswer;
  readonly PermissionRequest: PermissionRequestAnswer;
  readonly PostToolUse: PostToolUseAnswer;
  readonly PostToolUseFailure: PostToolUseFailureAnswer;
  readonly PostToolBatch: PostToolBatchAnswer;
}

export type HookAnswer<E extends HookEventName = HookEventName> = HookAnswers[E];

/** Nothing, or an object, is an answer; anything else, a throw, an end of time, is a failure of the hook. */
export type HookFunction<E extends HookEventName> = (
  input: Extract<HookInput, { readonly event: E }>,
) => MaybeLater<HookAnswer<E> | undefined | null>;

/** A hook with its conditions. A bare function is one without. */
export interface Hook<E extends HookEventName = HookEventName> {
  /** For events and messages; default the function's name, or its place: `PreToolUse[0]`. */
  readonly name?: string;
  /** Two hooks of one point with the same key are asked once. Default: the function itself. */
  readonly key?: string;
  /** Which tools, in the public syntax: nothing, `""` or `*` for all; names by `|` or `,`; else a regular expression. */
  readonly matcher?: string;
  /** One permission rule: the hook is asked where the call matches it, and where that can't be told. */
  readonly if?: string;
  /** Milliseconds. Default `TOOL_HOOK_EXECUTION_TIMEOUT_MS`, 60,000. */
  readonly timeoutMs?: number;
  /** What a failure counts as. Default `deny` for `PreToolUse` and `PermissionRequest`; the others only observe. */
  readonly onFailure?: 'deny' | 'continue';
  readonly run: HookFunction<E>;
}

/** Hooks by the point they are asked at, in configured order. */
export type Hooks = {
  readonly [E in HookEventName]?: readonly (Hook<E> | HookFunction<E>)[];
};
