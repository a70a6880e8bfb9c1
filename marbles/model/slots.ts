import type { CallLane } from './run.js';

/** Calls put into as few rows as they need: no two of a row overlap. */
export interface Slots {
  readonly slots: readonly (readonly CallLane[])[];
  /** Calls that started but found no row below `most`. */
  readonly left: number;
}

/** Greedy: by start, each into the first row that is free. Costs `most` steps a call. */
export const slotsOf = (lanes: readonly CallLane[], most: number): Slots => {
  const slots: CallLane[][] = [];
  const freeFrom: number[] = [];
  let left = 0;
  const started = lanes.filter((lane) => lane.startedAt !== undefined);
  for (const lane of started.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))) {
    const free = freeFrom.findIndex((at) => at <= (lane.startedAt ?? 0));
    const slot = free >= 0 ? free : slots.length;
    if (slot >= most) {
      left += 1;
      continue;
    }
    freeFrom[slot] = lane.endedAt ?? Infinity;
    const row = slots[slot];
    if (row) row.push(lane);
    else slots.push([lane]);
  }
  return { slots, left };
};
