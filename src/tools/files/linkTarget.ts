import { readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fsCode } from './fsErrors.js';

/** Links followed one after another; the system's own limit. */
const MAX_LINKS = 40;

/**
 * The path a file really has or would have: symbolic links are followed, also one that leads to nothing yet.
 *
 * @throws `ELOOP` where the links go round in a circle
 */
export const linkTarget = async (path: string): Promise<string> => {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await realpath(target);
    } catch (error) {
      if (fsCode(error) !== 'ENOENT') throw error;
    }
    const next = await linkedTo(target);
    if (next === undefined) return target;
    // A link is read from the folder it really is in, which a link to that folder is not.
    target = resolve(await realpath(dirname(target)), next);
  }
  throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
};

const linkedTo = async (path: string): Promise<string | undefined> => {
  try {
    return await readlink(path);
  } catch (error) {
    // Nothing there, or no link.
    if (fsCode(error) === 'ENOENT' || fsCode(error) === 'EINVAL') return undefined;
    throw error;
  }
};
