import { stat } from 'node:fs/promises';
import { failure, type ToolFailure } from '../../contract/index.js';
import { fsCode } from './fsErrors.js';

/** What is known of a regular file before it is touched. */
export interface Existing {
  /** Permission bits. */
  readonly mode: number;
  /** Ids of its owner and its group. */
  readonly uid: number;
  readonly gid: number;
  /** Names the file has; above 1 it is one file in several places. */
  readonly names: number;
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
    if (!found.isFile()) return notRegularFailure(path);
    return { mode: found.mode & 0o7777, uid: found.uid, gid: found.gid, names: found.nlink };
  } catch (error) {
    if (fsCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** A path that names what is read and written by turns, or never ends. */
export const notRegularFailure = (path: string): ToolFailure =>
  failure(`${path} is no regular file but a device, a pipe or a socket.`);
