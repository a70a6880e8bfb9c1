import { statSync } from 'node:fs';
import type { ProcessGroupOptions, ProcessNotStarted } from './processEvents.js';

/** Says in words why a process could not be started. */
export const describeStartError = (error: unknown, options: ProcessGroupOptions): ProcessNotStarted => {
  const code = codeOf(error);
  return { type: 'not-started', code, message: reason(code, error, options) };
};

const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'UNKNOWN';
};

const reason = (code: string, error: unknown, { command, cwd }: ProcessGroupOptions): string => {
  // The system says ENOENT or ENOTDIR for a missing folder as for a missing program, and names the program.
  if (!isFolder(cwd)) return `The working directory ${cwd} does not exist or is no directory.`;
  switch (code) {
    case 'ENOENT':
      return `The program ${command} was not found.`;
    case 'EACCES':
      return `The program ${command} or the directory ${cwd} may not be used: permission denied.`;
    case 'E2BIG':
      return 'The command and its environment are longer than the system allows. Put long text into a file.';
    case 'EMFILE':
    case 'ENFILE':
      return 'The system has no file handles left to start a process with.';
    case 'EAGAIN':
    case 'ENOMEM':
      return 'The system has no room left for another process.';
    case 'ERR_INVALID_ARG_VALUE':
      return 'The command holds a NUL character, which no program can be given.';
    default:
      return `The program ${command} could not be started: ${error instanceof Error ? error.message : code}.`;
  }
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
