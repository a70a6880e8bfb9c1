import type { Observable, SchedulerLike } from 'rxjs';
import type { Hooks } from './hooks.js';
import type { CanUseTool, Classifier, PermissionOptions, Permissions } from './permissions.js';
import type { MaybeLater, ToolList, ToolMap } from './tool.js';
import type { ToolUse } from './toolUse.js';

/** When calls may start (SPEC §4.4). */
export type StartRule =
  /** As soon as their block has ended. */
  | 'eager'
  /** Unsafe ones wait until the message has ended, so that no side effect belongs to a message that can fail. */
  | 'eager-safe'
  /** All wait. */
  | 'after-message';

/** How many calls may run at a time: integers from 1, or `Infinity`. */
export interface Limits {
  /** In all. Default 10. */
  readonly concurrency?: number;
  /** By kind of tool. Default `Infinity`. */
  readonly shell?: number;
  readonly file?: number;
  readonly network?: number;
}

/** Something that came after its call had been given up. */
export interface LateEvent {
  readonly toolUse: ToolUse;
  /** `value`, `error`: what came. `running`: the turn was left while the tool could not be stopped. */
  readonly type: 'value' | 'error' | 'running';
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Input that a tool's schema has refused. */
export interface RepairRequest {
  readonly toolUse: ToolUse;
  /** The tool's primary name. */
  readonly name: string;
  readonly input: unknown;
  /** What is wrong with it, as the model would be told. */
  readonly issues: readonly string[];
  readonly signal: AbortSignal;
}

/** Answers other input, or nothing. A failure, or an answer that comes too late, leaves the call invalid. */
export type InputRepair = (request: RepairRequest) => MaybeLater<{ readonly input: unknown } | undefined>;

/** Where long texts go. */
export interface ResultStore {
  /** Keeps a text; answers a reference that the model can follow: a path, or a name. */
  put(text: string, about: { readonly hook: string } | { readonly toolUseId: string }): MaybeLater<string>;
}

declare const poolBrand: unique symbol;
/** Limits shared by turns; made by `createPool`. */
export interface Pool {
  readonly [poolBrand]?: never;
  readonly limits: Required<Limits>;
  /** Slots taken now. */
  readonly running: number;
  /** Turns that wait for a slot now. */
  readonly waiting: number;
}

export interface ExecuteToolsOptions<T extends ToolMap | ToolList = ToolMap | ToolList> {
  /** By primary name, or a list. A map's keys are the names. */
  readonly tools: T;
  /** Which of them this call may use, by primary name; default all. A throw is no, with an `anomaly`. */
  readonly offered?: (name: string) => boolean;
  /** Whether the schema of a `deferred` tool has been sent by now; default no. Decides about a hint, nothing else. */
  readonly isSchemaSent?: (name: string) => boolean;
  /** Frozen, and given to every call; changed only by `output(…, { modifyContext })`. */
  readonly context?: unknown;
  /** Stops everything when aborted. */
  readonly signal?: AbortSignal;
  /** A value stops the turn on the user's behalf; it is the reason, shown. Honours `onInterrupt`. */
  readonly interrupt$?: Observable<unknown>;
  /** A value abandons the attempt: synthetic results, tombstones, the ledger. It is the cause. */
  readonly discard$?: Observable<unknown>;
  /** Default `eager`. */
  readonly start?: StartRule;
  readonly limits?: Limits;
  /** Limits shared with other turns. */
  readonly pool?: Pool;
  /** Among waiting calls of a batch the higher first, then call order. Default 0 for all; a throw counts as 0. */
  readonly priority?: (call: ToolUse) => number;
  /** Asked at the points of each call's life, in configured order. What is left out costs nothing. */
  readonly hooks?: Hooks;
  /** Milliseconds a hook may take that names no limit. Default 60,000. */
  readonly hookTimeoutMs?: number;
  /** Rules and mode; or what `createPermissions` made, so that what is remembered outlives the turn. */
  readonly permissions?: PermissionOptions | Permissions;
  /** Asked where the rules leave a call to a person. Without it, and without a hook that answers, an ask is a denial. */
  readonly canUseTool?: CanUseTool;
  /** May lift a soft ask before a person is bothered; runs ahead, beside hooks and rules. */
  readonly classifier?: Classifier;
  /** What a denial does to the calls behind it: nothing (`call`, the default), or they are denied too. */
  readonly onDeny?: 'call' | 'rest-of-turn';
  /** May mend input that a schema refuses; what it gives is parsed again. Off by default. */
  readonly inputRepair?: InputRepair;
  /** Keeps texts that are too long for the conversation. Without one their middle is left out. */
  readonly resultStore?: ResultStore;
  /** How far a failure that `abortsSiblings` reaches. Default `turn`. */
  readonly siblingAbort?: 'turn' | 'batch' | 'off';
  /** Milliseconds for `call`, where the tool names none. Default 600,000; `Infinity` is none. */
  readonly timeoutMs?: number;
  /** Milliseconds from a stop request until a call is given up, where the tool names none. Default 0 safe, 2,000 unsafe. */
  readonly graceMs?: number;
  /** Told what came, or could come, after its call had been given up. */
  readonly onLate?: (late: LateEvent) => void;
  /** Numbers in [0, 1), for the jitter of retries. Default `Math.random`. */
  readonly random?: () => number;
  /** All time comes from it. Default RxJS's `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}
