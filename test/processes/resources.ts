import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many of each there are: handles and timers that keep the program alive, listeners on it, open files. */
export type Resources = ReadonlyMap<string, number>;

/** Counts what this program holds now; `folder` is where the tools put their files. */
export const countResources = (folder: string): Resources => {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) add(counts, `handle ${name}`, 1);
  for (const name of process.eventNames())
    add(counts, `listener ${String(name)}`, process.listenerCount(name));
  add(counts, 'open files', readdirSync('/proc/self/fd').length);
  add(counts, 'files left', readdirSync(folder).length);
  return counts;
};

const add = (counts: Map<string, number>, name: string, count: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + count);
};

/** What there is more of than before, once what is being closed has been closed. */
export const grownResources = async (before: Resources, folder: string): Promise<readonly string[]> => {
  let grown: readonly string[] = [];
  for (let look = 0; look < 50; look++) {
    grown = [...countResources(folder)]
      .filter(([name, count]) => count > (before.get(name) ?? 0))
      .map(([name, count]) => `${name}: ${before.get(name) ?? 0} before, ${count} now`);
    if (grown.length === 0) return [];
    // The wait's own timer has gone when the next look is taken.
    await sleep(20);
  }
  return grown;
};
