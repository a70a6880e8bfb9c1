import { NotationError } from './notationError.js';
import { rowsOf } from './parseRows.js';
import { RESULTS, type Row } from './row.js';
import { textLines } from './textLines.js';

/** What a test expects of a turn. */
export interface Expectation {
  readonly rows: readonly Row[];
  /** A RxJS marble string of the released results, where the text has that block. */
  readonly results?: string;
}

/**
 * Reads rows and, behind them, an optional block of the released results.
 *
 * ```text
 * a ^--|
 * b  ^|_v
 *
 * results ---(ab)
 * ```
 *
 * @throws NotationError as `parseRows` does, and for anything behind the block.
 */
export const parseExpectation = (text: string): Expectation => {
  const lines = textLines(text);
  const start = lines.findIndex((line) => /^results(\s|$)/.test(line.text));
  if (start < 0) return { rows: rowsOf(lines) };
  const after = lines[start + 1];
  if (after) {
    const place = { line: after.line, column: after.indent + 1 };
    throw new NotationError(place, 'nothing behind the `results` line', JSON.stringify(after.text));
  }
  const results = (lines[start]?.text ?? '').slice(RESULTS.length).trim();
  if (results === '') {
    const { line = 1, indent = 0 } = lines[start] ?? {};
    const place = { line, column: indent + RESULTS.length + 1 };
    throw new NotationError(place, 'a marble string behind `results`', 'the end of the line');
  }
  return { rows: rowsOf(lines.slice(0, start)), results };
};
