import { runningSubcommands } from './names.js';
import type { ShellWord } from './syntax.js';
import {
  looseText,
  opennessOf,
  possibleValues,
  ruleText,
  staticValue,
  type VariableValues,
} from './values.js';

/** Longer ends are cut: a deny rule that looks this far into the words of a wrapped command is not known. */
const MAX_TAIL_CHARS = 1000;
const MAX_RESOLVED = 16;

const join = (words: readonly ShellWord[], text: (word: ShellWord) => string): string =>
  words.map(text).join(' ');

/** A program's name without the folder it is called from. */
export const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** The texts under which deny and ask rules find a command: with and without quotes, folder, and options before the subcommand. */
export const formsOf = (words: readonly ShellWord[], variables: VariableValues): readonly string[] => {
  const texts = [join(words, (word) => word.text), join(words, ruleText), join(words, looseText)];
  texts.push(...resolved(words, variables));
  return [...new Set(texts.flatMap((text) => [text, ...plainer(text)]))];
};

const resolved = (words: readonly ShellWord[], variables: VariableValues): readonly string[] => {
  let texts: readonly string[] = [''];
  for (const word of words) {
    const values = possibleValues(word, variables) ?? [word.text];
    texts = texts.flatMap((text) => values.map((value) => `${text} ${value}`));
    if (texts.length > MAX_RESOLVED) return [];
  }
  return texts.map((text) => text.trim().replace(/\s+/g, ' '));
};

const gitOption =
  /^git +(?:(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix)) +\S+|-\S+) */;

const plainer = (text: string): readonly string[] => {
  const [, first = '', rest = ''] = /^(\S*)([\s\S]*)$/.exec(text) ?? [];
  const based = baseName(first) + rest;
  const texts = based === text ? [] : [based];
  let bare = based;
  while (gitOption.test(bare)) bare = bare.replace(gitOption, 'git ');
  return bare === based ? texts : [...texts, bare];
};

/** The ends of a command that may be commands themselves, from a place on, at most so many. */
export const tailsOf = (
  words: readonly ShellWord[],
  from: number,
  most: number,
): readonly (readonly ShellWord[])[] =>
  words.slice(from, from + most).map((_, index) => words.slice(from + index));

/** Forms of an end of a command. */
export const tailForms = (tail: readonly ShellWord[]): readonly string[] => {
  const texts = [join(tail, ruleText), join(tail, looseText)].map((text) => text.slice(0, MAX_TAIL_CHARS));
  return texts.flatMap((text) => [text, ...plainer(text)]);
};

const messages = /^(-m|--message|--title|--body|--notes|-b|-t|-n|-C)$/;

/**
 * Whether unknown words may make another command of it than its beginning says.
 *
 * `subcommand`: they may be what says what it does. `arguments`: they may be options, or its only argument.
 */
export const openWords = (words: readonly ShellWord[]): 'none' | 'arguments' | 'subcommand' => {
  const name = words[0] === undefined ? '' : baseName(staticValue(words[0]) ?? '');
  const hasSubcommands = runningSubcommands(name) !== undefined;
  let seen = 0;
  let ended = false;
  for (const [index, word] of words.entries()) {
    const value = knownValue(word);
    if (index === 0 || ended) continue;
    const before = words[index - 1];
    const isValue =
      index > 1 && before !== undefined && messages.test(staticValue(before) ?? '') && isOneWord(word);
    if (value === '--') ended = true;
    else if (value !== undefined) seen += isValue || value.startsWith('-') ? 0 : 1;
    else if (isValue && (seen > 0 || staticValue(before as ShellWord) === '-C')) continue;
    else if (hasSubcommands && seen === 0) return 'subcommand';
    else if (
      (opennessOf(word) === 'open' || staticValue(word) !== undefined) &&
      (hasSubcommands || seen === 0)
    )
      return 'arguments';
  }
  return 'none';
};

/** `find` and `xargs` put what they find in the place of `{}`. */
const knownValue = (word: ShellWord): string | undefined => {
  const value = staticValue(word);
  return value?.includes('{}') ? undefined : value;
};

/** Whether a word stays one word, whatever its unknown parts become. */
export const isOneWord = ({ pieces }: ShellWord): boolean =>
  pieces.every((piece) => piece.type === 'literal' || ('quoted' in piece && piece.quoted));
