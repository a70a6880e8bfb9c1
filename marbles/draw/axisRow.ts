import type { Axis } from './axis.js';
import { rowLines } from './chartRow.js';
import { roundDuration, tick } from './duration.js';
import { LABEL, type Layout } from './layout.js';

/** Columns from one tick to the next. */
const TICK = 10;

/** How long a column is: `1 column = 20ms`. */
export const scaleWords = ({ scale }: Axis): string => `1 column = ${roundDuration(scale)}`;

/** The line of times, with the scale in front of it where nothing else tells it. */
export const axisLines = (axis: Axis, layout: Layout, withScale: boolean): readonly string[] => {
  const scale = withScale ? scaleWords(axis) : '';
  const label = scale.length > LABEL ? scale.replace('column', 'col') : scale;
  return rowLines({ label, cells: timesOf(axis, layout.width - LABEL - 1) }, { ...layout, unicode: false });
};

/** One time every ten columns, and the length of every cut, `+2h`, at its place. At most `room` columns. */
const timesOf = (axis: Axis, room: number): string => {
  const cells = new Array<string>(room).fill(' ');
  // The cuts first: a tick without room is left out, a length moves to the nearest place that has room.
  for (const { column, length } of axis.cuts) {
    const text = `+${roundDuration(length)}`;
    const places = cells.map((_, place) => place).sort((a, b) => Math.abs(a - column) - Math.abs(b - column));
    const free = places.find((place) => isFree(cells, place, text.length));
    if (free !== undefined) write(cells, free, text);
  }
  for (const { column, text } of ticks(axis))
    if (isFree(cells, column, text.length)) write(cells, column, text);
  return cells.join('').trimEnd();
};

const isFree = (cells: readonly string[], column: number, length: number): boolean =>
  column + length <= cells.length &&
  cells.slice(Math.max(0, column - 1), column + length + 1).every((cell) => cell === ' ');

const write = (cells: string[], column: number, text: string): void => {
  for (let index = 0; index < text.length; index += 1) cells[column + index] = text.charAt(index);
};

const ticks = (axis: Axis): readonly { readonly column: number; readonly text: string }[] => {
  const found: { column: number; text: string }[] = [];
  for (let column = 0; column < axis.columns; column += 1) {
    const time = axis.timeOf(column);
    if (time === undefined || time % (axis.scale * TICK) !== 0) continue;
    found.push({ column, text: time === 0 ? '0' : tick(time) });
  }
  return found;
};
