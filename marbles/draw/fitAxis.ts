import type { Run } from '../model/run.js';
import { type Axis, CUT_COLUMNS, type GridCut, makeAxis } from './axis.js';

/** A gap is cut out only where that saves at least this many columns. */
const WORTH_CUTTING = 8;

/**
 * And only where the rest gets an axis at least this many times finer: a run that is readable whole is
 * drawn whole.
 */
const WORTH_FINER = 5;

/**
 * The finest axis of 1, 2, 5, 10, … ms a column on which the run fits into `columns`, long stretches
 * without change cut out where that pays.
 */
export const fitAxis = (run: Run, columns: number): Axis => {
  const whole = wholeAxis(run.wall, columns);
  const cut = finest(run.wall, columns, longGaps(run));
  return cut.scale * WORTH_FINER <= whole.scale ? cut : whole;
};

/** The finest axis from 0 to `wall` with nothing cut out; a column is at least `least` ms, a power of ten. */
export const wholeAxis = (wall: number, columns: number, least = 1): Axis => finest(wall, columns, [], least);

const finest = (wall: number, columns: number, gaps: readonly Gap[], least = 1): Axis => {
  for (let power = least; ; power *= 10) {
    for (const step of [1, 2, 5]) {
      const scale = step * power;
      const cuts = gaps.flatMap((gap) => gridCut(gap, scale));
      const axis = makeAxis(scale, wall, cuts);
      if (axis.columns <= columns) return axis;
    }
  }
};

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Stretches without any change, each longer than all the time that is left beside it. In order of time. */
const longGaps = (run: Run): readonly Gap[] => {
  const times = changes(run);
  const gaps = times.slice(1).map((to, index) => ({ from: times[index] ?? 0, to }));
  const long: Gap[] = [];
  let left = run.wall;
  for (const gap of gaps.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const length = gap.to - gap.from;
    if (length <= left / 2) break;
    long.push(gap);
    left -= length;
  }
  return long.sort((a, b) => a.from - b.from);
};

const changes = ({ calls, wall }: Run): readonly number[] => {
  const times = new Set([0, wall]);
  for (const { segments, marks } of calls) {
    for (const { from, to } of segments) times.add(from).add(to);
    for (const { at } of marks) times.add(at);
  }
  return [...times].sort((a, b) => a - b);
};

/** The columns strictly between those of the two changes. */
const gridCut = (gap: Gap, scale: number): readonly GridCut[] => {
  const from = Math.floor(gap.from / scale) + 1;
  const to = Math.floor(gap.to / scale);
  return to - from - CUT_COLUMNS >= WORTH_CUTTING ? [{ from, to }] : [];
};
