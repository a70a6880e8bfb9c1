import type { TimeSlice } from './timeSlice.js';

/** Values sorted in one go: a few milliseconds. */
const RUN = 4096;

/** A value that is ordered by its name. */
interface Named {
  readonly name: string;
}

/**
 * Sorts by name, by code unit: a locale would make the order depend on the machine.
 *
 * Gives way to the event loop, for a folder may hold hundreds of thousands of names. `undefined` where it was stopped.
 */
export const sortedInTurns = async <T extends Named>(
  values: readonly T[],
  slice: TimeSlice,
): Promise<readonly T[] | undefined> => {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < values.length; at += RUN) {
    runs.push(values.slice(at, at + RUN).sort(byName));
    if (slice.isOver(RUN) && !(await slice.next())) return undefined;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const both = await mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], slice);
      if (both === undefined) return undefined;
      merged.push(both);
    }
    runs = merged;
  }
  return runs[0] ?? [];
};

const byName = (a: Named, b: Named): number => (a.name < b.name ? -1 : 1);

const mergeRuns = async <T extends Named>(
  left: readonly T[],
  right: readonly T[],
  slice: TimeSlice,
): Promise<readonly T[] | undefined> => {
  const merged: T[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    merged.push(byName(left[i] as T, right[j] as T) < 0 ? (left[i++] as T) : (right[j++] as T));
    if (slice.isOver() && !(await slice.next())) return undefined;
  }
  return merged.concat(left.slice(i), right.slice(j));
};
