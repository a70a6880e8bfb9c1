import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from './fsErrors.js';
import { linkTarget } from './linkTarget.js';
import { overwriteFile } from './overwriteFile.js';
import type { Existing } from './target.js';

/**
 * Puts a text in place of a file, whole or not at all: written beside it, then renamed over it.
 *
 * Who reads the file meanwhile sees the old text or the new one; a full disk or a stop leaves the old one. Folders
 * are made, symbolic links followed, owner, group and permissions kept. Where that can't be done by renaming (no
 * right to give files away or to write to the folder, several names for one file, a mount point), the file is
 * overwritten where it is. Returns a failure where it was stopped before the change.
 */
export const replaceFile = async (
  path: string,
  text: string,
  existing: Existing | undefined,
  signal: AbortSignal,
): Promise<undefined | ToolFailure> => {
  const stopped = (): ToolFailure | undefined =>
    signal.aborted ? failure(`Stopped before ${path} was changed; it is as it was.`) : undefined;
  if (signal.aborted) return stopped();
  const target = await linkTarget(path);
  // A rename asks the folder only; a file that is protected itself must stay as it is.
  if (existing !== undefined) await access(target, constants.W_OK);
  else await mkdir(dirname(target), { recursive: true });
  if (existing !== undefined && existing.names > 1) return stopped() ?? overwriteFile(target, text);
  const renamed = await renameOver(target, text, existing, stopped);
  return renamed === 'not-possible' ? (stopped() ?? overwriteFile(target, text)) : renamed;
};

const renameOver = async (
  target: string,
  text: string,
  existing: Existing | undefined,
  stopped: () => ToolFailure | undefined,
): Promise<undefined | ToolFailure | 'not-possible'> => {
  const temporary = join(dirname(target), `.millrace-${randomUUID()}.tmp`);
  try {
    // As closed as it can be from the start: the text of a private file must not lie open beside it meanwhile.
    await writeFile(temporary, text, existing === undefined ? { flag: 'wx' } : { flag: 'wx', mode: 0o600 });
    if (existing !== undefined) await makeAlike(temporary, existing);
    const failed = stopped();
    if (failed === undefined) await rename(temporary, target);
    return failed;
  } catch (error) {
    if (existing !== undefined && notPossible.has(fsCode(error) ?? '')) return 'not-possible';
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
};

/** The folder or the owner forbids it, or the file is a mount point. */
const notPossible: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY', 'EXDEV']);

const makeAlike = async (temporary: string, { mode, uid, gid }: Existing): Promise<void> => {
  const made = await stat(temporary);
  if (made.uid !== uid || made.gid !== gid) await chown(temporary, uid, gid);
  // Last: a change of owner takes set-id bits away.
  await chmod(temporary, mode);
};
