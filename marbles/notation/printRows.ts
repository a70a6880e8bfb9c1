import stringWidth from 'string-width';
import { glyphOf } from './glyphs.js';
import { NotationError } from './notationError.js';
import type { Expectation } from './parseExpectation.js';
import { RESULTS, type Row } from './row.js';

export interface PrintRowsOptions {
  /** Writes stretches of more than 12 equal columns as a time. Default false. */
  readonly compress?: boolean;
}

/** A stretch up to this long is clearer written out. */
const LONGEST_WRITTEN_OUT = 12;
const longStretch = new RegExp(`(.)\\1{${LONGEST_WRITTEN_OUT},}`, 'g');

/**
 * Prints rows in the form of a test; `parseRows` reads them back equal, compressed or not.
 *
 * @throws NotationError for a label that is empty, has blanks or is `results`.
 */
export const printRows = (rows: readonly Row[], { compress = false }: PrintRowsOptions = {}): string => {
  rows.forEach(checkLabel);
  const width = rows.reduce((most, { label }) => Math.max(most, stringWidth(label)), 0);
  const printed = rows.map(({ label, cells }) => {
    const padding = ' '.repeat(width - stringWidth(label) + 1);
    return `${label}${padding}${compress ? compressCells(cells) : cells}`.trimEnd();
  });
  return printed.join('\n');
};

/** Prints rows and the block of released results behind them. */
export const printExpectation = ({ rows, results }: Expectation, options?: PrintRowsOptions): string => {
  const printed = printRows(rows, options);
  if (results === undefined) return printed;
  return printed === '' ? `${RESULTS} ${results}` : `${printed}\n\n${RESULTS} ${results}`;
};

const checkLabel = ({ label }: Row, index: number): void => {
  if (label !== '' && label !== RESULTS && !/\s/.test(label)) return;
  const expected = `a label without blanks that is not \`${RESULTS}\``;
  throw new NotationError({ line: index + 1, column: 1 }, expected, JSON.stringify(label));
};

const compressCells = (cells: string): string =>
  cells.trimEnd().replace(longStretch, (stretch, glyph: string, offset: number) => {
    if (glyph !== ' ')
      return glyphOf(glyph)?.kind === 'phase' ? `${glyph}${time(stretch.length - 1)}` : stretch;
    // Behind a phase, or what can't take a time, a first blank says that blanks are meant.
    return blanksAfter(cells[offset - 1]) ? time(stretch.length) : ` ${time(stretch.length - 1)}`;
  });

const time = (columns: number): string => ` ${columns}ms `;

const blanksAfter = (previous: string | undefined): boolean => {
  const kind = previous === undefined ? 'end' : glyphOf(previous)?.kind;
  return kind === 'end' || kind === 'released' || kind === 'tombstone';
};
