import type { HookEventName } from './hooks.js';
import type { Cause, Executed, Outcome } from './outcome.js';
import type { ToolMap, ToolOutput, ToolProgress } from './tool.js';
import type { Message, ToolResultBlock, ToolUse } from './toolUse.js';

/** The version of the event union; recordings carry it. */
export const EVENTS_VERSION = 1;

/** Why a call waits (law 4). Each is stated by the scheduler at the moment it decides. */
export type WaitReason =
  /** It is unsafe, and calls before it have not ended. */
  | 'exclusive'
  /** An unsafe call before it has not ended. */
  | 'batch'
  /** No slot is free, in the turn or in the shared pool. */
  | 'limit'
  | 'pool'
  /** The start rule holds it until the message has ended. */
  | 'message'
  /** Its own schema or that of a call before it, its hooks, its permission have not answered. */
  | 'validation'
  | 'hooks'
  | 'permission'
  /** Its next attempt is due later. */
  | 'backoff'
  /** Tools of an abandoned attempt have not stopped. */
  | 'settling';

/** What every event about one call carries. */
interface OfCall<N extends string> {
  /** Milliseconds since the turn began, on the turn's scheduler. */
  readonly at: number;
  readonly toolUseId: string;
  /** The tool's primary name; what the model wrote where no tool was found. */
  readonly name: N;
}

export interface InputDeltaEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'input-delta';
  /** What could be read of the input so far, for display only. */
  readonly input: unknown;
}

export interface QueuedEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'queued';
  readonly toolUse: ToolUse;
  /** The call's place in the turn, from 0. */
  readonly index: number;
  /** The batch's place in the turn, from 0. */
  readonly batch: number;
  readonly isConcurrencySafe: boolean;
}

export interface WaitingEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'waiting';
  readonly reason: WaitReason;
  /** The calls it waits for directly, at most 8. */
  readonly on: readonly string[];
  /** How many they are in all. */
  readonly count: number;
}

export interface HookEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'hook';
  readonly point: HookEventName;
  readonly hook: string;
  readonly phase: 'started' | 'ended';
  readonly decision?: string;
  readonly decidedBy?: string;
  readonly message?: string;
}

export interface PermissionEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'permission';
  readonly phase: 'asked' | 'classifying' | 'decided';
  readonly decision?: 'allow' | 'deny';
  readonly decidedBy?: string;
  readonly message?: string;
}

export interface StartedEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'started';
  /** 1 for the first try. */
  readonly attempt: number;
}

export interface ProgressEvent<N extends string = string, P = unknown> extends OfCall<N> {
  readonly type: 'progress';
  readonly data: P;
}

export interface AttemptFailedEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'attempt-failed';
  readonly attempt: number;
  readonly error: { readonly message: string };
  /** The limit that ended it, where one did. */
  readonly by?: Cause;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

export interface StoppingEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'stopping';
  readonly cause: Cause;
}

export interface CompletedEvent<N extends string = string, O = unknown> extends OfCall<N> {
  readonly type: 'completed';
  readonly outcome: Outcome;
  /** The tool's output, where the outcome is `ok`. */
  readonly output?: O;
}

export interface ResultEvent<N extends string = string> extends OfCall<N> {
  readonly type: 'result';
  readonly block: ToolResultBlock;
  readonly outcome: Outcome;
  /** True where millrace wrote the block because the tool could not. */
  readonly synthetic: boolean;
  /** Messages and hook context that follow the results of the turn. */
  readonly after?: readonly Message[];
}

export interface ContextEvent {
  readonly type: 'context';
  readonly at: number;
  readonly context: unknown;
}

export interface TombstoneEvent {
  readonly type: 'tombstone';
  readonly at: number;
  readonly target: { readonly messageId: string } | { readonly toolUseId: string };
}

/** What became of one call of an abandoned attempt. */
export interface LedgerEntry {
  readonly toolUse: ToolUse;
  /** The tool's primary name. */
  readonly name: string;
  readonly isConcurrencySafe: boolean;
  readonly executed: Executed;
  /** Where known: what the tool ended with, also when it came after the discard, within the grace. */
  readonly outcome?: Outcome;
  /** The result as the model would have seen it, with what belongs to it, for adoption by an equal call. */
  readonly block?: ToolResultBlock;
  readonly output?: unknown;
  readonly newMessages?: readonly Message[];
  readonly modifyContext?: (context: never) => unknown;
}

export interface DiscardedEvent {
  readonly type: 'discarded';
  readonly at: number;
  readonly cause: string;
  /** Where the source of tool uses failed: its error, a `ModelStreamError` where it was a model's stream. */
  readonly error?: unknown;
  /** How many messages were withdrawn: the number of tombstones. */
  readonly messages: number;
  readonly ledger: readonly LedgerEntry[];
}

/** A hook that is asked about the turn, not about one call. */
export interface TurnHookEvent {
  readonly type: 'turn-hook';
  readonly at: number;
  readonly point: 'PostToolBatch';
  readonly hook: string;
  readonly phase: 'started' | 'ended';
  readonly decision?: string;
  readonly message?: string;
}

/** Messages of the turn's hooks that follow the results. */
export interface AfterEvent {
  readonly type: 'after';
  readonly at: number;
  readonly messages: readonly Message[];
}

/** No further model request is wanted. */
export interface StopEvent {
  readonly type: 'stop';
  readonly at: number;
  /** `interrupted`, `aborted`, `hook` (a hook wants no further request), `tool_deferred`. */
  readonly reason: string;
  /** The user's or the program's words; the hook's name. */
  readonly by: string;
  /** A hook's words for the user. */
  readonly message?: string;
}

export type AnomalyCode =
  | 'duplicate_id'
  | 'invalid_tool_use'
  | 'safety_check_failed'
  | 'priority_failed'
  | 'cascade_check_failed'
  | 'context_modifier_failed'
  | 'offered_failed'
  | 'late_callback_failed'
  /** A hook's words for the user. */
  | 'hook_warning'
  | 'classifier_failed'
  | 'retry_check_failed'
  | (string & {});

/** Something that should not have happened and was survived. */
export interface AnomalyEvent {
  readonly type: 'anomaly';
  readonly at: number;
  readonly code: AnomalyCode;
  readonly message: string;
  readonly toolUseId?: string;
  readonly name?: string;
}

export type TurnEvent =
  | ContextEvent
  | TombstoneEvent
  | DiscardedEvent
  | TurnHookEvent
  | AfterEvent
  | StopEvent
  | AnomalyEvent;

export type CallEvent<N extends string = string, O = unknown, P = unknown> =
  | InputDeltaEvent<N>
  | QueuedEvent<N>
  | WaitingEvent<N>
  | HookEvent<N>
  | PermissionEvent<N>
  | StartedEvent<N>
  | ProgressEvent<N, P>
  | AttemptFailedEvent<N>
  | StoppingEvent<N>
  | CompletedEvent<N, O>
  | ResultEvent<N>;

/**
 * What comes out of a turn: a union on `type`; `name` narrows progress and output to those of the tool.
 *
 * ```ts
 * if (event.type === 'progress' && event.name === 'bash') event.data.stream; // 'stdout' | 'stderr'
 * ```
 * **Gotchas** The name of a call whose tool is unknown is what the model wrote, and in no type: a `switch` on
 * names needs a `default`.
 */
export type ToolEvent<M extends ToolMap = ToolMap> =
  | TurnEvent
  | { [N in keyof M & string]: CallEvent<N, ToolOutput<M[N]>, ToolProgress<M[N]>> }[keyof M & string];
