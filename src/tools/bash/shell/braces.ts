import type { ShellWord, WordPiece } from './syntax.js';

const MAX_WORDS = 64;
const plain = /^[\w.\-/:@%+,{}]*$/;

/** What a brace expansion without quotes and expansions stands for; `undefined` where that is not so or too much. */
export const braceAlternatives = (text: string): readonly string[] | undefined => {
  if (!plain.test(text) || !text.startsWith('{') || !text.endsWith('}')) return undefined;
  const inner = text.slice(1, -1);
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(inner);
  if (range !== null) return numbers(Number(range[1]), Number(range[2]), inner);
  const parts = splitOnCommas(inner);
  if (parts === undefined || parts.length < 2) return undefined;
  const all = parts.map(expandText);
  if (!all.every((each) => each !== undefined)) return undefined;
  const words = all.flat();
  return words.length > MAX_WORDS ? undefined : words;
};

// `{01..10}` pads with zeros; that is more than anybody needs to know here.
const numbers = (from: number, to: number, inner: string): readonly string[] | undefined => {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_WORDS || /(^|\.|-)0\d/.test(inner)) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: count }, (_, index) => String(from + index * step));
};

const splitOnCommas = (inner: string): readonly string[] | undefined => {
  const parts = [''];
  let depth = 0;
  for (const char of inner) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth < 0) return undefined;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return depth === 0 ? parts : undefined;
};

const expandText = (part: string): readonly string[] | undefined => {
  const open = part.indexOf('{');
  if (open === -1) return part.includes('}') ? undefined : [part];
  const close = part.lastIndexOf('}');
  const middle = braceAlternatives(part.slice(open, close + 1));
  const ends = expandText(part.slice(close + 1));
  if (middle === undefined || ends === undefined) return undefined;
  return middle.flatMap((each) => ends.map((end) => part.slice(0, open) + each + end));
};

/** A word before its braces are taken apart. */
export type BracedPiece = WordPiece | { readonly type: 'braces'; readonly alternatives: readonly string[] };

/** The words a word with braces becomes. */
export const expandBraces = (text: string, pieces: readonly BracedPiece[]): readonly ShellWord[] => {
  let words: readonly (readonly WordPiece[])[] = [[]];
  for (const piece of pieces) {
    const choices: readonly WordPiece[] =
      piece.type === 'braces'
        ? piece.alternatives.map((value) => ({ type: 'literal', value, quoted: false }))
        : [piece];
    words = words.flatMap((word) => choices.map((choice) => [...word, choice]));
    if (words.length > MAX_WORDS) return [{ text, pieces: [{ type: 'computed', quoted: false }] }];
  }
  if (words.length === 1) return [{ text, pieces: words[0] ?? [] }];
  return words.map((word) => ({ text: word.map(pieceText).join(''), pieces: word }));
};

const pieceText = (piece: WordPiece): string => {
  if (piece.type === 'literal') return piece.value;
  if (piece.type === 'pattern') return piece.text;
  if (piece.type === 'home') return '~';
  return piece.type === 'variable' ? `$${piece.name}` : '$(…)';
};
