import { filter } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecuteToolsOptions, PermissionAnswer, Tool, ToolEvent } from '../../src/index.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  startedIds,
  textOf,
  turnOf,
  unsafeTool,
  use,
} from '../engine/turns.js';

const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));
const allow: PermissionAnswer = { behavior: 'allow' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('B39: the wait for an approval counts against no clock but its own', () => {
  const ran: string[] = [];
  const tool = unsafeTool('write', async (_input, ctx) => {
    ran.push(ctx.toolUse.id);
    return later(50, 'written');
  });
  const run = async (options: Partial<ExecuteToolsOptions>) => {
    ran.length = 0;
    const seen = new Seen(
      turnOf([use('a', 'write')], [tool], {
        timeoutMs: 100,
        canUseTool: () => later(500, allow),
        ...options,
      }),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    return seen;
  };

  it('a call that is approved after five times its limit runs, and succeeds', async () => {
    const seen = await run({});
    expect([codes(seen.values), ran]).toEqual([['a ok'], ['a']]);
    expect(outcomeOf(seen.values, 'a').durations).toMatchObject({ permission: 500, running: 50 });
  });

  it('its execution counts all the same', async () => {
    const seen = await run({ timeoutMs: 40, graceMs: 0 });
    expect(codes(seen.values)).toEqual(['a timeout']);
    expect(eventsOf(seen.values, 'stopping')[0]).toMatchObject({
      at: 540,
      cause: { limit: 'timeout', ms: 40 },
    });
  });

  it('an approval that comes after the run was aborted runs nothing', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const seen = await run({ signal: controller.signal });
    expect([codes(seen.values), ran]).toEqual([['a interrupted'], []]);
    expect(eventsOf(seen.values, 'completed')[0]?.at).toBe(200);
    expect(startedIds(seen.values)).toEqual([]);
    expect(eventsOf(seen.values, 'result')).toHaveLength(1);
  });

  it('it has a limit of its own, which denies when it lapses', async () => {
    const seen = await run({ permissions: { timeoutMs: 300 } });
    expect([codes(seen.values), ran]).toEqual([['a denied'], []]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      executed: 'no',
      by: { type: 'limit', limit: 'permission', ms: 300 },
    });
    expect(textOf(seen.values, 'a')).toContain('Nothing was run');
  });
});

describe('B41: progress keeps a call alive, whoever listens', () => {
  /** Reports every 50 ms, and ends after 400. */
  const reporting: Tool['call'] = async (_input, { report }) => {
    for (let n = 1; n < 8; n++) {
      await later(50, undefined);
      report(n);
    }
    return later(50, 'done');
  };
  const run = async (call: Tool['call'], members: Partial<Tool>, only?: ToolEvent['type']) => {
    const tool = safeTool('work', call, { idleTimeoutMs: 100, ...members });
    const events$ = turnOf([use('a', 'work')], [tool]);
    const seen = new Seen(only === undefined ? events$ : events$.pipe(filter(({ type }) => type === only)));
    await vi.advanceTimersByTimeAsync(1_000);
    return seen.values;
  };

  it.each([
    ['an observer of progress', undefined],
    ['an observer of results alone', 'result' as const],
  ])('with %s it ends well', async (_name, only) => {
    const events = await run(reporting, {}, only);
    expect(codes(events)).toEqual(['a ok']);
    expect(eventsOf(events, 'progress')).toHaveLength(only === undefined ? 7 : 0);
    expect(eventsOf(events, 'result')[0]).toMatchObject({
      at: 400,
      outcome: { durations: { running: 400 } },
    });
  });

  it.each([
    ['an observer of progress', undefined],
    ['an observer of results alone', 'result' as const],
  ])('with %s its overall limit holds', async (_name, only) => {
    const events = await run(reporting, { timeoutMs: 300 }, only);
    expect(eventsOf(events, 'result')[0]).toMatchObject({
      at: 300,
      outcome: { code: 'timeout', by: { type: 'limit', limit: 'timeout', ms: 300 } },
    });
  });

  it('without progress it ends at its idle limit', async () => {
    const events = await run(() => later(400, 'done'), {});
    expect(eventsOf(events, 'result')[0]).toMatchObject({
      at: 100,
      outcome: { code: 'timeout', by: { type: 'limit', limit: 'idle', ms: 100 } },
    });
  });
});

it('B23: a batch that comes while one waits for an approval is queued, and the turn is not over', async () => {
  const tools = [unsafeTool('write', () => 'written'), safeTool('read', () => 'read')];
  const answers: string[] = [];
  const canUseTool = async ({ name }: { readonly name: string }) => {
    answers.push(name);
    return later(name === 'write' ? 50 : 0, allow);
  };
  const calls = [use('a', 'write'), use('b', 'read'), use('c', 'write')];
  const seen = new Seen(turnOf(calls, tools, { canUseTool }));
  await vi.advanceTimersByTimeAsync(20);
  expect([seen.ended, startedIds(seen.values), answers]).toEqual(['open', [], ['write']]);
  await vi.advanceTimersByTimeAsync(100);
  expect(codes(seen.values)).toEqual(['a ok', 'b ok', 'c ok']);
  expect([seen.ended, startedIds(seen.values)]).toEqual(['completed', ['a', 'b', 'c']]);
});
