import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Windows has no such flag, and no pipes in its folders. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/**
 * Opens a regular file to read; `undefined` where the path names something else.
 *
 * Never waits: to open a pipe is to wait for its writer, to read a device may be to read for ever. What the path
 * names is asked of the open file, since it may have been exchanged after an earlier look.
 *
 * @throws what the file system reports
 */
export const openRegularFile = async (path: string): Promise<FileHandle | undefined> => {
  const file = await open(path, constants.O_RDONLY | NON_BLOCKING);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
};

/** Bytes read at a time: between two of them a stop is heard. */
const PIECE_BYTES = 1_000_000;

/**
 * The bytes of a regular file of at most `maxBytes`, or why it was not read.
 *
 * @throws what the file system reports, and `ABORT_ERR` when the signal is aborted
 */
export const readRegularFile = async (
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | 'large' | 'not-regular'> => {
  const file = await openRegularFile(path);
  if (file === undefined) return 'not-regular';
  try {
    const { size } = await file.stat();
    return size > maxBytes ? 'large' : await readUpTo(file, size, maxBytes, signal);
  } finally {
    await file.close();
  }
};

/** Counts what it reads: files of the kernel say that they are empty, and some of those never end. */
const readUpTo = async (
  file: FileHandle,
  size: number,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer | 'large'> => {
  // One byte more than it should have, so that its end is seen without a larger buffer.
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    if (signal?.aborted === true) throw Object.assign(new Error('stopped'), { code: 'ABORT_ERR' });
    const { bytesRead } = await file.read(buffer, length, Math.min(PIECE_BYTES, buffer.length - length));
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return 'large';
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length + 1024);
  }
};
