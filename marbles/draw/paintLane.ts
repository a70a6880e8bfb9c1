import type { CallLane, Mark, Phase } from '../model/run.js';
import { glyphOf, precedence, progressGlyph } from '../notation/glyphs.js';
import type { Axis } from './axis.js';

const phaseGlyph: Readonly<Record<Exclude<Phase, 'running'>, string>> = {
  input: ':',
  waiting: '.',
  hooks: 'h',
  permission: '?',
  backoff: '~',
  stopping: 's',
  held: '_',
};

/** The part of a lane that is painted. */
export type Painted = Pick<CallLane, 'segments' | 'marks' | 'isConcurrencySafe'>;

/** A lane as cells, one a column of the axis, blanks at the end cut off. */
export const paintLane = (lane: Painted, axis: Axis): string => {
  const cells = new Array<string>(axis.columns).fill(' ');
  const running = lane.isConcurrencySafe ? '-' : '=';
  for (const { phase, from, to } of lane.segments) {
    const glyph = phase === 'running' ? running : phaseGlyph[phase];
    cells.fill(glyph, axis.columnOf(from), axis.lastColumnBefore(to) + 1);
  }
  paintMarks(lane.marks, axis, cells);
  return cells.join('').trimEnd();
};

/** In one column the highest kind wins, and of equal ones the later; progress is counted. */
const paintMarks = (marks: readonly Mark[], axis: Axis, cells: string[]): void => {
  const counted = new Map<number, number>();
  for (const mark of marks) {
    const column = axis.columnOf(mark.at);
    if (mark.type === 'progress') counted.set(column, (counted.get(column) ?? 0) + 1);
    const glyph = glyphOfMark(mark, counted.get(column) ?? 0);
    if (rank(glyph) >= rank(cells[column])) cells[column] = glyph;
  }
};

const glyphOfMark = (mark: Mark, progress: number): string => {
  switch (mark.type) {
    case 'start':
      return '^';
    case 'progress':
      return progressGlyph(progress);
    case 'released':
      return 'v';
    case 'tombstone':
      return '+';
    default:
      return mark.glyph;
  }
};

const rank = (glyph = ' '): number => {
  const kind = glyphOf(glyph)?.kind;
  return kind === undefined ? -1 : precedence[kind];
};
