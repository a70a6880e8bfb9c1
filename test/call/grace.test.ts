import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failure, type LateEvent, type Tool } from '../../src/index.js';
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

const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Interrupts `a`, a promise tool, at 10 ms; `b`, a safe call behind it, shows when its place was free. */
const interrupted = async (tool: Tool, graceMs?: number) => {
  const interrupt$ = new Subject<string>();
  const late: LateEvent[] = [];
  const seen = new Seen(
    turnOf([use('a', tool.name)], [tool], {
      interrupt$,
      onLate: (event) => void late.push(event),
      ...(graceMs === undefined ? undefined : { graceMs }),
    }),
  );
  await vi.advanceTimersByTimeAsync(10);
  interrupt$.next('stop');
  await vi.advanceTimersByTimeAsync(10_000);
  const [completed] = eventsOf(seen.values, 'completed');
  return { seen, late, at: completed?.at, outcome: outcomeOf(seen.values, 'a') };
};

const stopsAfter =
  (ms: number, how: () => unknown) => async (_input: never, ctx: { signal: AbortSignal }) => {
    await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
    await later(ms, undefined);
    return how();
  };

describe('the grace of a promise tool that is asked to stop', () => {
  it('is none for a safe one', async () => {
    const { at, outcome } = await interrupted(safeTool('tool', () => later(50, 'done')));
    expect(at).toBe(10);
    expect(outcome).toMatchObject({ code: 'interrupted', executed: 'unknown', stopped: false });
  });

  it('is two seconds for an unsafe one', async () => {
    const { at, outcome } = await interrupted(unsafeTool('tool', () => later(9_000, 'done')));
    expect(at).toBe(2_010);
    expect(outcome.stopped).toBe(false);
  });

  it('is what the turn says, where the tool says nothing', async () => {
    expect(
      (
        await interrupted(
          unsafeTool('tool', () => later(9_000, 1)),
          300,
        )
      ).at,
    ).toBe(310);
    expect(
      (
        await interrupted(
          safeTool('tool', () => later(9_000, 1)),
          300,
        )
      ).at,
    ).toBe(310);
  });

  it('is what the tool says, before all', async () => {
    expect(
      (
        await interrupted(
          unsafeTool('tool', () => later(9_000, 1), { graceMs: 0 }),
          300,
        )
      ).at,
    ).toBe(10);
  });

  it('ends with the tool: a value is a success', async () => {
    const { seen, at, outcome, late } = await interrupted(
      unsafeTool(
        'tool',
        stopsAfter(5, () => 'written'),
      ),
    );
    expect([at, outcome.code, outcome.executed]).toEqual([15, 'ok', 'yes']);
    expect(outcome.stopped).toBeUndefined();
    expect(textOf(seen.values, 'a')).toBe('written');
    expect(late).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ['an error', () => Promise.reject(new Error('half written')), 'half written'],
    ['a failure', () => failure('rolled back'), 'rolled back'],
  ])('ends with the tool: %s is the stop taking effect, with what it said', async (_name, how, said) => {
    const { seen, at, outcome } = await interrupted(unsafeTool('tool', stopsAfter(5, how)));
    expect(at).toBe(15);
    expect(outcome).toMatchObject({
      code: 'interrupted',
      executed: 'unknown',
      stopped: true,
      error: { message: said },
    });
    expect(textOf(seen.values, 'a')).toContain(said);
  });

  it('reaches the tool at once, with the cause for a reason', async () => {
    const reasons: unknown[] = [];
    const tool = unsafeTool('tool', async (_input, ctx) => {
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason, Date.now() - began));
      await later(50, 1);
    });
    const began = Date.now();
    await interrupted(tool);
    expect(reasons).toEqual([{ type: 'user', reason: 'stop' }, 10]);
  });

  it('lets nothing start over a tool that still writes', async () => {
    const log: string[] = [];
    const write = unsafeTool(
      'write',
      async () => {
        await later(100, undefined);
        log.push('written');
      },
      { timeoutMs: 10, graceMs: 200 },
    );
    const seen = new Seen(
      turnOf([use('a', 'write'), use('b', 'read')], [write, safeTool('read', () => log.push('read'))]),
    );
    await vi.advanceTimersByTimeAsync(500);
    expect(log).toEqual(['written', 'read']);
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
  });
});

describe('a signal of a call', () => {
  it('is not aborted by its success, nor by the end of its turn', async () => {
    let signal: AbortSignal | undefined;
    const tool = safeTool('tool', async (_input, ctx) => {
      signal = ctx.signal;
      return 'done';
    });
    const seen = new Seen(turnOf([use('a', 'tool')], [tool]));
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.ended).toBe('completed');
    expect(signal?.aborted).toBe(false);
  });

  it('is aborted when the turn is left', async () => {
    let signal: AbortSignal | undefined;
    const tool = safeTool('tool', async (_input, ctx) => {
      signal = ctx.signal;
      await later(100, 1);
    });
    new Seen(turnOf([use('a', 'tool')], [tool])).leave();
    expect(signal?.aborted).toBe(true);
  });

  it('asked for after the stop is aborted from the first', async () => {
    const states: boolean[] = [];
    const tool = unsafeTool('tool', async (_input, ctx) => {
      await later(20, undefined);
      states.push(ctx.signal.aborted);
    });
    await interrupted(tool);
    expect(states).toEqual([true]);
  });
});

describe('`report`', () => {
  it('works taken out of the context, and does nothing after the end', async () => {
    let kept: (data: unknown) => void = () => undefined;
    const tool = safeTool('tool', async (_input, { report }) => {
      kept = report;
      report('half');
      return 'done';
    });
    const seen = new Seen(turnOf([use('a', 'tool')], [tool]));
    await vi.advanceTimersByTimeAsync(1);
    kept('late');
    expect(eventsOf(seen.values, 'progress').map(({ data }) => data)).toEqual(['half']);
  });
});

describe('validateInput', () => {
  const checked = (validateInput: unknown) => {
    let called = 0;
    const tool = safeTool('tool', () => ++called, { validateInput: validateInput as never });
    const seen = new Seen(turnOf([use('a', 'tool'), use('b', 'tool')], [tool]));
    return { seen, called: () => called };
  };

  it('that answers nothing lets the call run; later too', async () => {
    const { seen } = checked(async () => undefined);
    expect(eventsOf(seen.values, 'waiting').map(({ reason }) => reason)).toEqual([
      'validation',
      'validation',
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
  });

  it('that answers a message keeps the call from running', () => {
    const { seen, called } = checked(() => 'the folder is closed');
    expect(codes(seen.values)).toEqual(['a invalid_input', 'b invalid_input']);
    expect(textOf(seen.values, 'a')).toContain('the folder is closed');
    expect(called()).toBe(0);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no disk');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk'))],
    ['answers something else', () => false],
  ])('that %s is the machinery at fault, and nothing is run', async (_name, validateInput) => {
    const { seen, called } = checked(validateInput);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({ code: 'infrastructure', executed: 'no' });
    expect(called()).toBe(0);
  });
});
