import { fitText, wrapItems } from '../../../marbles/draw/fitText.js';
import { NUMBER } from '../../../marbles/draw/layout.js';
import type { LaneBuilder } from '../../../marbles/model/laneBuilder.js';
import type { Phase } from '../../../marbles/model/run.js';
import { LEAST_WIDTH, liveLayout } from './liveLayout.js';
import { elapsed } from './liveNote.js';
import { axisAt, type LiveRows, timesLines } from './liveRows.js';
import { type Style, styleOf } from './style.js';

/** What a frame is made for. */
export interface FrameOptions {
  /** Columns and lines of the screen; a frame leaves one line free. */
  readonly columns: number;
  readonly rows: number;
  readonly unicode: boolean;
  readonly style: Style;
  /** ms of the turn. */
  readonly at: number;
  readonly modelWrites: boolean;
}

type Kind = 'running' | 'being written' | 'waiting' | 'held';

/** What is shown first where not all has room, and how it is counted. */
const kinds: readonly Kind[] = ['running', 'being written', 'waiting', 'held'];
const kindOfPhase: Readonly<Record<Phase, Kind>> = {
  input: 'being written',
  waiting: 'waiting',
  hooks: 'waiting',
  permission: 'waiting',
  backoff: 'waiting',
  running: 'running',
  stopping: 'running',
  held: 'held',
};

/** On lower screens the line of times makes room for rows. */
const LEAST_ROWS_FOR_AXIS = 8;

/** The lines of one frame: the open rows that have room, what is left out, the times, and how far the run is. */
export const frameLines = (rows: LiveRows, options: FrameOptions): readonly string[] => {
  const { columns, at, unicode } = options;
  const layout = liveLayout(columns, unicode);
  // A style can't be cut, so a screen too narrow for a layout has none.
  const style = columns < LEAST_WIDTH ? styleOf(false) : options.style;
  const most = Math.max(1, options.rows - 1);
  const axis = most < LEAST_ROWS_FOR_AXIS ? [] : timesLines(axisAt(at, layout), layout, style);
  const tail = [...axis, statusLine(rows, options, layout.ellipsis)];
  const { open } = rows;
  const room = Math.max(0, Math.floor((most - tail.length) / layout.lines));
  const all = open.length <= room;
  const shown = all ? open : chosen(open, Math.floor((most - tail.length - 1) / layout.lines));
  const fold = all ? [] : [foldLine(open, shown, layout.ellipsis)];
  const lines = [...rows.rows(shown, at, layout, style), ...fold, ...tail].slice(-most);
  return columns < LEAST_WIDTH ? lines.map((line) => fitText(line, columns, '')) : lines;
};

const kindOf = ({ phase }: LaneBuilder): Kind => kindOfPhase[phase?.phase ?? 'waiting'];

/** The `most` that matter most; still in call order. */
const chosen = (open: readonly LaneBuilder[], most: number): readonly LaneBuilder[] => {
  const byKind = kinds.flatMap((kind) => open.filter((lane) => kindOf(lane) === kind));
  const kept = new Set(byKind.slice(0, Math.max(0, most)));
  return open.filter((lane) => kept.has(lane));
};

const foldLine = (open: readonly LaneBuilder[], shown: readonly LaneBuilder[], ellipsis: string): string => {
  const seen = new Set(shown);
  const counts = countsOf(open.filter((lane) => !seen.has(lane)));
  return `${' '.repeat(NUMBER)}${ellipsis} ${counts.join(', ').replace(' ', ' more ')}`;
};

const countsOf = (lanes: readonly LaneBuilder[]): readonly string[] =>
  kinds.flatMap((kind) => {
    const count = lanes.filter((lane) => kindOf(lane) === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });

const statusLine = (rows: LiveRows, { at, columns, modelWrites }: FrameOptions, ellipsis: string): string => {
  const items = [
    elapsed(at),
    ...(modelWrites ? ['the model writes'] : []),
    ...countsOf(rows.open).filter((count) => !count.endsWith('written')),
    ...(rows.settled === 0 ? [] : [`${rows.settled} done`]),
  ];
  const first = ' '.repeat(NUMBER);
  return wrapItems(items, { width: columns, first, further: '', separator: '  ', ellipsis })[0] ?? '';
};
