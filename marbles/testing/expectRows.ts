import { TestScheduler } from 'rxjs/testing';
import { testRows } from '../draw/testRows.js';
import { NotationError } from '../notation/notationError.js';
import { type Expectation, parseExpectation } from '../notation/parseExpectation.js';
import { printExpectation } from '../notation/printRows.js';
import { RESULTS, type Row } from '../notation/row.js';
import { explainAnswers } from './explainAnswers.js';
import { explainDifference } from './explainDifference.js';
import type { VirtualRun } from './watchedTurn.js';

/** Throws where a turn is not as drawn or not clean; the stack begins where `below` was called. */
export const expectRows = (run: VirtualRun, picture: string, below: (picture: string) => void): void => {
  try {
    compare(run, picture);
  } catch (error) {
    // The line that the reader can mend is the test's. Only V8 can cut a stack.
    if (error !== run.error && error instanceof Error) Error.captureStackTrace?.(error, below);
    throw error;
  }
};

const compare = (run: VirtualRun, picture: string): void => {
  const expected = parseExpectation(picture);
  checkResults(expected, picture);
  if (run.error !== undefined) throw run.error;
  const received = {
    rows: testRows(run.events),
    ...(expected.results === undefined ? undefined : { results: resultsOf(run, expected.results) }),
  };
  const asDrawn = same(expected, received);
  if (asDrawn && run.faults.length === 0) return;
  const blocks = [
    asDrawn ? 'the rows are as drawn, but:' : explainDifference(expected, received).trimEnd(),
    run.faults.join('\n'),
    explainAnswers(run.events).join('\n'),
  ];
  throw new Error(blocks.filter((block) => block !== '').join('\n\n'));
};

const same = (a: Expectation, b: Expectation): boolean =>
  printExpectation(a) === printExpectation(b) && sameLabels(a.rows, b.rows);

const sameLabels = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ label }, i) => label === b[i]?.label);

/** The expected text itself where the results came as it says, else the results as they came. */
const resultsOf = (run: VirtualRun, expected: string): string => {
  const results = run.events.filter((event) => event.type === 'result');
  const came = results.map(({ at, toolUseId }) => `${toolUseId}@${at}`).join(' ');
  const awaited = marksOf(expected).map(({ id, at }) => `${id}@${at}`);
  return came === awaited.join(' ') ? expected : came;
};

const marksOf = (results: string): readonly { readonly id: string; readonly at: number }[] =>
  TestScheduler.parseMarbles(results, undefined, undefined, false, true).flatMap(({ frame, notification }) =>
    // Outside of `run` a column of RxJS's marbles is not one frame.
    notification.kind === 'N'
      ? [{ id: String(notification.value), at: frame / TestScheduler.frameTimeFactor }]
      : [],
  );

/** RxJS takes every other character for a value: one that is no call's is a slip, not a result that differs. */
const checkResults = ({ rows, results = '' }: Expectation, picture: string): void => {
  const calls = new Set(rows.map(({ label }) => label));
  const stranger = marksOf(results).find(({ id }) => !calls.has(id));
  if (stranger === undefined) return;
  const line = picture.split('\n').findIndex((text) => text.trimStart().startsWith(RESULTS)) + 1;
  const column = (picture.split('\n')[line - 1] ?? '').lastIndexOf(stranger.id) + 1;
  const expected = `a call of the rows above: ${[...calls].join(', ')}`;
  throw new NotationError({ line, column }, expected, JSON.stringify(stranger.id));
};
