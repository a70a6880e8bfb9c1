import { NotationError, type Position } from '../../notation/notationError.js';
import { type TextLine, textLines } from '../../notation/textLines.js';
import { type Mark, parseMarks } from './marbleCells.js';

/** An input or output of an operator, as drawn. */
export interface DiagramRow {
  readonly label: string;
  /** When it is subscribed to: how many blanks stand in front, each a millisecond. */
  readonly start: number;
  /** The marble string, from the subscription on. */
  readonly cells: string;
  readonly marks: readonly Mark[];
  /** When it is left before it has ended, where a `subs` row below says so. */
  readonly left?: number;
}

export interface Diagram {
  readonly rows: ReadonlyMap<string, DiagramRow>;
  /** What is said on the fence: `concurrency=2`. */
  readonly options: Readonly<Record<string, string>>;
}

const SUBS = 'subs';

/**
 * Reads the diagram of an operator: one row an input or output, one column a millisecond.
 *
 * ```marbles shareOnce
 * source a-b-c-d|   cold: it begins when the first observer comes, and is left with the last one
 * subs   ^----!
 * first  a-b-c-d|
 * subs   ^--!
 * second  -b-c-d|   comes at 1
 * subs    ^---!
 * third         #
 * ```
 *
 * - Column 0 stands one blank behind the longest label. A row is a RxJS marble string that starts where it is
 *   subscribed to: blanks in front are part of what is tested, for inputs too (an inner Observable that starts
 *   late). Whoever comes in the column of a value of what runs already comes behind it. Columns are absolute; a group `(ab)` happens at its bracket and is as long as it is wide.
 * - `subs` draws the subscription to the row above: `^` subscribed, `!` left (alone: in the same column). An input without it must not be
 *   left before its end; an output with it is left there.
 * - Two blanks behind a row begin a remark.
 *
 * @throws NotationError that names the line and the column
 */
export const parseDiagram = (text: string, options: Readonly<Record<string, string>> = {}): Diagram => {
  const lines = textLines(text);
  const labels = lines.map((line) => /^\S+/.exec(line.text)?.[0] ?? '');
  const width = Math.max(0, ...labels.map((label) => label.length));
  const rows = new Map<string, DiagramRow>();
  let above: DiagramRow | undefined;
  lines.forEach((line, index) => {
    const label = labels[index] as string;
    const read = splitRow(line, label, width);
    if (label === SUBS) {
      if (above === undefined) throw new NotationError(read.position, 'a row above it', '`subs`');
      rows.set(above.label, withSubscription(above, read));
      above = undefined;
      return;
    }
    if (rows.has(label))
      throw new NotationError(read.position, 'a label of its own for every row', `\`${label}\` twice`);
    above = { label, start: read.start, cells: read.cells, marks: parseMarks(read.cells, read.position) };
    rows.set(label, above);
  });
  return { rows, options };
};

interface ReadRow {
  readonly start: number;
  readonly cells: string;
  readonly position: Position;
}

const splitRow = ({ text, line, indent }: TextLine, label: string, width: number): ReadRow => {
  const at = (column: number): Position => ({ line, column: indent + column + 1 });
  if (label === '') throw new NotationError(at(0), 'a label', 'a blank');
  const stray = text.slice(label.length, width + 1).search(/\S/);
  if (stray >= 0) {
    const expected = `a blank, for column 0 stands one space behind the longest label (${width} wide)`;
    throw new NotationError(at(label.length + stray), expected, JSON.stringify(text[label.length + stray]));
  }
  const rest = text.slice(width + 1);
  const cells = /\S+/.exec(rest);
  if (cells === null) throw new NotationError(at(text.length), 'a marble string', 'the end of the line');
  const behind = rest.slice(cells.index + cells[0].length);
  if (/^ \S/.test(behind)) {
    const place = at(width + 1 + cells.index + cells[0].length);
    throw new NotationError(place, 'no blank in a marble string (a remark stands two blanks behind)', '" "');
  }
  return { start: cells.index, cells: cells[0], position: at(width + 1 + cells.index) };
};

const withSubscription = (row: DiagramRow, { start, cells, position }: ReadRow): DiagramRow => {
  if (!/^(\^-*!?|!)$/.test(cells)) throw new NotationError(position, '`^---!`', `\`${cells}\``);
  if (start !== row.start)
    throw new NotationError(position, 'the subscription where its row begins', `column ${start}`);
  return cells.endsWith('!') ? { ...row, left: start + cells.length - 1 } : row;
};
