import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from './fsErrors.js';
import type { Existing } from './target.js';

/**
 * Puts a text in place of a file, whole or not at all: written beside it, then renamed over it.
 *
 * Who reads the file meanwhile sees the old text or the new one; a full disk or a stop leaves the old one. Folders
 * are made, permissions kept, symbolic links followed. Returns a failure where it was stopped before the rename.
 */
export const replaceFile = async (
  path: string,
  text: string,
  existing: Existing | undefined,
  signal: AbortSignal,
): Promise<undefined | ToolFailure> => {
  const target = await behindLinks(path);
  // A rename asks the folder only; a file that is protected itself must stay as it is.
  if (existing !== undefined) await access(target, constants.W_OK);
  else await mkdir(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.millrace-${randomUUID()}.tmp`);
  try {
    // As closed as it can be from the start: the text of a private file must not lie open beside it meanwhile.
    await writeFile(temporary, text, existing === undefined ? { flag: 'wx' } : { flag: 'wx', mode: 0o600 });
    if (existing !== undefined) await chmod(temporary, existing.mode);
    if (signal.aborted) return failure(`Stopped before ${path} was changed; it is as it was.`);
    await rename(temporary, target);
    return undefined;
  } finally {
    await rm(temporary, { force: true });
  }
};

const behindLinks = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (fsCode(error) === 'ENOENT') return path;
    throw error;
  }
};
