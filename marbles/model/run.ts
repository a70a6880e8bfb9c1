import type { WaitReason } from '../../src/contract/events.js';
import type { Cause, Outcome } from '../../src/contract/outcome.js';
import type { ToolUse } from '../../src/contract/toolUse.js';

/** What a call does over a stretch of time. */
export type Phase =
  | 'input'
  | 'waiting'
  | 'hooks'
  | 'permission'
  | 'running'
  | 'backoff'
  | 'stopping'
  | 'held';

/** A stretch of one phase, from `from` up to and without `to`; both in ms of the turn. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly phase: Phase;
}

/** What happened to a call at one instant, in the order of the events. */
export type Mark =
  | { readonly type: 'start'; readonly at: number; readonly attempt: number }
  | { readonly type: 'progress'; readonly at: number }
  | {
      readonly type: 'attempt-failed';
      readonly at: number;
      readonly glyph: '#' | '@';
      readonly attempt: number;
      readonly message: string;
      readonly delayMs: number;
      /** The limit it ran into, where that was it. */
      readonly by: Cause | undefined;
    }
  | { readonly type: 'end'; readonly at: number; readonly glyph: EndGlyph; readonly outcome: Outcome }
  | { readonly type: 'released'; readonly at: number; readonly synthetic: boolean }
  | { readonly type: 'tombstone'; readonly at: number };

export type EndGlyph = '|' | '#' | '@' | '!' | 'x' | 'a';

/**
 * A stretch in which a call waited, with the reason the scheduler gave. Stretches of no length are left
 * out.
 */
export interface Wait {
  readonly from: number;
  readonly to: number;
  readonly reason: WaitReason;
  /** Ids of the calls it waited for directly; at most 8 an event. */
  readonly on: readonly string[];
  /** How many they were in all. */
  readonly count: number;
}

/** One call over time. */
export interface CallLane {
  readonly toolUseId: string;
  /** The tool's primary name, or what the model wrote. */
  readonly name: string;
  /** Undefined while the model still writes it, like `index` and `batch`. */
  readonly toolUse: ToolUse | undefined;
  readonly index: number | undefined;
  readonly batch: number | undefined;
  readonly isConcurrencySafe: boolean;
  /** ms of the turn; the first event about it. */
  readonly heardAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly releasedAt: number | undefined;
  /** When it was asked to stop, and why. */
  readonly stopping: { readonly at: number; readonly cause: Cause } | undefined;
  readonly outcome: Outcome | undefined;
  /** Progress events. */
  readonly updates: number;
  readonly segments: readonly Segment[];
  readonly marks: readonly Mark[];
  readonly waits: readonly Wait[];
}

/** What became of the calls that one cause ended. */
interface Stopped {
  /** ms of the turn: the first stop request or answer it led to. */
  readonly at: number;
  /** Ids in call order: had started and stopped. */
  readonly stopped: readonly string[];
  /** Had started and were given up when their grace lapsed. */
  readonly lapsed: readonly string[];
  /** Were answered without running. */
  readonly notRun: readonly string[];
}

/** Why calls ended otherwise than by themselves. */
export type TurnCause =
  | (Stopped & { readonly type: 'sibling-abort'; readonly by: Cause | undefined })
  | (Stopped & { readonly type: 'interruption'; readonly by: Cause | undefined })
  | (Stopped & {
      readonly type: 'discard';
      readonly reason: string;
      /** Ids of calls whose delivered results were withdrawn. */
      readonly withdrawn: readonly string[];
    })
  | {
      readonly type: 'timeout';
      readonly at: number;
      readonly toolUseId: string;
      /** Which attempt ran into its own limit; undefined for limits of the whole call. */
      readonly attempt: number | undefined;
      readonly by: Cause | undefined;
    };

/** A number that holds from `at` until the next entry. */
export interface Count {
  readonly at: number;
  readonly count: number;
}

/** A turn, folded from its events. */
export interface Run {
  /** In call order; calls that never were queued come last, as they were heard of. */
  readonly calls: readonly CallLane[];
  /** By time. */
  readonly causes: readonly TurnCause[];
  readonly contexts: readonly { readonly at: number; readonly context: unknown }[];
  readonly anomalies: readonly { readonly at: number; readonly code: string; readonly message: string }[];
  readonly stops: readonly { readonly at: number; readonly reason: string; readonly by: string }[];
  /** How many calls run: attempts and graces, not back-offs or hooks. */
  readonly running: readonly Count[];
  /** How many wait: for their turn, hooks, a permission, the next attempt. Held results don't count. */
  readonly waiting: readonly Count[];
  /** ms from the turn's begin to its last event. */
  readonly wall: number;
  /** ms that calls ran, added up. */
  readonly busy: number;
  /** The most that ran at an instant. */
  readonly peak: number;
}
