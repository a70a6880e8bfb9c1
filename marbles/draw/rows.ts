import type { ToolEvent } from '../../src/contract/events.js';
import { foldRun } from '../model/foldRun.js';
import type { Run } from '../model/run.js';
import type { Axis } from './axis.js';
import { axisLines } from './axisRow.js';
import { callRows } from './callRows.js';
import { type ChartRow, cutCells, rowLines } from './chartRow.js';
import { explainFailures } from './explainFailures.js';
import { explainStops } from './explainStops.js';
import { explainWaits } from './explainWaits.js';
import { explanationLines } from './explanation.js';
import { fitAxis } from './fitAxis.js';
import { wrapItems } from './fitText.js';
import { footerRows } from './footers.js';
import { type HeaderOptions, headerOf } from './header.js';
import { type Layout, layoutOf, NUMBER } from './layout.js';
import { legendLines } from './legend.js';
import { type Naming, namingOf } from './naming.js';
import { slotRows } from './slotRows.js';

export interface DrawRowsOptions extends HeaderOptions {
  /** Columns, from 40; above 100 the drawing stays at 100. Default 100. */
  readonly width?: number;
  /** Glyphs of the Unicode alphabet. Default false. */
  readonly unicode?: boolean;
  /** The number of the first call, where a recording counts on over its turns. Default 1. */
  readonly firstNumber?: number;
  /** What runs and what waits in each column. Default true. */
  readonly footers?: boolean;
  /** What the glyphs mean that were used. Default true. */
  readonly legend?: boolean;
}

/** Above this many rows slots are drawn instead of calls. */
const MOST_ROWS = 40;

/**
 * Draws a run as text: a row a call, what ran and waited below, the causes, the legend.
 *
 * Same events and options, same bytes. Text of models and tools is made harmless, so the drawing may be
 * printed to a terminal as it is.
 *
 * @throws InvalidOptionError for a width that is no integer or below 40.
 */
export const drawRows = (events: Iterable<ToolEvent> | Run, options: DrawRowsOptions = {}): string => {
  const run = 'calls' in events ? events : foldRun(events);
  const layout = layoutOf(options.width ?? 100, options.unicode ?? false);
  const axis = fitAxis(run, layout.chart);
  const naming = namingOf(run, options.firstNumber ?? 1);
  const rows =
    run.calls.length > MOST_ROWS ? slotRows(run, axis, MOST_ROWS) : callRows(run, axis, naming, layout);
  const header = headerOf(run, axis, options, layout);
  const lines = [
    ...header.lines,
    ...axisLines(axis, layout, !header.hasScale),
    ...rows.flatMap((row) => rowLines(row, layout)),
    ...(options.footers === false ? [] : footerLines(run, axis, layout)),
    ...causeLines(run, naming, layout),
    ...(options.legend === false ? [] : legendLines(rows, layout)),
  ];
  return lines.join('\n');
};

const footerLines = (run: Run, axis: Axis, layout: Layout): readonly string[] =>
  footerRows(run, axis).flatMap(({ label, cells }) => {
    const row: ChartRow = { label: ' '.repeat(NUMBER) + label, cells: cutCells(cells, axis) };
    return rowLines(row, layout);
  });

/**
 * Where there is nothing to tell but waits, they share lines; beside other causes each has its own, with
 * its time.
 */
const causeLines = (run: Run, naming: Naming, layout: Layout): readonly string[] => {
  const waits = explainWaits(run, naming);
  const others = [...explainStops(run, naming), ...explainFailures(run, naming)];
  if (others.length > 0) return explanationLines([...others, ...waits], layout);
  const most = 8;
  const texts = waits.slice(0, most).map(({ text }) => text);
  if (waits.length > most) texts.push(`and ${waits.length - most} more waited`);
  const { width, ellipsis } = layout;
  return wrapItems(texts, { width, first: '  ', further: '  ', separator: '    ', ellipsis });
};
