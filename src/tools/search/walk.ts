import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IgnoreRules } from './ignoreRules.js';

export interface WalkOptions {
  /** Absolute folder to walk. */
  readonly root: string;
  /** Absolute folder above which no ignore file is looked for. */
  readonly top: string;
  readonly signal: AbortSignal;
  /** Told of folders that may not be read. */
  readonly onUnreadable: (folder: string) => void;
}

/**
 * The files below a folder, absolute, in an order that depends on their names alone.
 *
 * Honours `.gitignore` files, leaves `.git` out, follows links to files but not to folders, which may lead round in
 * a circle. Ends early, without a word, when the signal is aborted.
 */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<string, void> {
  const rules = await IgnoreRules.above(options.root, options.top);
  yield* walkFolder(options.root, rules, options);
}

async function* walkFolder(
  folder: string,
  above: IgnoreRules,
  options: WalkOptions,
): AsyncGenerator<string, void> {
  const entries = await list(folder, options);
  const rules = entries.some(({ name }) => name === '.gitignore') ? await above.within(folder) : above;
  for (const entry of entries) {
    if (options.signal.aborted) return;
    const path = join(folder, entry.name);
    if (entry.name === '.git' || rules.ignores(path, entry.isDirectory())) continue;
    if (entry.isDirectory()) yield* walkFolder(path, rules, options);
    else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)))) yield path;
  }
}

const list = async (folder: string, { root, onUnreadable }: WalkOptions): Promise<Dirent[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    // By code unit: a locale would make the order depend on the machine.
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // Below the root one folder that can't be read is no reason to find nothing at all.
    if (folder === root) throw error;
    onUnreadable(folder);
    return [];
  }
};

const leadsToFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};
