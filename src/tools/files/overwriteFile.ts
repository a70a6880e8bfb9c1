import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { failure, type ToolFailure } from '../../contract/index.js';
import { notRegularFailure } from './target.js';

/**
 * Writes a text over a regular file where it is. Not all or nothing: a full disk may leave a part of either text.
 *
 * @throws what the file system reports before anything was changed
 */
export const overwriteFile = async (path: string, text: string): Promise<undefined | ToolFailure> => {
  // To open a pipe would be to wait for its reader.
  const file = await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return notRegularFailure(path);
    await file.truncate(0);
    await file.writeFile(text);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(`${path} was being overwritten when it failed: ${reason}. A part of it may be lost.`);
  } finally {
    await file.close();
  }
};
