import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isBelow } from '../../permissions/folders.js';
import { realPath } from '../bash/realPath.js';
import { readingFolders, type SearchOptions } from '../workingDirectory.js';

/** What a search may look at: nothing hidden, and no link that leads out of what was asked for. */
export class Reach {
  readonly #isHidden: SearchOptions['isHidden'];
  readonly #realRoot: string;
  /** Real paths that links may lead to. */
  readonly #folders: readonly string[];

  /** @param root absolute path of the search */
  constructor(
    readonly root: string,
    options: SearchOptions,
  ) {
    this.#isHidden = options.isHidden;
    this.#realRoot = realPath(root) ?? root;
    this.#folders = [this.#realRoot, ...readingFolders(options).map((folder) => realPath(folder) ?? folder)];
  }

  /** Whether a file or folder may be told and looked into. */
  shows(path: string): boolean {
    if (this.#isHidden === undefined) return true;
    // Below the root no link to a folder is followed, so that the real path is known without a look at the disk.
    return !this.#hides(path) && !this.#hides(join(this.#realRoot, relative(this.root, path)));
  }

  /** Whether a link leads to a file that may be read: a link to a secret elsewhere would hand it out unasked. */
  async follows(link: string): Promise<boolean> {
    try {
      const real = await realpath(link);
      if (!(await stat(real)).isFile()) return false;
      return this.#folders.some((folder) => isBelow(real, folder)) && !this.#hides(real);
    } catch {
      return false;
    }
  }

  #hides(path: string): boolean {
    try {
      return this.#isHidden !== undefined && this.#isHidden(path, this.root) !== false;
    } catch {
      return true;
    }
  }
}
