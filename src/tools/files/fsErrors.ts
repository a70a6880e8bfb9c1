import { failure, type ToolFailure } from '../../contract/index.js';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is a file, not a directory',
  EEXIST: 'a part of its path is a file, not a directory',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'this program has too many files open',
  ENFILE: 'the system has too many files open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links go round in a circle',
  EFBIG: 'it would be too large for the file system',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is a program that runs',
  EIO: 'the disk reports an error',
  ABORT_ERR: 'it was asked to stop',
  ERR_INVALID_ARG_VALUE: 'the path holds a NUL character',
};

/** The code of an error the file system reports; `undefined` for every other. */
export const fsCode = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** A failure that says in words what could not be done with a file: `Could not read a.txt: permission denied.` */
export const fsFailure = (error: unknown, doing: string): ToolFailure => {
  const code = fsCode(error);
  // No error of the file system is a defect of the tool, and must be seen as one.
  if (code === undefined) throw error;
  return failure(`Could not ${doing}: ${words[code] ?? code}.`, { data: { code } });
};

/** Runs file work, and turns what the file system reports into a failure. */
export const withFsFailures = async <T>(
  doing: string,
  work: () => Promise<T | ToolFailure>,
): Promise<T | ToolFailure> => {
  try {
    return await work();
  } catch (error) {
    return fsFailure(error, doing);
  }
};
