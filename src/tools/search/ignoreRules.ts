import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

interface RuleFile {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * The ignore files that hold in a folder: its own `.gitignore` and those above it.
 *
 * Immutable; each folder of a walk derives its own from that of its parent.
 */
export class IgnoreRules {
  /** The nearest last. */
  readonly #files: readonly RuleFile[];

  constructor(files: readonly RuleFile[] = []) {
    this.#files = files;
  }

  /** With the ignore file of a folder, where it has one. */
  async within(folder: string): Promise<IgnoreRules> {
    const text = await readText(join(folder, '.gitignore'));
    if (text === undefined) return this;
    // git compares letters as they are; the package does not unless told to.
    const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
    return new IgnoreRules([...this.#files, { folder, rules }]);
  }

  /** Whether a path is left out: the nearest file that has a rule for it decides. */
  ignores(path: string, isFolder: boolean): boolean {
    for (let index = this.#files.length - 1; index >= 0; index--) {
      const { folder, rules } = this.#files[index] as RuleFile;
      const inside = relative(folder, path).split(sep).join('/');
      const { ignored, unignored } = rules.test(isFolder ? `${inside}/` : inside);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /**
   * The rules a walk begins with: those of the folders from `top` down to above `root`.
   *
   * Who asks for an ignored folder by its name wants it, so then the rules above do not hold.
   */
  static async above(root: string, top: string): Promise<IgnoreRules> {
    const inside = relative(top, root);
    if (inside === '' || inside.startsWith('..')) return new IgnoreRules();
    const folders = inside.split(sep).map((_, index, names) => join(top, ...names.slice(0, index + 1)));
    let rules = new IgnoreRules();
    for (const folder of folders) {
      rules = await rules.within(dirname(folder));
      if (rules.ignores(folder, true)) return new IgnoreRules();
    }
    return rules;
  }
}

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // None, or one that may not be read: then it can't be honoured.
    return undefined;
  }
};
