import { map, NEVER, Subject, throwError, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createPool, type ExecuteToolsOptions, failure, output, type Tool } from '../../src/index.js';
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

const transient = failure('busy', { transient: true });
const backoff = { initialMs: 100, factor: 2, maxMs: 1_000, jitter: 0 };

/** Runs one tool in virtual time, to the end. */
const played = (tool: Tool, options: Partial<ExecuteToolsOptions> = {}, ids: readonly string[] = ['a']) => {
  const scheduler = new VirtualTimeScheduler();
  scheduler.maxFrames = 10_000_000;
  const calls = ids.map((id) => use(id, tool.name));
  const seen = new Seen(turnOf(calls, [tool], { scheduler, ...options }));
  scheduler.flush();
  return seen;
};

/** Fails so many times before it answers. */
const flaky = (times: number, error: unknown = transient) => {
  const tries: number[] = [];
  const call: Tool['call'] = (_input, ctx) => {
    tries.push(ctx.attempt);
    return tries.length > times ? output('done') : error;
  };
  return { call, tries };
};

const starts = (seen: Seen<Parameters<typeof eventsOf>[0][number]>): readonly string[] =>
  eventsOf(seen.values, 'started').map(({ toolUseId, attempt, at }) => `${toolUseId}${attempt}@${at}`);

describe('a call that is retried', () => {
  it('waits longer each time, and ends with the first output', () => {
    const { call, tries } = flaky(3);
    const seen = played(safeTool('tool', call, { retry: { maxAttempts: 5, backoff } }));
    expect([codes(seen.values), tries]).toEqual([['a ok'], [1, 2, 3, 4]]);
    expect(starts(seen)).toEqual(['a1@0', 'a2@100', 'a3@300', 'a4@700']);
    expect(eventsOf(seen.values, 'attempt-failed')[0]).toMatchObject({
      attempt: 1,
      error: { message: 'busy' },
      delayMs: 100,
    });
    expect(eventsOf(seen.values, 'waiting').map(({ reason }) => reason)).toEqual([
      'backoff',
      'backoff',
      'backoff',
    ]);
    expect(outcomeOf(seen.values, 'a').durations).toMatchObject({ running: 700, queued: 0 });
  });

  it('gives up after its last attempt, with what that one said', () => {
    const { call, tries } = flaky(9);
    const seen = played(safeTool('tool', call, { retry: { maxAttempts: 2, backoff } }));
    expect([codes(seen.values), tries]).toEqual([['a tool_error'], [1, 2]]);
    expect(textOf(seen.values, 'a')).toBe('busy');
  });

  it('waits as long as the failure says, before what the policy says', () => {
    const { call } = flaky(1, failure('slow down', { transient: true, retryAfterMs: 777 }));
    expect(starts(played(safeTool('tool', call, { retry: { maxAttempts: 2, backoff } })))).toEqual([
      'a1@0',
      'a2@777',
    ]);
  });

  it('takes its chance from outside', () => {
    const { call } = flaky(1);
    const retry = { maxAttempts: 2, backoff: { ...backoff, jitter: 0.5 } };
    const delays = [0, 0.5, 0.999].map((random) => {
      const seen = played(safeTool('tool', flaky(1).call, { retry }), { random: () => random });
      return eventsOf(seen.values, 'attempt-failed')[0]?.delayMs;
    });
    expect(delays).toEqual([100, 75, 50]);
    const broken = () => {
      throw new Error('no dice');
    };
    expect(starts(played(safeTool('tool', call, { retry }), { random: broken }))).toEqual(['a1@0', 'a2@100']);
  });

  it.each<[string, unknown, Partial<Tool>]>([
    ['of a failure that is not marked', failure('wrong'), {}],
    ['of a throw', throwError(() => new Error('broken')), {}],
    ['where its own word says no', transient, { retry: { maxAttempts: 5, retryOn: () => false } }],
    [
      'where its own word fails',
      transient,
      {
        retry: {
          maxAttempts: 5,
          retryOn: () => {
            throw new Error('?');
          },
        },
      },
    ],
    ['without a policy', transient, { retry: undefined as never }],
  ])('is not retried %s', (_name, error, members) => {
    const { call, tries } = flaky(9, error);
    played(safeTool('tool', call, { retry: { maxAttempts: 5, backoff }, ...members }));
    expect(tries).toEqual([1]);
  });

  it('is retried where its own word says yes', () => {
    const { call, tries } = flaky(1, failure('wrong'));
    played(safeTool('tool', call, { retry: { maxAttempts: 5, backoff, retryOn: () => true } }));
    expect(tries).toEqual([1, 2]);
  });

  it.each<[string, Partial<Tool>, unknown, number]>([
    ['unsafe', {}, transient, 1],
    ['unsafe and idempotent', { isIdempotent: () => true }, transient, 2],
    [
      'unsafe, and it may have taken effect',
      { isIdempotent: () => true },
      failure('lost', { transient: true, infrastructure: true, executed: 'unknown' } as never),
      1,
    ],
    [
      'unsafe, and its hint throws',
      {
        isIdempotent: () => {
          throw new Error('?');
        },
      },
      transient,
      1,
    ],
  ])('is run again only where that is safe: %s', (_name, members, error, count) => {
    const { call, tries } = flaky(1, error);
    played(unsafeTool('tool', call, { retry: { maxAttempts: 5, backoff }, ...members }));
    expect(tries).toHaveLength(count);
  });

  it('gives its slot back while it waits, in the turn and in the pool', () => {
    const pool = createPool({ concurrency: 1 });
    let failed = false;
    const tool = safeTool(
      'tool',
      (_input, ctx) => {
        if (ctx.toolUse.id === 'b' || failed)
          return timer(150, ctx.scheduler).pipe(map(() => output('done')));
        failed = true;
        return transient;
      },
      { retry: { maxAttempts: 2, backoff } },
    );
    const seen = played(tool, { pool, limits: { concurrency: 1 } }, ['a', 'b']);
    expect(starts(seen)).toEqual(['a1@0', 'b1@0', 'a2@150']);
    expect([codes(seen.values), pool.running]).toEqual([['a ok', 'b ok'], 0]);
  });

  it('keeps its place while it waits, where it is unsafe', () => {
    const { call } = flaky(1);
    const tool = unsafeTool('tool', call, { retry: { maxAttempts: 2, backoff }, isIdempotent: () => true });
    expect(starts(played(tool, {}, ['a', 'b']))).toEqual(['a1@0', 'a2@100', 'b1@100']);
  });

  it('is bounded by its own limit over all attempts', () => {
    const { call, tries } = flaky(99);
    const tool = safeTool('tool', call, { retry: { maxAttempts: 99, backoff }, timeoutMs: 250 });
    const seen = played(tool);
    expect([codes(seen.values), tries]).toEqual([['a timeout'], [1, 2]]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      by: { type: 'limit', limit: 'timeout', ms: 250 },
      stopped: true,
      error: { message: 'busy' },
    });
  });

  it.each(['interrupt$', 'discard$'] as const)('ends its waiting at once on %s', (control) => {
    const stop$ = new Subject<string>();
    const scheduler = new VirtualTimeScheduler();
    const { call, tries } = flaky(1);
    const tool = unsafeTool('tool', call, { retry: { maxAttempts: 2, backoff }, isIdempotent: () => true });
    const seen = new Seen(turnOf([use('a', 'tool')], [tool], { scheduler, [control]: stop$ }));
    stop$.next('enough');
    expect([seen.ended, tries]).toEqual(['completed', [1]]);
    expect(outcomeOf(seen.values, 'a').executed).toBe('unknown');
    scheduler.flush();
    expect([tries, scheduler.frame]).toEqual([[1], 0]);
  });
});

it('a tool that finishes what it has begun has nothing to finish between two attempts', () => {
  const interrupt$ = new Subject<string>();
  const { call, tries } = flaky(1);
  const tool = safeTool('tool', call, { retry: { maxAttempts: 2, backoff }, onInterrupt: 'finish' });
  const scheduler = new VirtualTimeScheduler();
  const seen = new Seen(turnOf([use('a', 'tool')], [tool], { scheduler, interrupt$ }));
  interrupt$.next('enough');
  expect([codes(seen.values), seen.ended, tries]).toEqual([['a interrupted'], 'completed', [1]]);
});

describe('the limit of one attempt', () => {
  const retry = { maxAttempts: 2, attemptTimeoutMs: 50, backoff };

  it('ends it, and the next one follows', () => {
    const aborted: string[] = [];
    let count = 0;
    const tool = safeTool(
      'tool',
      (_input, ctx) => {
        ctx.abort$.subscribe((cause) => aborted.push(JSON.stringify(cause)));
        return ++count === 1 ? NEVER : output('done');
      },
      { retry },
    );
    const seen = played(tool);
    expect([codes(seen.values), starts(seen)]).toEqual([['a ok'], ['a1@0', 'a2@150']]);
    expect(aborted).toEqual(['{"type":"limit","limit":"attempt","ms":50}']);
    expect(eventsOf(seen.values, 'attempt-failed')[0]?.by).toEqual({
      type: 'limit',
      limit: 'attempt',
      ms: 50,
    });
  });

  it('ends an unsafe call, which may have taken effect', () => {
    const tool = unsafeTool('tool', () => NEVER, { retry, isIdempotent: () => true });
    const seen = played(tool);
    expect([codes(seen.values), starts(seen)]).toEqual([['a timeout'], ['a1@0']]);
    expect(textOf(seen.values, 'a')).toMatch(/longer than its limit of 50 ms/);
  });

  it('of the last attempt ends the call', () => {
    const seen = played(safeTool('tool', () => NEVER, { retry }));
    expect([codes(seen.values), starts(seen)]).toEqual([['a timeout'], ['a1@0', 'a2@150']]);
  });
});

describe('the limit of silence', () => {
  const quiet = (progressEvery: number): Tool =>
    safeTool(
      'tool',
      (_input, ctx) => {
        const report = (): unknown => ctx.report('on it');
        const ticks = timer(0, progressEvery, ctx.scheduler).subscribe(report);
        ctx.abort$.subscribe(() => ticks.unsubscribe());
        return timer(400, ctx.scheduler).pipe(
          map(() => {
            ticks.unsubscribe();
            return output('done');
          }),
        );
      },
      { idleTimeoutMs: 100 },
    );

  it('is put off by every sign of progress', () => {
    expect(codes(played(quiet(50)).values)).toEqual(['a ok']);
  });

  it('ends a call that gives none', () => {
    const seen = played(quiet(150));
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'timeout', by: { limit: 'idle', ms: 100 } });
    expect(textOf(seen.values, 'a')).toMatch(/no sign of progress for 100 ms/);
    expect(eventsOf(seen.values, 'completed')[0]?.at).toBe(100);
  });

  it('holds beside the limit of all', () => {
    const tool = { ...quiet(50), timeoutMs: 300 };
    expect(outcomeOf(played(tool).values, 'a')).toMatchObject({ by: { limit: 'timeout', ms: 300 } });
  });
});
