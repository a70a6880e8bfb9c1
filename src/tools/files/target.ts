import { stat } from 'node:fs/promises';
import { failure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from './fsErrors.js';

/** What is known of a regular file before it is touched. */
export interface Existing {
  /** Permission bits. */
  readonly mode: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * Looks what a path names: a regular file, nothing yet (`undefined`), or what these tools do not touch.
 *
 * Devices and pipes are refused, for reading one may never end.
 */
export const lookAt = async (path: string): Promise<Existing | undefined | ToolFailure> => {
  try {
    const found = await stat(path);
    if (found.isDirectory())
      return failure(`${path} is a directory, not a file. Use Glob to list what is in it.`);
    if (!found.isFile()) return failure(`${path} is no regular file but a device, a pipe or a socket.`);
    return { mode: found.mode & 0o7777, size: found.size };
  } catch (error) {
    if (fsCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};
