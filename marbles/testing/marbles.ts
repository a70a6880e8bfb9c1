import { TestScheduler } from 'rxjs/testing';
import { MisuseError } from '../../src/contract/errors.js';
import { testRows } from '../draw/testRows.js';
import { type Expectation, parseExpectation } from '../notation/parseExpectation.js';
import { printExpectation } from '../notation/printRows.js';
import type { Row } from '../notation/row.js';
import { explainDifference } from './explainDifference.js';
import { marbleTool } from './marbleTool.js';
import {
  type ModelCall,
  type ModelMessage,
  runVirtualTurn,
  type VirtualOptions,
  type VirtualRun,
  type VirtualTools,
} from './virtualTurn.js';

/** What a test of schedules works with. */
export interface MarbleKit {
  /**
   * A model's message as a RxJS marble string; letters are calls, at the time their block ends.
   *
   * @param calls what each letter stands for: a tool's name, or a tool use
   */
  model(marbles: string, calls: Readonly<Record<string, ModelCall>>): ModelMessage;
  /** Tools drawn by what they do: `tool.safe('-o-|')`, `tool.unsafe('--#')`. */
  readonly tool: typeof marbleTool;
  /** Runs a turn in virtual time, one column a millisecond; assert with `toBe`. */
  expectTurn(message: ModelMessage, tools: VirtualTools, options?: VirtualOptions): TurnExpectation;
}

export interface TurnExpectation {
  readonly run: VirtualRun;
  /** The rows of the turn, and behind them, if you like, `results` as a RxJS marble string. */
  toBe(picture: string): void;
}

/** A runner's function that registers a test: Vitest's, Jest's or Mocha's `it`, `node:test`'s `test`. */
export type RegisterTest = (name: string, body: () => void) => unknown;

/**
 * Makes `marbles` for a test runner.
 *
 * @example
 * ```ts
 * import { it } from 'vitest';
 * const marbles = marblesWith(it);
 * ```
 */
export const marblesWith =
  (register: RegisterTest) =>
  (name: string, body: (kit: MarbleKit) => void): void => {
    register(name, () => runMarbles(body));
  };

/**
 * Registers a test of a schedule, with the runner's global `it` or `test` (in Vitest `globals: true`; else use
 * `marblesWith(it)`).
 *
 * A test fails on other rows than expected, and on what no turn may do: break a law, leave timers set or tools
 * subscribed, not end, or be run without an assertion.
 *
 * @example
 * ```ts
 * marbles('a write waits for the reads before it', ({ model, tool, expectTurn }) => {
 *   const tools = { read: tool.safe('---|'), write: tool.unsafe('-|') };
 *   expectTurn(model('ab-c|', { a: 'read', b: 'read', c: 'write' }), tools).toBe(`
 *     a ^--|
 *     b  ^--|
 *     c    .^|
 *   `);
 * });
 * ```
 */
export const marbles = (name: string, body: (kit: MarbleKit) => void): void => {
  const { it, test } = globalThis as { readonly it?: RegisterTest; readonly test?: RegisterTest };
  const register = it ?? test;
  if (register === undefined) {
    throw new MisuseError(
      'no test runner has defined a global `it` or `test`: make your own with marblesWith(it)',
    );
  }
  marblesWith(register)(name, body);
};

/** The body of a test, without a runner. */
export const runMarbles = (body: (kit: MarbleKit) => void): void => {
  let open = 0;
  body({
    model: (text, calls) => ({ marbles: text, calls }),
    tool: marbleTool,
    expectTurn: (message, tools, options) => {
      open++;
      const run = runVirtualTurn(message, tools, options);
      return {
        run,
        toBe: (picture) => {
          open--;
          compare(run, picture);
        },
      };
    },
  });
  if (open > 0) throw new MisuseError('an expectTurn() has no toBe(): it asserts nothing');
};

const compare = (run: VirtualRun, picture: string): void => {
  if (run.error !== undefined) throw run.error;
  const expected = parseExpectation(picture);
  const received = {
    rows: testRows(run.events),
    ...(expected.results === undefined ? undefined : { results: resultsOf(run, expected.results) }),
  };
  const faults = run.faults.map((fault) => `\n${fault}`).join('');
  if (same(expected, received) && faults === '') return;
  throw new Error(`${explainDifference(expected, received)}${faults}`);
};

const same = (a: Expectation, b: Expectation): boolean =>
  printExpectation(a) === printExpectation(b) && sameLabels(a.rows, b.rows);

const sameLabels = (a: readonly Row[], b: readonly Row[]): boolean =>
  a.length === b.length && a.every(({ label }, i) => label === b[i]?.label);

/** The expected text itself where the results came as it says, else the results as they came. */
const resultsOf = (run: VirtualRun, expected: string): string => {
  const results = run.events.filter((event) => event.type === 'result');
  const came = results.map(({ at, toolUseId }) => `${toolUseId}@${at}`).join(' ');
  const awaited = TestScheduler.parseMarbles(expected, undefined, undefined, false, true)
    .flatMap(({ frame, notification }) =>
      // Outside of `run` a column of RxJS's marbles is not one frame.
      notification.kind === 'N'
        ? [`${String(notification.value)}@${frame / TestScheduler.frameTimeFactor}`]
        : [],
    )
    .join(' ');
  return came === awaited ? expected : came;
};
