import { cutGlyph, toUnicode } from '../notation/glyphs.js';
import type { Axis } from './axis.js';
import { padText } from './fitText.js';
import { LABEL, type Layout } from './layout.js';

/** One line of a drawing: what stands before the chart, in it, and behind it. */
export interface ChartRow {
  /** At most 16 columns. */
  readonly label: string;
  /** ASCII cells. */
  readonly cells: string;
  readonly note?: string;
}

/**
 * Marks cuts in cells: the middle two of the four columns, also where a row is blank, so that the axis
 * shows its break.
 */
export const cutCells = (cells: string, { cuts, columns }: Axis): string => {
  if (cuts.length === 0) return cells;
  const padded = [...cells.padEnd(columns)];
  for (const { column } of cuts) padded.splice(column + 1, cutGlyph.length, ...cutGlyph);
  return padded.join('').trimEnd();
};

/** The row as text: one line, or two where the note stands under it. */
export const rowLines = ({ label, cells, note = '' }: ChartRow, layout: Layout): readonly string[] => {
  const start = `${padText(label, LABEL)} `;
  const drawn = layout.unicode ? toUnicode(cells) : cells;
  if (note === '') return [(start + drawn).trimEnd()];
  if (layout.notes === 'right') return [`${start}${padText(drawn, layout.chart)} ${note}`];
  return [(start + drawn).trimEnd(), `${' '.repeat(LABEL + 1)}${note}`];
};
