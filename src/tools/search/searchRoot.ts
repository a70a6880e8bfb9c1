import { stat } from 'node:fs/promises';
import { isFailure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from '../files/fsErrors.js';
import { missingFailure } from '../files/missing.js';
import { walkFiles } from './walk.js';

export interface Search {
  /** Absolute: a folder, or one file. */
  readonly root: string;
  readonly isFile: boolean;
  readonly files: AsyncIterable<string>;
  /** Folders that could not be read; complete when `files` has ended. */
  readonly unreadable: readonly string[];
}

/** Begins a search at a path: a folder is walked, a file is the only one found. */
export const searchAt = async (
  root: string,
  cwd: string,
  signal: AbortSignal,
): Promise<Search | ToolFailure> => {
  const kind = await kindOf(root);
  if (isFailure(kind)) return kind;
  const unreadable: string[] = [];
  const files =
    kind === 'file'
      ? only(root)
      : walkFiles({ root, top: cwd, signal, onUnreadable: (folder) => unreadable.push(folder) });
  return { root, isFile: kind === 'file', files, unreadable };
};

const kindOf = async (path: string): Promise<'file' | 'folder' | ToolFailure> => {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (fsCode(error) === 'ENOENT') return missingFailure(path, 'Path');
    throw error;
  }
};

async function* only(path: string): AsyncGenerator<string, void> {
  yield path;
}
