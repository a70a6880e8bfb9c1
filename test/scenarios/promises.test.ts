import { Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isMarbleTool, type MarbleTool, parseExpectation, printRows, testRows } from '../../marbles/index.js';
import type { CallContext, ExecuteToolsOptions, Tool, ToolEvent, ToolUse } from '../../src/index.js';
import { checkLaws, executeTools, failure, output } from '../../src/index.js';
import { type Scenario, scenarios } from './table.js';

/** Marbles as RxJS reads them, each letter at its millisecond. */
interface Drawn {
  readonly at: number;
  readonly kind: 'N' | 'E' | 'C';
  readonly letter: string;
}

const drawn = (marbles: string): readonly Drawn[] =>
  // Inside of `run` a column of RxJS's marbles is one millisecond, and ` 9ms ` is nine of them.
  new TestScheduler(() => undefined).run(() =>
    TestScheduler.parseMarbles(marbles, undefined, undefined, false, true).map(({ frame, notification }) => ({
      at: frame,
      kind: notification.kind,
      letter: notification.kind === 'N' ? String(notification.value) : '',
    })),
  );

/** Plays marbles on real timers. What stands in column 0 comes at once: a timer of 0 is not 0 everywhere. */
const timed = <T>(marbles: string, toValue: (letter: string) => T): Observable<T> =>
  new Observable<T>((subscriber) => {
    const timers = drawn(marbles).flatMap(({ at, kind, letter }) => {
      const say = (): void => {
        if (kind === 'N') subscriber.next(toValue(letter));
        else if (kind === 'C') subscriber.complete();
        else subscriber.error(new Error('the stream broke'));
      };
      if (at > 0) return [setTimeout(say, at)];
      say();
      return [];
    });
    return () => timers.forEach(clearTimeout);
  });

const glyphEvents: Readonly<Record<string, number>> = { o: 1, '*': 10 };

/** Does what is drawn, as a function that returns a promise; stops where `until` is aborted. */
const perform = (marbles: string, ctx: CallContext, until?: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const timers = [...marbles].flatMap((glyph, at) => {
      const act = (): void => {
        if (glyph === '|') resolve(undefined);
        else if (glyph === '#') reject(failure('failed as drawn'));
        else for (let n = glyphEvents[glyph] ?? Number(glyph); n > 0; n--) ctx.report(at);
      };
      return '-='.includes(glyph) ? [] : [setTimeout(act, at)];
    });
    until?.addEventListener('abort', () => timers.forEach(clearTimeout), { once: true });
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** The tool a drawing stands for, as its author would write it with promises. */
const promiseTool = (name: string, { marbles, isConcurrencySafe, options }: MarbleTool): Tool => {
  const { onStop, output: result, modifyContext, inputSchema, validateInput, ...members } = options;
  return {
    name,
    inputSchema: inputSchema ?? {
      '~standard': { version: 1, vendor: 'promises', validate: async (value: unknown) => ({ value }) },
    },
    isConcurrencySafe: () => isConcurrencySafe,
    ...members,
    ...(validateInput === undefined
      ? undefined
      : { validateInput: async (input: never) => validateInput(input) }),
    call: async (_input: never, ctx: CallContext) => {
      const normal = perform(marbles, ctx, onStop === undefined ? undefined : ctx.signal);
      await (onStop === undefined
        ? normal
        : Promise.race([normal, aborted(ctx.signal).then(() => perform(onStop, ctx))]));
      return output(result ?? ctx.toolUse.id, modifyContext === undefined ? {} : { modifyContext });
    },
  };
};

const toolUsesOf = ({ calls }: Scenario) => {
  const uses = Object.entries(calls).map(([id, call]): [string, ToolUse] => {
    const given = typeof call === 'string' ? { name: call } : call;
    return [id, { type: 'tool_use', id, input: {}, messageId: 'message', ...given }];
  });
  const byLetter = new Map(uses);
  return (letter: string): ToolUse => byLetter.get(letter) as ToolUse;
};

const abortedAt = (marbles: string): AbortSignal => {
  const controller = new AbortController();
  const [first] = drawn(marbles);
  setTimeout(() => controller.abort(first?.letter), first?.at);
  return controller.signal;
};

const optionsOf = ({ tools, options = {} }: Scenario): ExecuteToolsOptions => {
  const { discard, interrupt, abort, unsubscribe: _unsubscribe, maxMs: _maxMs, ...rest } = options;
  return {
    ...rest,
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, tool]) => [
        name,
        isMarbleTool(tool) ? promiseTool(name, tool) : tool,
      ]),
    ),
    ...(discard === undefined ? undefined : { discard$: timed(discard, String) }),
    ...(interrupt === undefined ? undefined : { interrupt$: timed(interrupt, String) }),
    ...(abort === undefined ? undefined : { signal: abortedAt(abort) }),
  };
};

interface Ran {
  readonly events: readonly ToolEvent[];
  readonly ended: unknown;
}

const longerThanAny = 200;

const run = async (scenario: Scenario): Promise<Ran> => {
  const events: ToolEvent[] = [];
  let ended: unknown = 'never';
  timed(scenario.model, toolUsesOf(scenario))
    .pipe(executeTools(optionsOf(scenario)), checkLaws())
    .subscribe({
      next: (event) => events.push(event),
      error: (error: unknown) => {
        ended = error;
      },
      complete: () => {
        ended = 'completed';
      },
    });
  await vi.advanceTimersByTimeAsync(longerThanAny);
  return { events, ended };
};

/** When each result was released, in the form a scenario states it. */
const released = (events: readonly ToolEvent[]): string =>
  events.flatMap((event) => (event.type === 'result' ? [`${event.toolUseId}@${event.at}`] : [])).join(' ');

const stated = (marbles: string): string =>
  drawn(marbles)
    .flatMap(({ kind, letter, at }) => (kind === 'N' ? [`${letter}@${at}`] : []))
    .join(' ');

describe('scenarios with promises, on timers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const { events, ended } = await run(scenario);
      const expected = parseExpectation(scenario.rows);
      expect(printRows(testRows(events))).toBe(printRows(expected.rows));
      expect(ended).toBe('completed');
      if (expected.results !== undefined) expect(released(events)).toBe(stated(expected.results));
      // Longer than any tool: what is set now was left behind by the turn (law 12).
      expect(vi.getTimerCount()).toBe(0);
    });
  }
});
