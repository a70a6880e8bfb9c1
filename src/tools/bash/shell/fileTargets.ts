import type { PathTarget, RuleTarget, UnparsedTarget } from '../../../contract/permissions.js';
import type { Folders, PathResolver, ShellPlace } from './directories.js';
import type { FileArgument } from './fileWords.js';
import { isNowhere } from './redirects.js';
import type { ShellWord } from './syntax.js';
import { opennessOf, staticValue } from './values.js';
import type { TextFacts } from './variables.js';

const unknownPath = (access: 'read' | 'edit'): UnparsedTarget => ({
  type: 'unparsed',
  reason: `a path to ${access} that is only known when it runs`,
});

/** Makes the targets of words that name files. */
export class FileReader {
  readonly #facts: TextFacts;
  readonly #paths: PathResolver;
  readonly #expand: ShellPlace['expand'];

  constructor(facts: TextFacts, paths: PathResolver, { expand }: ShellPlace) {
    this.#facts = facts;
    this.#paths = paths;
    this.#expand = expand;
  }

  targets({ access, word, below }: FileArgument, folders: Folders): readonly RuleTarget[] {
    const value = staticValue(word);
    // Links that mean something else in the process that reads them.
    if (/^\/proc\/(self|thread-self|\d+)\//.test(value ?? '')) return [unknownPath(access)];
    if (value === '' || isNowhere(value ?? '')) return [];
    // `find` and `xargs` put names in its place.
    if (value?.includes('{}')) return [unknownPath(access)];
    const paths = this.#pathsOf(word, access, folders);
    if (paths !== undefined) {
      const mark = below === true ? { below } : undefined;
      return paths.map(
        (path): PathTarget => ({ type: 'path', access, paths: this.#paths.named(path), ...mark }),
      );
    }
    return access === 'edit' || this.#isOwnMaking(word, folders) ? [unknownPath(access)] : [];
  }

  #pathsOf(word: ShellWord, access: 'read' | 'edit', folders: Folders): readonly string[] | undefined {
    if (!word.pieces.some((piece) => this.#isPattern(piece))) return this.#paths.absolute(word, folders);
    const pieces = word.pieces.map((piece) =>
      piece.type === 'pattern' ? ({ type: 'literal', value: piece.text, quoted: false } as const) : piece,
    );
    const patterns = this.#paths.absolute({ ...word, pieces }, folders);
    const found = patterns?.map((pattern) => this.#expand?.(pattern));
    if (found?.every((each) => each !== undefined)) return found.flat();
    // Read rules are compared with the pattern itself where nobody can say what it stands for. With letters left
    // out of a name, or folders, it may be anything.
    return access === 'read' && patterns?.every((pattern) => !/[*?[].*\/|\/\.[^/]*[*?[]/.test(pattern))
      ? patterns
      : undefined;
  }

  #isPattern(piece: ShellWord['pieces'][number]): boolean {
    return piece.type === 'pattern' || (piece.type === 'variable' && this.#facts.patterned.has(piece.name));
  }

  /** Whether the text itself makes the word what it is, so that it may be anything. */
  #isOwnMaking(word: ShellWord, folders: Folders): boolean {
    if (folders === undefined && opennessOf(word) === 'static') return true;
    return word.pieces.some(
      (piece) =>
        piece.type === 'computed' ||
        (piece.type === 'variable' && this.#facts.variables.has(piece.name)) ||
        this.#isPattern(piece),
    );
  }
}
