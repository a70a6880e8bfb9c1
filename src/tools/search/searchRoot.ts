import { stat } from 'node:fs/promises';
import { failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from '../files/fsErrors.js';
import { missingFailure } from '../files/missing.js';
import { notRegularFailure } from '../files/target.js';
import type { Reach } from './reach.js';
import { TimeSlice } from './timeSlice.js';
import { walkFiles } from './walk.js';

export interface Search {
  /** Absolute: a folder, or one file. */
  readonly root: string;
  readonly isFile: boolean;
  readonly files: AsyncIterable<string>;
  /** Folders that could not be read; complete when `files` has ended. */
  readonly unreadable: readonly string[];
  /** Shared by all loops of the search. */
  readonly slice: TimeSlice;
}

/** Begins a search at a path: a folder is walked, a file is the only one found, a pipe or a device is refused. */
export const searchAt = async (
  reach: Reach,
  cwd: string,
  signal: AbortSignal,
): Promise<Search | ToolFailure> => {
  const { root } = reach;
  if (!reach.shows(root)) return failure(`${root} may not be read.`);
  const kind = await kindOf(root);
  if (isFailure(kind)) return kind;
  const unreadable: string[] = [];
  const slice = new TimeSlice(signal);
  const onUnreadable = (folder: string): void => void unreadable.push(folder);
  const files = kind === 'file' ? only(root) : walkFiles({ reach, top: cwd, signal, slice, onUnreadable });
  return { root, isFile: kind === 'file', files, unreadable, slice };
};

/** How a search ends that was asked to. */
export const stoppedSearch = (): ToolFailure => failure('The search was asked to stop before it had ended.');

const kindOf = async (path: string): Promise<'file' | 'folder' | ToolFailure> => {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : notRegularFailure(path);
  } catch (error) {
    if (fsCode(error) === 'ENOENT') return missingFailure(path, 'Path');
    throw error;
  }
};

async function* only(path: string): AsyncGenerator<string, void> {
  yield path;
}
