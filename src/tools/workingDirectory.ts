import { isAbsolute, normalize } from 'node:path';
import { InvalidOptionError } from '../contract/index.js';

/** Options every file tool takes. */
export interface ToolOptions {
  /** Absolute folder that relative paths are taken from. */
  readonly cwd: string;
}

/** Options of the tools that read. */
export interface ReadingOptions extends ToolOptions {
  /** Absolute folders beside `cwd` that are read without asking. Default none. */
  readonly additionalDirectories?: readonly string[];
}

/** Options of the tools that search folders. */
export interface SearchOptions extends ReadingOptions {
  /**
   * Whether a search leaves out a file or folder, by absolute path; asked for its real path too. A throw hides it.
   * `root` is where the call searches. Default: nothing is left out. `hiddenBy` makes one of permission rules.
   */
  readonly isHidden?: (path: string, root: string) => boolean;
}

/**
 * Checks a tool's working directory; whether it exists is told by the call that needs it.
 *
 * @throws InvalidOptionError where it is not absolute: it would move with the program's own.
 */
export const workingDirectory = (cwd: string): string => absoluteFolder('cwd', cwd);

/** @throws InvalidOptionError where one is not absolute. */
export const readingFolders = ({ cwd, additionalDirectories = [] }: ReadingOptions): readonly string[] => [
  workingDirectory(cwd),
  ...additionalDirectories.map((folder, at) => absoluteFolder(`additionalDirectories[${at}]`, folder)),
];

const absoluteFolder = (option: string, folder: string): string => {
  if (typeof folder === 'string' && isAbsolute(folder)) return normalize(folder);
  throw new InvalidOptionError(option, 'an absolute path', folder);
};
