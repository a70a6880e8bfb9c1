import { cutLine } from '../files/lines.js';
import { readRegularFile } from '../files/regularFile.js';
import type { LinearPattern } from './linearPattern.js';
import type { TimeSlice } from './timeSlice.js';

/** Bytes; larger files are left out and counted. */
const MAX_BYTES = 10_000_000;
/** Characters of one line shown at most: a minified file is one line. */
const MAX_LINE_CHARS = 500;
/** Bytes decoded at a time, at least. */
const PIECE_BYTES = 256_000;
const LINE_END = 10;
/** Steps that the test of the longest line weighs. */
const LONGEST_WEIGHS = 1000;

/** Lines shown before and after each match. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** What a search needs of one file. */
export interface SearchedFile {
  readonly lines: readonly string[];
  /** Indices of the lines that match. */
  readonly found: readonly number[];
  /** Lines that are too long to be tested by this pattern. */
  readonly untested: number;
}

/** Searches a file line by line; or says why not. */
export const searchFile = async (
  path: string,
  pattern: LinearPattern,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<SearchedFile | 'binary' | 'large' | 'unreadable' | 'stopped'> => {
  try {
    // A pipe or a device may never end.
    const bytes = await readRegularFile(path, MAX_BYTES, signal);
    if (bytes === 'large') return bytes;
    if (bytes === 'not-regular') return 'unreadable';
    if (bytes.includes(0)) return 'binary';
    return await searchBytes(bytes, pattern, slice);
  } catch {
    return signal.aborted ? 'stopped' : 'unreadable';
  }
};

const searchBytes = async (
  bytes: Buffer,
  pattern: LinearPattern,
  slice: TimeSlice,
): Promise<SearchedFile | 'stopped'> => {
  const lines: string[] = [];
  const found: number[] = [];
  let untested = 0;
  for (const line of linesOf(bytes)) {
    if (line.length > pattern.maxChars) untested++;
    else if (pattern.test(line)) found.push(lines.length);
    lines.push(line);
    if (slice.isOver(1 + (LONGEST_WEIGHS * line.length) / pattern.maxChars) && !(await slice.next()))
      return 'stopped';
  }
  return { lines, found, untested };
};

/** The lines of a text, decoded piece by piece: all at once would hold up the event loop. */
function* linesOf(bytes: Buffer): Generator<string, void> {
  for (let from = 0; from < bytes.length; ) {
    // The byte of a line end is never a part of another character.
    const newline = bytes.indexOf(LINE_END, from + PIECE_BYTES);
    const end = newline < 0 ? bytes.length : newline + 1;
    yield* linesOfText(bytes.toString('utf8', from, end));
    from = end;
  }
}

function* linesOfText(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    yield text.slice(from, newline > from && text[newline - 1] === '\r' ? newline - 1 : end);
    from = end + 1;
  }
}

/**
 * The matches of a file as grep prints them: `path:12:text`, context as `path-13-text`, `--` between stretches
 * that do not touch. Made one by one, for few of them may be wanted.
 */
export function* printMatches(
  path: string,
  { lines, found }: SearchedFile,
  { before, after }: Around,
  numbers: boolean,
): Generator<string, void> {
  let next = 0;
  for (let match = 0; match < found.length; match++) {
    const index = found[match] as number;
    const from = Math.max(next, index - before);
    if (match > 0 && from > next && before + after > 0) yield '--';
    // Up to the next match, which comes with its own lines around it.
    const last = Math.min(lines.length - 1, index + after, (found[match + 1] ?? lines.length) - 1);
    for (let at = from; at <= last; at++) {
      const mark = at === index ? ':' : '-';
      const number = numbers ? `${at + 1}${mark}` : '';
      yield `${path}${mark}${number}${cutLine(lines[at] ?? '', MAX_LINE_CHARS)}`;
    }
    next = last + 1;
  }
}
