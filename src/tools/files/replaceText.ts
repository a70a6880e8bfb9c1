import { positionsOf } from './positions.js';

/** One place that was replaced, by lines of the new text. */
export interface ChangedLines {
  /** From 1. */
  readonly first: number;
  readonly last: number;
}

export interface Replaced {
  readonly text: string;
  readonly changes: readonly ChangedLines[];
}

/** Characters of a part that `indexOf` looks for: the worst it can take is their number times the text. */
const SHORT = 64;

/** Where `part` starts in `text`, without overlaps; at most `most` places. */
export const occurrences = (text: string, part: string, most = Number.POSITIVE_INFINITY): number[] => {
  if (part.length > SHORT) {
    const codes = Array.from({ length: part.length }, (_, index) => part.charCodeAt(index));
    return positionsOf(text.length, (index) => text.charCodeAt(index), codes, most);
  }
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found.push(at);
    if (found.length === most) break;
  }
  return found;
};

/** The number, from 1, of the line each of these ascending positions is on; one pass over the text. */
export const lineNumbers = (text: string, positions: readonly number[]): number[] => {
  let line = 1;
  let newline = text.indexOf('\n');
  return positions.map((position) => {
    while (newline >= 0 && newline < position) {
      line++;
      newline = text.indexOf('\n', newline + 1);
    }
    return line;
  });
};

/** Replaces `part` at these places, literally: `$&` and the like mean nothing. */
export const replaceAt = (
  text: string,
  part: string,
  replacement: string,
  positions: readonly number[],
): Replaced => {
  const pieces: string[] = [];
  const starts: number[] = [];
  let from = 0;
  let length = 0;
  for (const position of positions) {
    const kept = text.slice(from, position);
    pieces.push(kept, replacement);
    starts.push(length + kept.length);
    length += kept.length + replacement.length;
    from = position + part.length;
  }
  const result = pieces.join('') + text.slice(from);
  const first = lineNumbers(result, starts);
  // The end of a replacement is the line its last character is on; a line end at its end starts no line of it.
  const last = lineNumbers(
    result,
    starts.map((start) => start + Math.max(0, replacement.length - 1)),
  );
  return { text: result, changes: first.map((line, index) => ({ first: line, last: last[index] ?? line })) };
};

/** Gives a text the line ends of a file that has only CRLF: models write LF. */
export const withLineEndsOf = (file: string, text: string): string =>
  /\r\n/.test(file) && !/(^|[^\r])\n/.test(file) ? text.replace(/\r?\n/g, '\r\n') : text;
