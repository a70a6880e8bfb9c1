import type { CallLane, Count, Phase } from './run.js';

const phases: Readonly<Record<'running' | 'waiting', ReadonlySet<Phase>>> = {
  running: new Set<Phase>(['running', 'stopping']),
  waiting: new Set<Phase>(['waiting', 'hooks', 'permission', 'backoff']),
};

/**
 * How many calls run or wait, from each change on; half-open, so a hand-over in one instant is no overlap.
 */
export const countsOf = (lanes: readonly CallLane[], what: 'running' | 'waiting'): readonly Count[] => {
  const changes = new Map<number, number>();
  const add = (at: number, change: number): unknown => changes.set(at, (changes.get(at) ?? 0) + change);
  for (const { segments } of lanes) {
    for (const { phase, from, to } of segments) {
      if (!phases[what].has(phase)) continue;
      add(from, 1);
      add(to, -1);
    }
  }
  let count = 0;
  return [...changes]
    .sort(([a], [b]) => a - b)
    .filter(([, change]) => change !== 0)
    .map(([at, change]) => {
      count += change;
      return { at, count };
    });
};

/** The highest of the counts. */
export const peakOf = (counts: readonly Count[]): number =>
  counts.reduce((most, { count }) => Math.max(most, count), 0);

/** ms that calls ran, added up. */
export const busyTime = (lanes: readonly CallLane[]): number => {
  let busy = 0;
  for (const { segments } of lanes) {
    for (const { phase, from, to } of segments) if (phases.running.has(phase)) busy += to - from;
  }
  return busy;
};
