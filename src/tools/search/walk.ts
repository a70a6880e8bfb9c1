import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { IgnoreRules } from './ignoreRules.js';
import type { Reach } from './reach.js';
import { sortedInTurns } from './sortedInTurns.js';
import type { TimeSlice } from './timeSlice.js';

/** Names fetched from the system at a time. */
const NAMES_AT_ONCE = 512;

export interface WalkOptions {
  /** The folder to walk, and what of it may be seen. */
  readonly reach: Reach;
  /** Absolute folder above which no ignore file is looked for. */
  readonly top: string;
  readonly signal: AbortSignal;
  readonly slice: TimeSlice;
  /** Told of folders that may not be read. */
  readonly onUnreadable: (folder: string) => void;
}

/**
 * The files below a folder, absolute, in an order that depends on their names alone.
 *
 * Honours `.gitignore` files, leaves `.git` and what is hidden out, follows links to files that may be read but not to
 * folders, which may lead round in a circle. Gives way to the event loop, and ends early, without a word, when the signal is aborted.
 */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<string, void> {
  const { reach, top, slice } = options;
  const { root } = reach;
  // The folders still to be listed and the rest of those that are: nested generators would hand each file up
  // through as many promises as the folder is deep.
  const stack = [await open(root, await IgnoreRules.above(root, top, slice), options)];
  for (let folder = stack.at(-1); folder !== undefined; folder = stack.at(-1)) {
    // Between two entries one was matched with every rule and, by who walks, with a pattern.
    if (options.signal.aborted || (slice.isOver(16) && !(await slice.next()))) return;
    const entry = folder.entries[folder.next++];
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    const path = join(folder.path, entry.name);
    if (entry.name === '.git' || folder.rules.ignores(path, entry.isDirectory()) || !reach.shows(path))
      continue;
    if (entry.isDirectory()) stack.push(await open(path, folder.rules, options));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await reach.follows(path)))) yield path;
  }
}

interface OpenFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
  readonly rules: IgnoreRules;
  /** Index of the entry that comes next. */
  next: number;
}

const open = async (path: string, above: IgnoreRules, options: WalkOptions): Promise<OpenFolder> => {
  const entries = await list(path, options);
  const hasRules = entries.some(({ name }) => name === '.gitignore');
  return { path, entries, rules: hasRules ? await above.within(path, options.slice) : above, next: 0 };
};

const list = async (folder: string, options: WalkOptions): Promise<readonly Dirent[]> => {
  const { reach, slice, onUnreadable } = options;
  const entries: Dirent[] = [];
  try {
    // Closes itself, also when it is left before its end.
    for await (const entry of await opendir(folder, { bufferSize: NAMES_AT_ONCE })) {
      entries.push(entry);
      if (slice.isOver() && !(await slice.next())) return [];
    }
  } catch (error) {
    // Below the root one folder that can't be read is no reason to find nothing at all.
    if (folder === reach.root) throw error;
    onUnreadable(folder);
    return [];
  }
  return (await sortedInTurns(entries, slice)) ?? [];
};
