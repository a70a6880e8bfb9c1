import { InvalidOptionError } from '../../src/contract/errors.js';
import type { ToolEvent } from '../../src/contract/events.js';
import { foldRun } from '../model/foldRun.js';
import { printRows } from '../notation/printRows.js';
import { MAX_COLUMNS, RESULTS, type Row } from '../notation/row.js';
import { makeAxis } from './axis.js';
import { harmless } from './harmless.js';
import { paintLane } from './paintLane.js';

export interface TestRowsOptions {
  /** What a row is called; default the call's id. Blanks become `_`. */
  readonly labels?: (toolUseId: string) => string;
  /** Writes long stretches as a time (see `printRows`). Default: where a row has more than 80 columns. */
  readonly compress?: boolean;
}

/** A row longer than this is no picture any more. */
const WIDEST_PICTURE = 80;

/** The rows of a run as a test states them: one a call, in call order, one column a millisecond. */
export const testRows = (events: Iterable<ToolEvent>, { labels }: TestRowsOptions = {}): readonly Row[] => {
  const run = foldRun(events);
  if (run.wall >= MAX_COLUMNS) {
    throw new InvalidOptionError('events', `a run of less than ${MAX_COLUMNS}ms, one column each`, run.wall);
  }
  const axis = makeAxis(1, run.wall);
  const taken = new Set<string>();
  return run.calls.map((lane) => ({
    label: unique(labels?.(lane.toolUseId) ?? lane.toolUseId, taken),
    cells: paintLane(lane, axis),
  }));
};

/**
 * Draws a run in the form of a test, from its events alone; `parseRows` reads it back.
 *
 * ```text
 * a ^--|
 * b  ^--|
 * c    .^|
 * d     .^--|
 * ```
 */
export const renderTestRows = (events: Iterable<ToolEvent>, options: TestRowsOptions = {}): string => {
  const rows = testRows(events, options);
  const compress = options.compress ?? rows.some(({ cells }) => cells.length > WIDEST_PICTURE);
  return printRows(rows, { compress });
};

/** A label that can be read back, whatever an id or a caller's function is. */
const unique = (label: string, taken: Set<string>): string => {
  const readable = harmless(label.replace(/\s/g, '_')) || '_';
  let free = readable === RESULTS ? `${RESULTS}_` : readable;
  for (let n = 2; taken.has(free); n += 1) free = `${readable}_${n}`;
  taken.add(free);
  return free;
};
