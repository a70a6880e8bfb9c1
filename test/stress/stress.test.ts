import { from, lastValueFrom, NEVER, type Observable, Subject, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  checkLaws,
  executeTools,
  failure,
  output,
  type Tool,
  type ToolEvent,
  type ToolUse,
  toolStates,
} from '../../src/index.js';
import { codes, eventsOf, Seen, safeTool, unsafeTool, use } from '../engine/turns.js';

const many = 20_000;

const callsOf = (count: number, nameOf: (index: number) => string): readonly ToolUse[] =>
  Array.from({ length: count }, (_, index) => use(String(index), nameOf(index)));

const idsUpTo = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));

const resultIds = (events: readonly ToolEvent[]): readonly string[] =>
  eventsOf(events, 'result').map(({ toolUseId }) => toolUseId);

const runChecked = (calls: readonly ToolUse[], tools: readonly Tool[], options = {}): Observable<ToolEvent> =>
  from(calls).pipe(executeTools({ ...options, tools }), checkLaws());

/** Every call was answered once, in order, with this code; the first ones may have ended otherwise. */
const expectAll = (
  seen: Seen<ToolEvent>,
  count: number,
  code: string,
  first: readonly string[] = [],
): void => {
  expect(seen.ended).toBe('completed');
  expect(resultIds(seen.values)).toEqual(idsUpTo(count));
  const ended = eventsOf(seen.values, 'result').map(({ outcome }) => outcome.code);
  expect(ended.slice(0, first.length)).toEqual(first);
  expect(new Set(ended.slice(first.length))).toEqual(new Set([code]));
};

const quick = safeTool('quick', () => 'done');
const write = unsafeTool('write', () => 'done');
const endless = safeTool('endless', () => NEVER);

describe(`${many} calls`, () => {
  it('answered synchronously behind one slow call all arrive, in order', () => {
    const slow$ = new Subject<unknown>();
    const slow = safeTool('slow', () => slow$);
    const calls = callsOf(many, (index) => (index === 0 ? 'slow' : 'quick'));
    const seen = new Seen(runChecked(calls, [slow, quick]));
    expect(eventsOf(seen.values, 'completed')).toHaveLength(many - 1);
    expect(resultIds(seen.values)).toEqual([]);
    slow$.next(output('at last'));
    expectAll(seen, many, 'ok');
  });

  it('behind one slow unsafe call wait for it, and then all run', () => {
    const slow$ = new Subject<unknown>();
    const slow = unsafeTool('slow', () => slow$);
    const calls = callsOf(many, (index) => (index === 0 ? 'slow' : 'quick'));
    const seen = new Seen(runChecked(calls, [slow, quick]));
    expect(eventsOf(seen.values, 'started')).toHaveLength(1);
    slow$.next(output('at last'));
    expectAll(seen, many, 'ok');
  });

  it('alternately safe and unsafe, all synchronous, run one batch after the other', () => {
    const seen = new Seen(
      runChecked(
        callsOf(many, (index) => (index % 2 ? 'write' : 'quick')),
        [quick, write],
      ),
    );
    expectAll(seen, many, 'ok');
    expect(eventsOf(seen.values, 'queued').at(-1)?.batch).toBe(many - 1);
  });

  it('alternately safe and unsafe, released all at once behind a slow one, run one batch after the other', () => {
    const slow$ = new Subject<unknown>();
    const slow = unsafeTool('slow', () => slow$);
    const nameOf = (index: number) => (index === 0 ? 'slow' : index % 2 ? 'quick' : 'write');
    const seen = new Seen(runChecked(callsOf(many, nameOf), [slow, quick, write]));
    slow$.next(output('at last'));
    expectAll(seen, many, 'ok');
  });

  it('discarded while they wait are all answered and stand in the ledger', () => {
    const discard$ = new Subject<string>();
    const calls = callsOf(many, (index) => (index === 0 ? 'slow' : 'write'));
    const slow = unsafeTool('slow', () => NEVER, { graceMs: 0 });
    const seen = new Seen(runChecked(calls, [slow, write], { discard$ }));
    discard$.next('the model was changed');
    expectAll(seen, many, 'discarded');
    expect(eventsOf(seen.values, 'started')).toHaveLength(1);
    expect(eventsOf(seen.values, 'discarded')[0]?.ledger).toHaveLength(many);
  });

  it('aborted by a failing sibling are all answered', () => {
    const fails$ = new Subject<unknown>();
    const failing = safeTool('failing', () => fails$, { abortsSiblings: true });
    const calls = callsOf(many, (index) => (index === 0 ? 'failing' : 'endless'));
    const seen = new Seen(runChecked(calls, [failing, endless]));
    fails$.next(failure('no'));
    expectAll(seen, many, 'sibling_aborted', ['tool_error']);
    expect(eventsOf(seen.values, 'started')).toHaveLength(10);
  });

  it('interrupted are all answered', () => {
    const interrupt$ = new Subject<string>();
    const seen = new Seen(
      runChecked(
        callsOf(many, () => 'endless'),
        [endless],
        { interrupt$ },
      ),
    );
    interrupt$.next('stop');
    expectAll(seen, many, 'interrupted');
  });

  it('of promises, ten at a time, all run and never more than ten', async () => {
    let running = 0;
    let most = 0;
    const later = safeTool('later', async () => {
      most = Math.max(most, ++running);
      await undefined;
      running--;
      return 'done';
    });
    const events = await lastValueFrom(
      runChecked(
        callsOf(many, () => 'later'),
        [later],
      ).pipe(toArray()),
    );
    expect(resultIds(events)).toEqual(idsUpTo(many));
    expect(new Set(codes(events).map((text) => text.split(' ')[1]))).toEqual(new Set(['ok']));
    expect(most).toBe(10);
  });

  it('leave snapshots that can all be kept', () => {
    const seen = new Seen(
      runChecked(
        callsOf(many, () => 'quick'),
        [quick],
      ).pipe(toolStates()),
    );
    const half = seen.values[seen.values.length / 2 - 1];
    // Snapshots are views of one moment, not of now.
    expect(half?.size).toBe(many / 2);
    expect(seen.values.at(-1)?.size).toBe(many);
    expect([...(seen.values.at(-1) ?? [])].every(({ status }) => status === 'yielded')).toBe(true);
    expect(half?.get(String(many - 1))).toBeUndefined();
  });
});

it('5,000 siblings that run at the same time are all stopped by one failure', () => {
  const fails$ = new Subject<unknown>();
  const failing = safeTool('failing', () => fails$, { abortsSiblings: true });
  const count = 5_000;
  const calls = callsOf(count, (index) => (index === count - 1 ? 'failing' : 'endless'));
  const limits = { concurrency: Number.POSITIVE_INFINITY };
  const seen = new Seen(runChecked(calls, [failing, endless], { limits }));
  expect(eventsOf(seen.values, 'started')).toHaveLength(count);
  fails$.next(failure('no'));
  expect(seen.ended).toBe('completed');
  expect(eventsOf(seen.values, 'stopping')).toHaveLength(count - 1);
  expect(codes(seen.values).slice(0, 2)).toEqual(['0 sibling_aborted', '1 sibling_aborted']);
  expect(codes(seen.values).at(-1)).toBe(`${count - 1} tool_error`);
});

it('100,000 progress events of one call all come, in order', () => {
  const count = 100_000;
  const chatty = safeTool('chatty', (_input, ctx) => {
    for (let n = 0; n < count; n++) ctx.report(n);
    return 'done';
  });
  const seen = new Seen(runChecked([use('a', 'chatty')], [chatty]));
  expect(eventsOf(seen.values, 'progress').map(({ data }) => data)).toEqual(
    Array.from({ length: count }, (_, n) => n),
  );
  expect(codes(seen.values)).toEqual(['a ok']);
});

it('100,000 progress events leave snapshots that can all be kept', () => {
  const count = 100_000;
  const reports: ToolEvent[] = Array.from({ length: count }, (_, n) => ({
    type: 'progress',
    at: 0,
    toolUseId: 'a',
    name: 'chatty',
    data: n,
  }));
  const seen = new Seen(from(reports).pipe(toolStates()));
  expect(seen.values).toHaveLength(count);
  expect(seen.values[499]?.get('a')).toMatchObject({ updates: 500, progress: 499 });
});

it('2,000 turns of one operator leave no memory of each other', () => {
  const execute = executeTools({ tools: [quick] });
  for (let n = 0; n < 2_000; n++) {
    const seen = new Seen(from([use('same', 'quick')]).pipe(execute));
    expect(codes(seen.values)).toEqual(['same ok']);
  }
});
