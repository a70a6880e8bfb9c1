import { isAbsolute, normalize } from 'node:path';
import { InvalidOptionError } from '../contract/index.js';

/** Options every file tool takes. */
export interface ToolOptions {
  /** Absolute folder that relative paths are taken from. */
  readonly cwd: string;
}

/**
 * Checks a tool's working directory; whether it exists is told by the call that needs it.
 *
 * @throws InvalidOptionError where it is not absolute: it would move with the program's own.
 */
export const workingDirectory = (cwd: string): string => {
  if (typeof cwd !== 'string' || !isAbsolute(cwd))
    throw new InvalidOptionError('cwd', 'an absolute path', cwd);
  return normalize(cwd);
};
