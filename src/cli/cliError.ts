/** What ends the command with a message for the person who called it, and no stack. */
export class CliError extends Error {
  constructor(
    message: string,
    /** Default 2: wrong usage, or a file that can't be used. */
    readonly exitCode = 2,
  ) {
    super(message);
    this.name = 'CliError';
  }
}

/** The system's word for why a file or folder can't be used. */
export const systemReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'not found';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'a part of the path is no folder';
    case 'ENOSPC':
      return 'no space left on the device';
    default:
      return message;
  }
};
