import { posix } from 'node:path';
import { allNodes, type ShellNode, type ShellWord, type SimpleCommand } from './syntax.js';
import { possibleValues, staticValue, type VariableValues } from './values.js';

/** Folders, and what is known of the disk; all paths with `/` between segments. */
export interface ShellPlace {
  /** Absolute folder the text starts in. */
  readonly cwd: string;
  /** Absolute; what `~` and `$HOME` stand for. Paths that need it are unknown without it. */
  readonly home?: string;
  /** The path without links in it, for an absolute one that may still hold `..`; `undefined` where there is none. */
  readonly realPath?: (path: string) => string | undefined;
  /** The paths that match an absolute shell pattern; `undefined` where they can't be told. */
  readonly expand?: (pattern: string) => readonly string[] | undefined;
}

/** Where a command may run: one of these folders; `undefined` where nothing is known. */
export type Folders = readonly string[] | undefined;

const MAX_FOLDERS = 16;

/** One or the other. */
export const either = (one: Folders, other: Folders): Folders => {
  if (one === undefined || other === undefined) return undefined;
  const both = [...new Set([...one, ...other])];
  return both.length > MAX_FOLDERS ? undefined : both;
};

const moves = /^(cd|pushd|popd)$/;

/** The name of the builtin or program, where `builtin` and `command` stand before it too. */
const moverOf = ({
  words,
}: SimpleCommand): { readonly name: string; readonly args: readonly ShellWord[] } => {
  const at = words.findIndex((word) => !/^(builtin|command|--|-p)$/.test(staticValue(word) ?? ''));
  const word = words[at];
  return { name: (word === undefined ? undefined : staticValue(word)) ?? '', args: words.slice(at + 1) };
};

/** Whether anything below a node changes the folder. */
export const hasMoves = (node: ShellNode): boolean => {
  for (const each of allNodes(node))
    if (each.type === 'simple' && moves.test(moverOf(each).name)) return true;
  return false;
};

/** Resolves words to absolute paths, by what is known of folders and variables. */
export class PathResolver {
  readonly #place: ShellPlace;
  readonly #variables: VariableValues;

  constructor(place: ShellPlace, variables: VariableValues) {
    this.#place = place;
    this.#variables = variables;
  }

  /** Where a command leaves the shell, if it succeeds. */
  after(command: SimpleCommand, folders: Folders): Folders {
    const { name, args } = moverOf(command);
    if (!moves.test(name)) return folders;
    const operands = args.filter((arg) => !/^-[LPe@]+$|^--$/.test(staticValue(arg) ?? ''));
    const [target] = operands;
    if (this.#variables.has('CDPATH')) return undefined;
    if (target === undefined) {
      const { home } = this.#place;
      return name === 'cd' && home !== undefined ? [home] : undefined;
    }
    if (/^[-+]/.test(staticValue(target) ?? '-') && !this.#isPath(target)) return undefined;
    return this.absolute(target, folders);
  }

  #isPath(word: ShellWord): boolean {
    const [first] = word.pieces;
    return first?.type === 'home' || first?.type === 'variable';
  }

  /** Every absolute path a word may name, not yet normalised; `undefined` where it can't be told. */
  absolute(word: ShellWord, folders: Folders): Folders {
    const { home } = this.#place;
    const isHome = word.pieces[0]?.type === 'home';
    if (isHome && home === undefined) return undefined;
    const rest = isHome ? { ...word, pieces: word.pieces.slice(1) } : word;
    const values = possibleValues(rest, this.#known(folders));
    if (values === undefined) return undefined;
    if (isHome) return values.map((value) => home + value);
    const relative = values.filter((value) => !value.startsWith('/'));
    if (relative.length > 0 && folders === undefined) return undefined;
    const joined = relative.flatMap((value) => (folders ?? []).map((folder) => `${folder}/${value}`));
    return [...values.filter((value) => value.startsWith('/')), ...joined];
  }

  #known(folders: Folders): VariableValues {
    const { home } = this.#place;
    return {
      has: (name) => this.#variables.has(name),
      get: (name) => {
        if (this.#variables.has(name)) return this.#variables.get(name);
        if (name === 'HOME') return home === undefined ? undefined : [home];
        return name === 'PWD' ? folders : undefined;
      },
    };
  }

  /** The paths of a target: as named, and without links. */
  named(path: string): readonly string[] {
    const plain = posix.normalize(path).replace(/(.)\/$/, '$1');
    const real = this.#place.realPath?.(path);
    return real === undefined || real === plain ? [plain] : [plain, real];
  }
}
