import { getEventListeners } from 'node:events';
import { concat, from, ignoreElements, NEVER, Observable, Subject, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createPool, executeTools, failure, type Tool, type ToolUse } from '../../src/index.js';
import { settled } from '../interop/receiver.js';
import { codes, Seen, safeTool, unsafeTool, use } from './turns.js';

/** Kinds of things that keep a process alive, by name; those of the test runner are there before and after. */
const resources = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** The test runner sets a timer of its own now and then. */
const ofTheRunner = 1;

const turns = 200;
/** Longer than anything here takes: what a turn leaves behind would still be there. */
const long = 3_600_000;

let open = 0;
const endless = () =>
  new Observable<never>(() => {
    open++;
    return () => void open--;
  });

const listening = safeTool(
  'listening',
  (_input, ctx) => {
    ctx.abort$.subscribe();
    ctx.signal.addEventListener('abort', () => undefined);
    return endless();
  },
  { timeoutMs: long, graceMs: 0 },
);

const tools: readonly Tool[] = [
  safeTool('read', () => 'done', { timeoutMs: long }),
  safeTool('later', async () => 'done', { timeoutMs: long }),
  safeTool('failing', () => failure('no'), { timeoutMs: long }),
  safeTool('bad', () => failure('no'), { abortsSiblings: true, timeoutMs: long }),
  safeTool('endless', endless, { timeoutMs: long, graceMs: long }),
  unsafeTool('short', endless, { timeoutMs: 1, graceMs: 0 }),
  unsafeTool('stubborn', () => new Promise(() => undefined), { timeoutMs: long, graceMs: 1 }),
  safeTool('picky', () => 1, { inputSchema: z.object({ n: z.number() }) }),
  safeTool('empty', () => from([])),
  listening,
  unsafeTool('nested', (_input, ctx) =>
    from([use('i', 'listening')]).pipe(ctx.nested({ tools: [listening] }), ignoreElements()),
  ),
];

const interrupts = () => ({ interrupt$: new Subject<string>(), discard$: new Subject<string>() });

/** Runs one turn to its end; `act` is done once it stands. Returns how its calls ended. */
const run = async (
  source: readonly ToolUse[] | Observable<ToolUse>,
  act: (controls: ReturnType<typeof interrupts> & { controller: AbortController; leave: () => void }) => void,
): Promise<readonly string[]> => {
  const controls = interrupts();
  const controller = new AbortController();
  const pool = createPool({ concurrency: 20 });
  const seen = new Seen(
    from(source).pipe(executeTools({ ...controls, tools, pool, timeoutMs: long, signal: controller.signal })),
  );
  let left = false;
  act({
    ...controls,
    controller,
    leave: () => {
      left = true;
      seen.leave();
    },
  });
  while (seen.ended === 'open' && !left) await new Promise((resolve) => setTimeout(resolve, 1));
  // A turn that is over listens to nothing.
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  expect([controls.interrupt$.observed, controls.discard$.observed]).toEqual([false, false]);
  expect([pool.running, pool.waiting, open]).toEqual([0, 0, 0]);
  return codes(seen.values);
};

const nothing = (): void => undefined;
const fault = { code: 'cut_off', text: 'max_tokens' } as const;

const ways: Readonly<Record<string, readonly [() => Promise<readonly string[]>, readonly string[]]>> = {
  ok: [() => run([use('a', 'read'), use('b', 'later')], nothing), ['a ok', 'b ok']],
  tool_error: [() => run([use('a', 'failing')], nothing), ['a tool_error']],
  infrastructure: [() => run([use('a', 'empty')], nothing), ['a infrastructure']],
  unknown_tool: [() => run([use('a', 'nobody')], nothing), ['a unknown_tool']],
  invalid_input: [() => run([use('a', 'picky')], nothing), ['a invalid_input']],
  cut_off: [() => run([{ ...use('a', 'read'), fault }], nothing), ['a cut_off']],
  timeout: [() => run([use('a', 'short')], nothing), ['a timeout']],
  sibling_aborted: [
    () => run([use('a', 'listening'), use('b', 'bad'), use('c', 'read')], nothing),
    ['a sibling_aborted', 'b tool_error', 'c sibling_aborted'],
  ],
  interrupted: [
    () => run([use('a', 'listening'), use('b', 'short')], ({ interrupt$ }) => interrupt$.next('stop')),
    ['a interrupted', 'b interrupted'],
  ],
  'interrupted by a signal, after a grace': [
    () => run([use('a', 'stubborn'), use('b', 'read')], ({ controller }) => controller.abort()),
    ['a interrupted', 'b interrupted'],
  ],
  'interrupted with a turn inside': [
    () => run([use('a', 'nested')], ({ interrupt$ }) => interrupt$.next('stop')),
    ['a interrupted'],
  ],
  discarded: [
    () => run([use('a', 'listening'), use('b', 'short')], ({ discard$ }) => discard$.next('another model')),
    ['a discarded', 'b discarded'],
  ],
  'discarded by its source': [
    () =>
      run(
        concat(
          from([use('a', 'listening')]),
          throwError(() => new Error('reset')),
        ),
        nothing,
      ),
    ['a discarded'],
  ],
  left: [
    () => run(concat(from([use('a', 'listening'), use('b', 'endless')]), NEVER), ({ leave }) => leave()),
    [],
  ],
  'left with timers of its source': [
    () =>
      run(concat(from([use('a', 'listening')]), timer(long) as Observable<never>), ({ leave }) => leave()),
    [],
  ],
};

describe(`law 12: ${turns} turns of each way to end leave nothing behind, on the real clock`, () => {
  it.each(Object.entries(ways))('%s', async (_name, [play, expected]) => {
    // The first one loads what is loaded once.
    expect(await play()).toEqual(expected);
    await settled();
    const before = resources();
    for (let n = 1; n < turns; n++) expect(await play()).toEqual(expected);
    await settled();
    await settled();
    const grown = Object.entries(resources()).filter(
      ([kind, count]) => count > (before[kind] ?? 0) + ofTheRunner,
    );
    expect(grown).toEqual([]);
  });

  it('a signal that many turns share has one listener for each that runs, however many calls it has', () => {
    const { signal: shared } = new AbortController();
    const calls = Array.from({ length: 50 }, (_, n) => use(String(n), 'endless'));
    const seen = Array.from(
      { length: 5 },
      () => new Seen(from(calls).pipe(executeTools({ tools, signal: shared }))),
    );
    expect(getEventListeners(shared, 'abort')).toHaveLength(5);
    for (const each of seen) each.leave();
    expect(getEventListeners(shared, 'abort')).toHaveLength(0);
  });
});
