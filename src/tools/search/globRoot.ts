import { isAbsolute, join } from 'node:path';

/** Where the walk for a glob pattern begins, and what is left of the pattern there. */
export interface GlobRoot {
  readonly root: string;
  /** `''` where the whole pattern is the path of a file or a folder. */
  readonly rest: string;
}

const hasMeaning = /[*?[\]{}\\]|[@+!]\(/;

/** Takes the folders a pattern begins with off it: `src/a/*.ts` is looked for in `src/a` alone. */
export const globRoot = (pattern: string, folder: string): GlobRoot => {
  // What is left out may be anywhere.
  if (pattern.startsWith('!')) return { root: folder, rest: pattern };
  const parts = pattern.split('/');
  const plain = parts.findIndex((part) => hasMeaning.test(part));
  const base = (plain < 0 ? parts : parts.slice(0, plain)).join('/');
  const left = plain < 0 ? '' : parts.slice(plain).join('/');
  // Only folders are meant by a slash at the end: all that is in them.
  const rest = left.endsWith('/') ? `${left}**` : left;
  // What stands before the first slash of an absolute path is nothing.
  const absolute = isAbsolute(pattern) ? `${base}/` : base;
  return { root: isAbsolute(absolute) ? join(absolute) : join(folder, absolute), rest };
};
