import { getEventListeners } from 'node:events';
import { lastValueFrom, NEVER, of, Subject, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  executeTools,
  failure,
  type LateEvent,
  output,
  progress,
  type ToolEvent,
  toAsyncIterable,
} from '../../src/index.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  textOf,
  turnOf,
  unsafeTool,
  use,
} from '../engine/turns.js';
import { settled, unhandledIn } from '../interop/receiver.js';

const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('B27: a run whose signal is aborted ends at once, says so once, and settles everything', () => {
  it('(a) aborted before it began: no tool is started, every call is answered', async () => {
    let started = 0;
    const signal = AbortSignal.abort('closed');
    const tools = [safeTool('read', () => ++started)];
    const seen = new Seen(turnOf([use('a', 'read'), use('b', 'read')], tools, { signal }));
    expect(seen.ended).toBe('completed');
    expect(started).toBe(0);
    expect(eventsOf(seen.values, 'stop')).toEqual([{ type: 'stop', at: 0, reason: 'aborted', by: 'closed' }]);
    expect(codes(seen.values)).toEqual(['a interrupted', 'b interrupted']);
    expect(outcomeOf(seen.values, 'a').executed).toBe('no');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('(a) aborted before it began, with a source that never ends', () => {
    const seen = new Seen(
      NEVER.pipe(executeTools({ tools: [safeTool('read', () => 1)], signal: AbortSignal.abort() })),
    );
    expect(seen.ended).toBe('completed');
    expect(eventsOf(seen.values, 'stop')).toHaveLength(1);
  });

  it('(b) aborted during the only call: the promise of the loop settles', async () => {
    const controller = new AbortController();
    const events: ToolEvent[] = [];
    const loop = (async () => {
      const turn = turnOf([use('a', 'read')], [safeTool('read', never)], { signal: controller.signal });
      for await (const event of toAsyncIterable(turn)) events.push(event);
    })();
    setTimeout(() => controller.abort('closing'), 20);
    await vi.advanceTimersByTimeAsync(20);
    await loop;
    expect(eventsOf(events, 'stop')).toMatchObject([{ at: 20, by: 'closing' }]);
    expect(codes(events)).toEqual(['a interrupted']);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('(c) aborted while the source is open and silent: the source is left', () => {
    const source = new Subject<never>();
    const controller = new AbortController();
    const seen = new Seen(source.pipe(executeTools({ tools: [], signal: controller.signal })));
    controller.abort();
    expect(seen.ended).toBe('completed');
    expect(eventsOf(seen.values, 'stop')).toHaveLength(1);
    expect(source.observed).toBe(false);
  });
});

/** A safe tool that ignores its signal, aborted 20 ms after it was called. */
const ignoring = async (call: () => unknown, graceMs: number) => {
  const controller = new AbortController();
  const late: LateEvent[] = [];
  const tools = [safeTool('deaf', call, { graceMs }), safeTool('read', () => 'done')];
  const seen = new Seen(
    turnOf([use('a', 'deaf'), use('b', 'read')], tools, {
      signal: controller.signal,
      onLate: (event) => void late.push(event),
    }),
  );
  setTimeout(() => controller.abort(), 20);
  await vi.advanceTimersByTimeAsync(20 + graceMs);
  return { seen, late };
};

describe('B28: a tool that ignores its signal does not hold the turn, and the host is told that it lives on', () => {
  it('that never settles', async () => {
    const { seen, late } = await ignoring(never, 50);
    expect(seen.ended).toBe('completed');
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      code: 'interrupted',
      executed: 'unknown',
      stopped: false,
    });
    expect(eventsOf(seen.values, 'completed').find(({ toolUseId }) => toolUseId === 'a')?.at).toBe(70);
    expect(late).toMatchObject([{ type: 'running', toolUse: { id: 'a' } }]);
    expect(codes(seen.values)).toEqual(['a interrupted', 'b ok']);
  });

  it('that resolves 300 ms after the abort: the late value is dropped and told', async () => {
    const { seen, late } = await ignoring(() => later(320, 'too late'), 50);
    const before = seen.values.length;
    await vi.advanceTimersByTimeAsync(500);
    expect(seen.values).toHaveLength(before);
    expect(late).toMatchObject([
      { type: 'running', toolUse: { id: 'a' } },
      { type: 'value', toolUse: { id: 'a' }, value: 'too late' },
    ]);
  });

  it('that resolves within its grace: the value is the outcome', async () => {
    const { seen, late } = await ignoring(() => later(60, 'in time'), 50);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'ok', executed: 'yes' });
    expect(textOf(seen.values, 'a')).toBe('in time');
    expect(late).toEqual([]);
  });

  it('that is an async generator suspended on a never-settling await', async () => {
    const { seen, late } = await ignoring(async function* () {
      yield progress('begun');
      await never();
    }, 50);
    expect(seen.ended).toBe('completed');
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'interrupted', stopped: false });
    expect(late).toMatchObject([{ type: 'running' }]);
  });
});

describe('B30: whatever loses a race and fails later is told to `onLate`, and never an unhandled rejection', () => {
  const rejecting = (ms: number) => () => later(ms, undefined).then(() => Promise.reject(new Error('late')));
  const run = async (call: (input: never) => unknown, members: object) => {
    const late: LateEvent[] = [];
    let seen = new Seen<ToolEvent>(NEVER);
    const unhandled = await unhandledIn(async () => {
      const tools = [safeTool('tool', call, members)];
      seen = new Seen(turnOf([use('a', 'tool')], tools, { onLate: (event) => void late.push(event) }));
      await vi.advanceTimersByTimeAsync(1_000);
    });
    return { seen, late, unhandled };
  };

  it('a tool that rejects 50 ms after its timeout', async () => {
    const { seen, late, unhandled } = await run(rejecting(150), { timeoutMs: 100 });
    expect(codes(seen.values)).toEqual(['a timeout']);
    expect(late.map(({ type }) => type)).toEqual(['running', 'error']);
    expect(unhandled).toEqual([]);
  });

  it('a tool that rejects after its timeout and was called by a thenable', async () => {
    const { late, unhandled } = await run(
      () => ({
        then: (_resolve: unknown, reject: (error: unknown) => void) => void setTimeout(() => reject(1), 150),
      }),
      { timeoutMs: 100 },
    );
    expect(late.map(({ type }) => type)).toEqual(['running', 'error']);
    expect(unhandled).toEqual([]);
  });

  it('an iterator whose `return` rejects', async () => {
    const answer = {
      [Symbol.asyncIterator]: () => ({ next: never, return: () => Promise.reject(new Error('late')) }),
    };
    const { seen, late, unhandled } = await run(() => answer, { timeoutMs: 100 });
    expect(codes(seen.values)).toEqual(['a timeout']);
    expect(late.map(({ type }) => type)).toEqual(['running', 'error']);
    expect(unhandled).toEqual([]);
  });

  it('an async generator whose `finally` throws', async () => {
    const { seen, unhandled } = await run(
      async function* () {
        try {
          yield progress(1);
          await later(200, undefined);
          yield progress(2);
        } finally {
          // biome-ignore lint/correctness/noUnsafeFinally: the fault under test
          throw new Error('the lock is gone');
        }
      },
      { timeoutMs: 100 },
    );
    expect(codes(seen.values)).toEqual(['a timeout']);
    expect(unhandled).toEqual([]);
  });

  it('a tool that rejects after the turn was left', async () => {
    const late: LateEvent[] = [];
    const unhandled = await unhandledIn(async () => {
      const tools = [safeTool('tool', rejecting(50))];
      const seen = new Seen(turnOf([use('a', 'tool')], tools, { onLate: (event) => void late.push(event) }));
      seen.leave();
      await vi.advanceTimersByTimeAsync(100);
    });
    expect(late.map(({ type }) => type)).toEqual(['running', 'error']);
    expect(unhandled).toEqual([]);
  });

  it('a check of the input that rejects after the interruption', async () => {
    const interrupt$ = new Subject<string>();
    const unhandled = await unhandledIn(async () => {
      const tools = [safeTool('tool', () => 1, { validateInput: rejecting(50) as never })];
      const seen = new Seen(turnOf([use('a', 'tool')], tools, { interrupt$ }));
      interrupt$.next('stop');
      expect(codes(seen.values)).toEqual(['a interrupted']);
      await vi.advanceTimersByTimeAsync(100);
    });
    expect(unhandled).toEqual([]);
  });

  it('an `onLate` that throws', async () => {
    const unhandled = await unhandledIn(async () => {
      const tools = [safeTool('tool', rejecting(150), { timeoutMs: 100 })];
      const boom = (): never => {
        throw new Error('the host');
      };
      new Seen(turnOf([use('a', 'tool')], tools, { onLate: boom }));
      await vi.advanceTimersByTimeAsync(1_000);
    });
    expect(unhandled).toEqual([]);
  });

  it('a `mapResult` that was written as an async function and rejects', async () => {
    const { seen, unhandled } = await run(() => 'done', {
      mapResult: async () => Promise.reject(new Error('no template')),
    });
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'infrastructure', executed: 'yes' });
    expect(unhandled).toEqual([]);
  });

  const askedLate = async (): Promise<never> => Promise.reject(new Error('asked too late'));

  it('an `isConcurrencySafe` that was written as an async function and rejects', async () => {
    const { seen, unhandled } = await run(() => 'done', { isConcurrencySafe: askedLate });
    expect(codes(seen.values)).toEqual(['a ok']);
    expect(unhandled).toEqual([]);
  });

  it('an `abortsSiblings` that was written as an async function and rejects', async () => {
    const { seen, unhandled } = await run(() => failure('no'), { abortsSiblings: askedLate });
    expect(codes(seen.values)).toEqual(['a tool_error']);
    expect(unhandled).toEqual([]);
  });
});

describe('B37: an async generator is asked to stop at once, by signal and by `return`, and not waited for', () => {
  it('unsubscribed from while it works, its signal fires at once and it does no step more', async () => {
    const log: string[] = [];
    const tool = unsafeTool('tool', async function* (_input, ctx) {
      ctx.signal.addEventListener('abort', () => log.push(`aborted at ${Date.now() - began}`));
      yield progress(1);
      await later(30, undefined);
      log.push('side effect');
      yield progress(2);
      log.push('went on');
    });
    const began = Date.now();
    const seen = new Seen(turnOf([use('a', 'tool')], [tool]));
    await vi.advanceTimersByTimeAsync(10);
    seen.leave();
    expect(log).toEqual(['aborted at 10']);
    await vi.advanceTimersByTimeAsync(100);
    expect(log).not.toContain('went on');
  });

  it('can stop itself by its signal before its side effect', async () => {
    const log: string[] = [];
    const tool = unsafeTool('tool', async function* (_input, ctx) {
      yield progress(1);
      await Promise.race([
        later(30, undefined),
        new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('stopped')))),
      ]);
      log.push('side effect');
    });
    const interrupt$ = new Subject<string>();
    const seen = new Seen(turnOf([use('a', 'tool')], [tool], { interrupt$ }));
    await vi.advanceTimersByTimeAsync(10);
    interrupt$.next('stop');
    await vi.advanceTimersByTimeAsync(100);
    expect(log).toEqual([]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'interrupted', stopped: true });
    expect(eventsOf(seen.values, 'completed')[0]?.at).toBe(10);
  });

  it('stuck for ever, it holds its place for its grace alone, and the outcome says that it was not seen to stop', async () => {
    let freed = false;
    const tool = unsafeTool('tool', async function* () {
      try {
        yield progress(1);
        await never();
      } finally {
        freed = true;
      }
    });
    const late: LateEvent[] = [];
    const interrupt$ = new Subject<string>();
    const seen = new Seen(
      turnOf([use('a', 'tool')], [tool], {
        interrupt$,
        graceMs: 40,
        onLate: (event) => void late.push(event),
      }),
    );
    await vi.advanceTimersByTimeAsync(10);
    interrupt$.next('stop');
    await vi.advanceTimersByTimeAsync(40);
    expect(seen.ended).toBe('completed');
    expect(freed).toBe(false);
    expect(outcomeOf(seen.values, 'a').stopped).toBe(false);
    expect(late).toMatchObject([{ type: 'running', toolUse: { id: 'a' } }]);
    await settled();
  });

  it('that gives its output is closed behind it', async () => {
    let closed = 0;
    const tool = safeTool('tool', async function* () {
      try {
        yield output('done');
        yield output('again');
      } finally {
        closed++;
      }
    });
    const events = await lastValueFrom(of(use('a', 'tool')).pipe(executeTools({ tools: [tool] }), toArray()));
    await settled();
    expect(codes(events)).toEqual(['a ok']);
    expect(closed).toBe(1);
  });
});
