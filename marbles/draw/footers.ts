import type { Count, Run } from '../model/run.js';
import type { Axis } from './axis.js';

/** What runs and what waits in each column: the most at an instant of it, `*` from ten up. */
export const footerRows = (
  run: Run,
  axis: Axis,
): readonly { readonly label: string; readonly cells: string }[] =>
  [
    { label: 'running', cells: countCells(run.running, axis, run.wall) },
    { label: 'waiting', cells: countCells(run.waiting, axis, run.wall) },
  ].filter(({ cells }) => cells !== '');

const countCells = (counts: readonly Count[], axis: Axis, wall: number): string => {
  const most = new Array<number>(axis.columns).fill(0);
  counts.forEach(({ at, count }, index) => {
    const to = counts[index + 1]?.at ?? wall;
    const last = axis.lastColumnBefore(to);
    for (let column = axis.columnOf(at); column <= last; column += 1) {
      most[column] = Math.max(most[column] ?? 0, count);
    }
  });
  return most
    .map((count) => (count === 0 ? ' ' : count > 9 ? '*' : String(count)))
    .join('')
    .trimEnd();
};
