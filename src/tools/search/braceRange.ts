import type { GlobToken } from './globTokens.js';

export interface BraceRange {
  readonly count: number;
  /** Makes the values; ask for the count first. */
  readonly list: () => readonly string[];
}

/** What stands between the braces of `{1..9}`, `{01..10}`, `{a..e}`, `{0..100..10}`; `undefined` if it is no range. */
export const braceRange = (inside: readonly GlobToken[]): BraceRange | undefined => {
  if (!inside.every((token) => token.type === 'literal')) return undefined;
  const text = inside.map((token) => token.text).join('');
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?$/.exec(text);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.-?(\d{1,9}))?$/.exec(text);
  const [, first, last, step] = numbers ?? letters ?? [];
  if (first === undefined || last === undefined) return undefined;
  const by = Math.max(1, Number(step ?? 1));
  if (numbers === null)
    return steps(first.charCodeAt(0), last.charCodeAt(0), by, (code) => String.fromCharCode(code));
  // A leading zero asks for numbers of one width.
  const padded = /^-?0\d/.test(first) || /^-?0\d/.test(last);
  const width = padded ? Math.max(first.length, last.length) : 0;
  return steps(Number(first), Number(last), by, (value) => written(value, width));
};

const steps = (first: number, last: number, by: number, write: (value: number) => string): BraceRange => {
  const count = Math.floor(Math.abs(last - first) / by) + 1;
  const sign = last < first ? -1 : 1;
  return { count, list: () => Array.from({ length: count }, (_, index) => write(first + sign * by * index)) };
};

const written = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
