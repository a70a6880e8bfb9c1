import stringWidth from 'string-width';
import { NotationError, type Position } from './notationError.js';
import { parseCells } from './parseCells.js';
import { RESULTS, type Row } from './row.js';
import { type TextLine, textLines } from './textLines.js';

/**
 * Reads rows in the form of a test; column 0 stands one blank behind the longest label.
 *
 * ```text
 * a  ^--|
 * bb  ^- 9ms |
 * ```
 *
 * Either alphabet is taken. Empty lines and common indentation don't count.
 *
 * @throws NotationError for text that is no rows, two rows of one label, or a `results` block (see
 * `parseExpectation`).
 */
export const parseRows = (text: string): readonly Row[] => rowsOf(textLines(text));

/** The same from lines already split. */
export const rowsOf = (lines: readonly TextLine[]): readonly Row[] => {
  const labelled = lines.map(splitLabel);
  checkDistinct(labelled);
  const width = labelled.reduce((most, { label }) => Math.max(most, stringWidth(label)), 0);
  return labelled.map((line) => ({ label: line.label, cells: cellsOf(line, width) }));
};

interface Labelled {
  readonly label: string;
  readonly rest: string;
  readonly at: Position;
}

const splitLabel = ({ text, line, indent }: TextLine): Labelled => {
  const label = /^\S*/.exec(text)?.[0] ?? '';
  const at = { line, column: indent + 1 };
  if (label === '') throw new NotationError(at, 'a label', 'a blank: a row is indented more than the others');
  if (label === RESULTS) throw new NotationError(at, 'the label of a row', `\`${RESULTS}\``);
  return { label, rest: text.slice(label.length), at: { line, column: at.column + label.length } };
};

const checkDistinct = (lines: readonly Labelled[]): void => {
  const seen = new Set<string>();
  for (const { label, at } of lines) {
    if (seen.has(label)) {
      const place = { line: at.line, column: at.column - label.length };
      throw new NotationError(place, 'a label of its own for every row', `\`${label}\` twice`);
    }
    seen.add(label);
  }
};

const cellsOf = ({ label, rest, at }: Labelled, width: number): string => {
  const gap = width - stringWidth(label) + 1;
  const padding = rest.slice(0, gap);
  const stray = padding.search(/[^ ]/);
  if (stray >= 0) {
    const place = { line: at.line, column: at.column + stray };
    const expected = `a blank, for column 0 stands one space behind the longest label (${width} wide)`;
    throw new NotationError(place, expected, JSON.stringify(padding.charAt(stray)));
  }
  return parseCells(rest.slice(gap), { line: at.line, column: at.column + gap });
};
