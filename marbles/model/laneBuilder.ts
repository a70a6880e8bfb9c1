import type { WaitingEvent } from '../../src/contract/events.js';
import type { CallLane, Mark, Phase, Segment, Wait } from './run.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A lane while events are still folded into it. Mutable on purpose: a fold over copies would cost quadratic
 * time.
 */
export interface LaneBuilder extends Omit<Writable<CallLane>, 'segments' | 'marks' | 'waits'> {
  readonly segments: Segment[];
  readonly marks: Mark[];
  readonly waits: Wait[];
  phase: { readonly phase: Phase; readonly from: number } | undefined;
  wait: WaitingEvent | undefined;
  hooksOpen: number;
}

export const newLane = (toolUseId: string, name: string, heardAt: number): LaneBuilder => ({
  toolUseId,
  name,
  toolUse: undefined,
  index: undefined,
  batch: undefined,
  isConcurrencySafe: false,
  heardAt,
  startedAt: undefined,
  endedAt: undefined,
  releasedAt: undefined,
  stopping: undefined,
  outcome: undefined,
  updates: 0,
  segments: [],
  marks: [],
  waits: [],
  phase: undefined,
  wait: undefined,
  hooksOpen: 0,
});

/** Ends the open phase at `at` and begins the next; the same phase again goes on. */
export const enter = (lane: LaneBuilder, at: number, phase: Phase): void => {
  if (lane.phase?.phase === phase) return;
  leave(lane, at);
  lane.phase = { phase, from: at };
};

/** Ends the open phase; one of no length leaves no segment, and equal neighbours become one. */
export const leave = (lane: LaneBuilder, at: number): void => {
  const open = lane.phase;
  lane.phase = undefined;
  if (!open || at <= open.from) return;
  const last = lane.segments.at(-1);
  if (last?.phase === open.phase && last.to === open.from)
    lane.segments[lane.segments.length - 1] = { ...last, to: at };
  else lane.segments.push({ ...open, to: at });
};

/** Ends the open wait. */
export const endWait = (lane: LaneBuilder, at: number): void => {
  const open = lane.wait;
  lane.wait = undefined;
  if (!open || at <= open.at) return;
  lane.waits.push({ from: open.at, to: at, reason: open.reason, on: open.on, count: open.count });
};

/** The lane as it stands when the events end at `at`; what is open lasts until then. */
export const finishLane = (lane: LaneBuilder, at: number): CallLane => {
  leave(lane, at);
  endWait(lane, at);
  const { phase: _phase, wait: _wait, hooksOpen: _hooksOpen, ...finished } = lane;
  return finished;
};
