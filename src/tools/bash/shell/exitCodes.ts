import { parseShell } from './parse.js';
import { allNodes, type ShellNode, type SimpleCommand, simpleCommands } from './syntax.js';
import { staticValue } from './values.js';
import { factsOf } from './variables.js';
import { peelAll } from './wrappers.js';

/** What an exit code says: all well, an answer that is no (nothing found, not equal, not so), or a failure. */
export type ExitCodeMeaning = 'ok' | 'no-match' | 'error';

/** How the shell begins. */
export interface ShellPresets {
  /** Its environment sets options (`SHELLOPTS`), or names a file that may (`BASH_ENV`, `ENV`). Default no. */
  readonly preset?: boolean;
}

const answering = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'diff',
  'cmp',
  'test',
  '[',
  'pgrep',
  'zgrep',
]);

/**
 * What the exit code of a Bash text says.
 *
 * 1 is no error where it is certain to be the answer of a program that answers with it: the text is that command
 * alone, or ends with it and nothing can have ended it sooner (`set -e`, `pipefail`, `exit`). With `!` before it, or
 * after `&&` and `||`, nobody can tell whose code it is.
 */
export const exitCodeMeaning = (text: string, code: number, settings: ShellPresets = {}): ExitCodeMeaning => {
  if (code === 0) return 'ok';
  return code === 1 && answeringCommand(text, settings) !== undefined ? 'no-match' : 'error';
};

/** The program whose exit code 1 would be an answer, as a person calls it: `grep`, `git diff`; else `undefined`. */
export const answeringCommand = (text: string, { preset = false }: ShellPresets = {}): string | undefined => {
  const shell = parseShell(text);
  if (shell.type === 'unparsed') return undefined;
  const { functions, changesNames } = factsOf(shell);
  if (shell.hazards.length > 0 || functions.size > 0 || changesNames || endsSooner(shell.root))
    return undefined;
  if (preset && [...simpleCommands(shell.root)].length > 1) return undefined;
  const last = lastCommand(shell.root);
  return last === undefined ? undefined : typeof last === 'string' ? last : answerer(last);
};

/** `set -e`, `exit` and their like may give the text the exit code of any command. */
const endsSooner = (root: ShellNode): boolean => {
  for (const node of allNodes(root)) {
    if (node.type !== 'simple') continue;
    const names = peelAll(node.words).layers.map(([word]) =>
      word === undefined ? '' : (staticValue(word) ?? 'eval'),
    );
    if (
      names.some((name) =>
        /^(set|exit|return|exec|eval|source|\.|trap|shopt|logout|kill|break|continue)$/.test(name),
      )
    )
      return true;
  }
  return false;
};

/** The last command of a list or pipe, whose code the whole text has. */
const lastCommand = (node: ShellNode | undefined): SimpleCommand | '[[' | undefined => {
  switch (node?.type) {
    case 'simple':
      // An unset variable or a bad expansion ends with 1 too, but before the command has run.
      return node;
    case 'sequence': {
      const last = node.items.at(-1);
      return last === undefined || last.background ? undefined : lastCommand(last.node);
    }
    case 'pipeline':
      return node.negated ? undefined : lastCommand(node.nodes.at(-1));
    case 'compound':
      return node.kind === 'test' ? '[[' : undefined;
    default:
      return undefined;
  }
};

const answerer = (command: SimpleCommand): string | undefined => {
  // A file that can't be opened makes it 1 as well.
  if (command.redirects.some(({ target }) => !/^\/dev\/null$/.test(target.text))) return undefined;
  const [first, ...args] = peelAll(command.words).peeled.map(staticValue);
  if (first === undefined) return undefined;
  if (answering.has(first)) return first;
  if (first === 'command' && /^-[vV]$/.test(args[0] ?? '')) return 'command -v';
  if (first === 'which') return 'which';
  return first === 'git' ? answeringGit(args) : undefined;
};

const answeringGit = (args: readonly (string | undefined)[]): string | undefined => {
  const [name = '', ...others] = args[0] === '--no-pager' ? args.slice(1) : args;
  const asks =
    name === 'diff' ||
    name === 'grep' ||
    name === 'check-ignore' ||
    (name === 'merge-base' && others.includes('--is-ancestor')) ||
    (name === 'config' && /^--get/.test(others[0] ?? ''));
  return asks ? `git ${name}` : undefined;
};
