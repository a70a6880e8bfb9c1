import type { CallLane, Run } from '../model/run.js';
import type { Axis } from './axis.js';
import { type ChartRow, cutCells } from './chartRow.js';
import { fitText } from './fitText.js';
import { labelOf } from './label.js';
import { LABEL, type Layout, NOTE, NUMBER } from './layout.js';
import type { Naming } from './naming.js';
import { heldByOf, noteOf } from './note.js';
import { paintLane } from './paintLane.js';

/** One row a call, in call order. */
export const callRows = (run: Run, axis: Axis, naming: Naming, layout: Layout): readonly ChartRow[] => {
  const heldBy = heldByOf(run);
  return run.calls.map((lane, index) => {
    return {
      label: callLabel(lane, bracket(run.calls, index, layout.unicode), naming, layout),
      cells: cutCells(paintLane(lane, axis), axis),
      note: fitText(noteOf(lane, heldBy, naming, NOTE), NOTE, layout.ellipsis),
    };
  });
};

/** What stands before a call's chart: gutter, number, name and gist. */
export const callLabel = (lane: CallLane, gutter: string, naming: Naming, layout: Layout): string => {
  const number = naming.number(lane.toolUseId).slice(1);
  const front = `${gutter}${number.padStart(NUMBER - 2)} `;
  return front + labelOf(lane, LABEL - front.length, layout.ellipsis);
};

/** The gutter: a bracket joins the calls of one batch; none, the call is alone. */
const bracket = (calls: readonly CallLane[], index: number, unicode: boolean): string => {
  const batch = calls[index]?.batch;
  const joins = (other: number): boolean => batch !== undefined && calls[other]?.batch === batch;
  const [top, middle, bottom] = unicode ? ['┌', '│', '└'] : ['/', '|', '\\'];
  if (joins(index - 1)) return (joins(index + 1) ? middle : bottom) ?? ' ';
  return (joins(index + 1) ? top : ' ') ?? ' ';
};
