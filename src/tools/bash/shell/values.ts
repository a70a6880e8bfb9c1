import type { ShellWord } from './syntax.js';

/** What a word certainly is when the command runs; `undefined` where that is only known then. */
export const staticValue = ({ pieces }: ShellWord): string | undefined => {
  let value = '';
  for (const piece of pieces) {
    if (piece.type === 'literal') value += piece.value;
    // A program's name or an option never starts so; whoever wants the path asks `possibleValues`.
    else if (piece.type === 'home') value += '~';
    else return undefined;
  }
  return value;
};

/** A word as rules write it: without quotes where it needs none, else as it stands in the text. */
export const ruleText = (word: ShellWord): string => {
  const value = staticValue(word);
  return value !== undefined && /^[\w@%+:,./=^~-]+$/.test(value) ? value : word.text;
};

/** A word without any quotes, for looking for what is denied. */
export const looseText = (word: ShellWord): string => staticValue(word) ?? word.text;

/**
 * How much the unknown part of a word may become.
 *
 * `value`: one word, or file names, that are certain to be no option and no subcommand. `open`: anything, or nothing.
 */
export const opennessOf = (word: ShellWord): 'static' | 'value' | 'open' => {
  if (staticValue(word) !== undefined) return 'static';
  const [first] = word.pieces;
  if (word.pieces.some((piece) => (piece.type === 'variable' || piece.type === 'computed') && !piece.quoted))
    return 'open';
  if (first?.type === 'home') return 'value';
  if (first?.type === 'literal' && first.value !== '') return first.value.startsWith('-') ? 'open' : 'value';
  // `*.ts` can't become an option that a program knows; `*` can.
  return first?.type === 'pattern' && word.pieces.some(isEnding) ? 'value' : 'open';
};

const isEnding = (piece: ShellWord['pieces'][number]): boolean =>
  piece.type === 'literal' && /[./]\w/.test(piece.value);

/** What is known of variables: the values a text may give them; `undefined` where one of these is unknown. */
export interface VariableValues {
  readonly get: (name: string) => readonly string[] | undefined;
  readonly has: (name: string) => boolean;
}

const MAX_VALUES = 16;

/** Every value a word may have, where its variables hold nothing but what the text itself gives them. */
export const possibleValues = (
  { pieces }: ShellWord,
  variables: VariableValues,
): readonly string[] | undefined => {
  let values: readonly string[] = [''];
  for (const piece of pieces) {
    const choices = choicesOf(piece, variables);
    if (choices === undefined) return undefined;
    values = values.flatMap((value) => choices.map((choice) => value + choice));
    if (values.length > MAX_VALUES) return undefined;
  }
  return values;
};

const choicesOf = (
  piece: ShellWord['pieces'][number],
  variables: VariableValues,
): readonly string[] | undefined => {
  if (piece.type === 'literal') return [piece.value];
  if (piece.type === 'home') return ['~'];
  return piece.type === 'variable' ? variables.get(piece.name) : undefined;
};
