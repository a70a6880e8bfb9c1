import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failure, type ToolFailure } from '../../contract/index.js';

/** Names offered at most. */
const OFFERED = 5;
/** Pairs of characters compared to find them. */
const MAX_STEPS = 2_000_000;

/** The failure for a path that does not exist: names what is near it, for a path is mostly misspelt, not invented. */
export const missingFailure = async (path: string, what: 'File' | 'Path'): Promise<ToolFailure> => {
  const said = `${what} does not exist: ${path}.`;
  const names = await namesIn(dirname(path));
  if (names === undefined)
    return failure(`${said} Its folder does not exist either.`, { data: { code: 'ENOENT' } });
  const near = nearNames(basename(path), names).map((name) => join(dirname(path), name));
  const hint = near.length === 0 ? 'Use Glob to find it.' : `Did you mean ${near.join(', ')}?`;
  return failure(`${said} ${hint}`, { data: { code: 'ENOENT' } });
};

const namesIn = async (folder: string): Promise<string[] | undefined> => {
  try {
    return await readdir(folder);
  } catch {
    return undefined;
  }
};

/** Names like the wanted one, the nearest first. */
export const nearNames = (wanted: string, names: readonly string[]): string[] =>
  compared(wanted, names)
    .map((name) => ({ name, distance: distance(wanted, name) }))
    .filter(({ distance: d }) => d <= farthest(wanted))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ name }) => name);

const farthest = (wanted: string): number => Math.max(1, Math.floor(wanted.length / 3));

/** Names that can be near by their length, as many as may be compared: a folder may hold any number of long ones. */
const compared = (wanted: string, names: readonly string[]): readonly string[] => {
  let steps = 0;
  return names.filter((name) => {
    if (steps > MAX_STEPS) return false;
    steps++;
    const isNear = Math.abs(name.length - wanted.length) <= farthest(wanted) || stem(name) === stem(wanted);
    if (isNear) steps += name.length * wanted.length;
    return isNear;
  });
};

const stem = (name: string): string => name.toLowerCase().replace(/\.[^.]*$/, '');

/** Edits from one name to the other; another ending or other capitals count as one. */
const distance = (a: string, b: string): number => {
  if (stem(a) === stem(b)) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};
