import { dirname, join, relative, sep } from 'node:path';
import { readRegularFile } from '../files/regularFile.js';
import { type IgnoreRule, readRules } from './gitignoreRules.js';
import type { TimeSlice } from './timeSlice.js';

/** Bytes; a larger ignore file does not hold. */
const MAX_BYTES = 1_000_000;

interface RuleFile {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
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
  async within(folder: string, slice: TimeSlice): Promise<IgnoreRules> {
    const text = await readText(join(folder, '.gitignore'));
    const rules = text === undefined ? undefined : await readRules(text, slice);
    return rules === undefined ? this : new IgnoreRules([...this.#files, { folder, rules }]);
  }

  /**
   * Whether a path is left out: of the nearest file that has a rule for it, the last such rule decides.
   *
   * Asked of a path whose folder is not left out, for nothing below one that is can be taken back.
   */
  ignores(path: string, isFolder: boolean): boolean {
    for (let index = this.#files.length - 1; index >= 0; index--) {
      const { folder, rules } = this.#files[index] as RuleFile;
      const rule = lastMatch(rules, relative(folder, path).split(sep).join('/'), isFolder);
      if (rule !== undefined) return !rule.negated;
    }
    return false;
  }

  /**
   * The rules a walk begins with: those of the folders from `top` down to above `root`.
   *
   * Who asks for an ignored folder by its name wants it, so then the rules above do not hold.
   */
  static async above(root: string, top: string, slice: TimeSlice): Promise<IgnoreRules> {
    const inside = relative(top, root);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) return new IgnoreRules();
    const folders = inside.split(sep).map((_, index, names) => join(top, ...names.slice(0, index + 1)));
    let rules = new IgnoreRules();
    for (const folder of folders) {
      rules = await rules.within(dirname(folder), slice);
      if (rules.ignores(folder, true)) return new IgnoreRules();
    }
    return rules;
  }
}

const lastMatch = (rules: readonly IgnoreRule[], path: string, isFolder: boolean): IgnoreRule | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index] as IgnoreRule;
    if ((isFolder || !rule.foldersOnly) && rule.matches(rule.nameOnly ? name : path)) return rule;
  }
  return undefined;
};

const readText = async (path: string): Promise<string | undefined> => {
  try {
    const bytes = await readRegularFile(path, MAX_BYTES);
    return typeof bytes === 'string' ? undefined : bytes.toString('utf8');
  } catch {
    // None, or one that may not be read: then it can't be honoured.
    return undefined;
  }
};
