import { readFile, stat } from 'node:fs/promises';
import { cutLine } from '../files/lines.js';

/** Bytes; larger files are left out and counted. */
const MAX_BYTES = 10_000_000;
/** Characters of one line shown at most: a minified file is one line. */
const MAX_LINE_CHARS = 500;

/** Lines shown before and after each match. */
export interface Around {
  readonly before: number;
  readonly after: number;
}

/** The lines of a text file; or why it is not searched. */
export const searchableLines = async (
  path: string,
): Promise<readonly string[] | 'binary' | 'large' | 'unreadable'> => {
  try {
    const found = await stat(path);
    // A pipe or a device may never end.
    if (!found.isFile()) return 'unreadable';
    if (found.size > MAX_BYTES) return 'large';
    const bytes = await readFile(path);
    if (bytes.includes(0)) return 'binary';
    const lines = bytes.toString('utf8').split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines;
  } catch {
    return 'unreadable';
  }
};

/** Indices of the lines that match. */
export const matchingLines = (lines: readonly string[], pattern: RegExp): number[] => {
  const found: number[] = [];
  lines.forEach((line, index) => {
    if (pattern.test(line)) found.push(index);
  });
  return found;
};

/**
 * The matches of a file as grep prints them: `path:12:text`, context as `path-13-text`, `--` between stretches
 * that do not touch.
 */
export const printMatches = (
  path: string,
  lines: readonly string[],
  found: readonly number[],
  { before, after }: Around,
  numbers: boolean,
): string[] => {
  const matched = new Set(found);
  const printed: string[] = [];
  let next = 0;
  for (const index of found) {
    const from = Math.max(next, index - before);
    if (printed.length > 0 && from > next && before + after > 0) printed.push('--');
    for (let at = from; at <= Math.min(lines.length - 1, index + after); at++) {
      const mark = matched.has(at) ? ':' : '-';
      const number = numbers ? `${at + 1}${mark}` : '';
      printed.push(`${path}${mark}${number}${cutLine(lines[at] ?? '', MAX_LINE_CHARS)}`);
      next = at + 1;
    }
  }
  return printed;
};
