import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';

/** Steps up and along links; more is a circle. */
const MAX_STEPS = 100;

/**
 * The path without links in it that an absolute path has, or would have once the file is made; `undefined` where it
 * can't be told. `..` after a link leads out of the folder the link names, so it is never folded away beforehand.
 */
export const realPath = (path: string, steps = MAX_STEPS): string | undefined => {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || steps === 0) return undefined;
  }
  const name = basename(path);
  if (name === '..' || dirname(path) === path) return undefined;
  const folder = realPath(dirname(path), steps - 1);
  if (folder === undefined) return undefined;
  const link = linkAt(join(folder, name));
  return link === undefined
    ? join(folder, name)
    : realPath(isAbsolute(link) ? link : `${folder}/${link}`, steps - 1);
};

const linkAt = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};
