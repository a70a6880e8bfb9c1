import type { SchedulerLike } from 'rxjs';
import type { HookAnswer, HookEventName, HookInput } from '../contract/hooks.js';
import type { Cause } from '../contract/outcome.js';
import type { PermissionMode } from '../contract/permissions.js';
import type { ConditionCallFor, ReadyHook } from './hookSet.js';
import type { HookClock } from './inquiry.js';
import type { TextStore } from './longText.js';

/** What hooks need of the turn around them. */
export interface HookHost {
  readonly clock: HookClock;
  readonly scheduler: SchedulerLike;
  readonly context: unknown;
  readonly permissionMode: PermissionMode;
  /** Milliseconds for a hook that names none. Default 60,000. */
  readonly timeoutMs?: number;
  /** Where texts over 10,000 characters go; without one their middle is left out. */
  readonly store?: TextStore | undefined;
  /** Something has come from outside: time may have passed. */
  tick?(): void;
  /** Nobody wants to hear any more, though `cancel` may not have been called yet: no further hook is asked. */
  isStopped?(): boolean;
  /** Told of every hook that is asked, twice; must not throw. */
  onHook?(told: HookTold): void;
}

export interface HookTold {
  readonly hook: string;
  readonly phase: 'started' | 'ended';
  /** What it has decided; `failed` where it gave no answer. */
  readonly decision?: string;
  readonly message?: string;
}

/** Hooks that have not all answered. */
export interface PendingHooks {
  /** Their answers are not wanted any more; the one being asked is told why by its signal. */
  cancel(cause: Cause): void;
}

/** What is special about a point: what its hooks see, and what becomes of their answers. */
export interface HookPoint<E extends HookEventName> {
  /** All names of the tool; left out where the point is about no single tool. */
  readonly names?: readonly string[];
  readonly conditionCall?: ConditionCallFor;
  /** The input of the next hook, as the ones before it have left it. */
  fields(): HookFields<E>;
  take(hook: ReadyHook<E>, answer: HookAnswer<E>): void;
  /** Answers a note for the model, or nothing. */
  fail(hook: ReadyHook<E>, failure: string): string | undefined;
}

export type HookInputOf<E extends HookEventName> = Extract<HookInput, { readonly event: E }>;
export type HookFields<E extends HookEventName> = Omit<
  HookInputOf<E>,
  'context' | 'permissionMode' | 'signal' | 'scheduler'
>;
