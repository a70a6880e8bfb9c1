import type { CallLane, Run } from '../model/run.js';
import { slotsOf } from '../model/slots.js';
import type { Axis } from './axis.js';
import { type ChartRow, cutCells } from './chartRow.js';
import { NUMBER } from './layout.js';
import { paintLane } from './paintLane.js';

/** One row a concurrency slot, with the calls that ran in it one behind the other; and what found no room. */
export const slotRows = (run: Run, axis: Axis, most: number): readonly ChartRow[] => {
  const { slots, left } = slotsOf(run.calls, most);
  const rows = slots.map((lanes, index) => ({
    label: `${' '.repeat(NUMBER)}slot ${index + 1}`,
    cells: cutCells(paintSlot(lanes, axis), axis),
    note: `${lanes.length} call${lanes.length === 1 ? '' : 's'}`,
  }));
  const never = run.calls.filter((lane) => lane.startedAt === undefined).length;
  const rest = [
    { count: left, note: `${left} more in further slots` },
    { count: never, note: `${never} never started` },
  ];
  return [
    ...rows,
    ...rest.filter(({ count }) => count > 0).map(({ note }) => ({ label: '', cells: '', note })),
  ];
};

const paintSlot = (lanes: readonly CallLane[], axis: Axis): string => {
  const cells = new Array<string>(axis.columns).fill(' ');
  for (const lane of lanes) {
    [...paintLane(whileRunning(lane), axis)].forEach((cell, column) => {
      // An end outweighs the start of the next call in its column.
      if (cell !== ' ' && (cell !== '^' || cells[column] === ' ')) cells[column] = cell;
    });
  }
  return cells.join('').trimEnd();
};

/** The part of a lane that takes a slot: neither its wait before nor its result held back. */
const whileRunning = (lane: CallLane): Pick<CallLane, 'segments' | 'marks' | 'isConcurrencySafe'> => ({
  isConcurrencySafe: lane.isConcurrencySafe,
  segments: lane.segments.filter(
    ({ phase, from }) => phase !== 'held' && from >= (lane.startedAt ?? Infinity),
  ),
  marks: lane.marks.filter(({ type }) => type !== 'released' && type !== 'tombstone'),
});
