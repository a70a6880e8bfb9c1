import { MisuseError } from '../../src/contract/errors.js';
import { expectRows } from './expectRows.js';
import { marbleTool } from './marbleTool.js';
import {
  type ModelCall,
  type ModelMessage,
  runVirtualTurn,
  type VirtualOptions,
  type VirtualTools,
} from './virtualTurn.js';
import type { VirtualRun } from './watchedTurn.js';

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
  /**
   * The rows of the turn, and behind them, if you like, `results` as a RxJS marble string.
   *
   * @throws NotationError for a picture that can't be read; else an `Error` that shows both pictures, what no turn
   * may do, and how the calls were answered that had no output
   */
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
      const toBe = (picture: string): void => {
        open--;
        expectRows(run, picture, toBe);
      };
      return { run, toBe };
    },
  });
  if (open > 0) throw new MisuseError('an expectTurn() has no toBe(): it asserts nothing');
};
