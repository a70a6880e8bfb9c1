import { from, NEVER, of, Subject, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { marblesWith } from '../../marbles/testing/index.js';
import {
  defineTool,
  executeTools,
  failure,
  MisuseError,
  output,
  type ToolEvent,
  type ToolResultMessage,
  toolResultMessage,
} from '../../src/index.js';
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
const never = (): Promise<never> => new Promise(() => undefined);
const marbles = marblesWith(it);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const messageOf = (events: readonly ToolEvent[]): ToolResultMessage | undefined =>
  new Seen(from(events).pipe(toolResultMessage())).values[0];

it('B02: siblings that had ended keep their result when another never settles', async () => {
  const controller = new AbortController();
  const tools = [
    safeTool('a', () => later(10, 'the result of a')),
    safeTool('b', () => later(20, 0).then(() => Promise.reject(new Error('the error of b')))),
    safeTool('c', never),
  ];
  const seen = new Seen(
    turnOf(
      tools.map(({ name }) => use(name, name)),
      tools,
      { signal: controller.signal, graceMs: 50 },
    ),
  );
  setTimeout(() => controller.abort(), 100);
  await vi.advanceTimersByTimeAsync(150);
  expect(seen.ended).toBe('completed');
  expect(codes(seen.values)).toEqual(['a ok', 'b tool_error', 'c interrupted']);
  expect([textOf(seen.values, 'a'), textOf(seen.values, 'b')]).toEqual(['the result of a', 'the error of b']);
  expect(outcomeOf(seen.values, 'c')).toMatchObject({ executed: 'unknown', stopped: false });
  const content = messageOf(seen.values)?.content ?? [];
  expect(content.map((block) => (block as { tool_use_id?: string }).tool_use_id)).toEqual(['a', 'b', 'c']);
});

it('B03: one user message, all results first, images inside them, notes behind', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
  const tools = [
    safeTool('read', () => 'text'),
    safeTool('shot', () => 'shot', { mapResult: () => [{ type: 'text', text: 'seen' }, image] }),
    safeTool('noted', () => output('text', { newMessages: [{ role: 'user', content: 'a note' }] })),
  ];
  const names = ['read', 'shot', 'read', 'noted', 'read'];
  const seen = new Seen(
    turnOf(
      names.map((name, n) => use(String(n), name)),
      tools,
    ).pipe(toolResultMessage(), toArray()),
  );
  expect(seen.values[0]).toHaveLength(1);
  const content = seen.values[0]?.[0]?.content ?? [];
  expect(content.map(({ type }) => type)).toEqual([...Array(5).fill('tool_result'), 'text']);
  expect(content[1]).toMatchObject({ tool_use_id: '1', content: [{ type: 'text' }, image] });
  expect(content.at(-1)).toEqual({ type: 'text', text: 'a note' });
});

it('B04: the message to the model is the same, byte for byte, for every timing', async () => {
  const bytesOf = async (delays: readonly number[]): Promise<string> => {
    const tools = [
      safeTool('sleep', (input: never) => later(delays[Number((input as { n: number }).n)] ?? 0, 'slept')),
      safeTool('refused', () => 1, { inputSchema: z.object({ never: z.never() }) }),
    ];
    const calls = [
      use('a', 'sleep', { n: 0 }),
      use('b', 'sleep', { n: 1 }),
      use('c', 'refused', { never: 1 }),
    ];
    const seen = new Seen(turnOf(calls, tools));
    await vi.advanceTimersByTimeAsync(200);
    expect(codes(seen.values)).toEqual(['a ok', 'b ok', 'c invalid_input']);
    return JSON.stringify(messageOf(seen.values));
  };
  const first = await bytesOf([50, 10]);
  for (const delays of [
    [10, 50],
    [0, 0],
    [30, 30],
    [100, 1],
  ])
    expect(await bytesOf(delays)).toBe(first);
});

it('B06: `bare` sends nothing behind the results, where a server call stands unanswered', () => {
  const noted = safeTool('lookup', () =>
    output('found', { newMessages: [{ role: 'user', content: 'a note' }] }),
  );
  const events$ = () => turnOf([use('t1', 'lookup')], [noted]);
  const [bare] = new Seen(events$().pipe(toolResultMessage({ bare: true }))).values;
  expect(bare?.content).toEqual([{ type: 'tool_result', tool_use_id: 't1', content: 'found' }]);
  expect(new Seen(events$().pipe(toolResultMessage())).values[0]?.content).toHaveLength(2);
});

describe('B22: edits of one file, called in one message, do not lose each other', () => {
  const setUp = () => {
    let file = Array.from({ length: 100 }, (_, n) => String(n));
    let inside = 0;
    const edit = unsafeTool('edit', async (input: never) => {
      expect(inside++).toBe(0);
      const { line } = input as { readonly line: number };
      const read = [...file];
      await later(5, undefined);
      read[line] = 'edited';
      file = read;
      inside--;
      return 'ok';
    });
    const read = safeTool('read', async () => {
      expect(inside).toBe(0);
      await later(1, undefined);
      return file.filter((text) => text === 'edited').length;
    });
    return { edit, read, edited: () => file.filter((text) => text === 'edited').length };
  };

  it('six edits all survive', async () => {
    const { edit, edited } = setUp();
    const seen = new Seen(
      turnOf(
        [1, 2, 3, 4, 5, 6].map((line) => use(String(line), 'edit', { line })),
        [edit],
      ),
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(new Set(codes(seen.values).map((text) => text.slice(2)))).toEqual(new Set(['ok']));
    expect(edited()).toBe(6);
  });

  it('each read sees the edits before it, and none after', async () => {
    const { edit, read } = setUp();
    const calls = [
      use('e1', 'edit', { line: 1 }),
      use('r1', 'read'),
      use('e2', 'edit', { line: 2 }),
      use('r2', 'read'),
    ];
    const seen = new Seen(turnOf(calls, [edit, read]));
    await vi.advanceTimersByTimeAsync(100);
    expect([textOf(seen.values, 'r1'), textOf(seen.values, 'r2')]).toEqual(['1', '2']);
  });
});

it('B23: a second batch that arrives while the first runs is queued, and no result comes twice', async () => {
  const source = new Subject<ReturnType<typeof use>>();
  const tools = [unsafeTool('slow', () => later(50, 'done')), safeTool('read', () => 'done')];
  const seen = new Seen(source.pipe(executeTools({ tools })));
  source.next(use('a', 'slow'));
  await vi.advanceTimersByTimeAsync(10);
  source.next(use('b', 'read'));
  source.next(use('c', 'slow'));
  source.complete();
  await vi.advanceTimersByTimeAsync(10);
  expect(seen.ended).toBe('open');
  expect(startedIds(seen.values)).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(80);
  expect(codes(seen.values)).toEqual(['a ok', 'b ok', 'c ok']);
  expect(seen.ended).toBe('completed');
});

describe('B25: only a declared cascading failure cancels', () => {
  // A validation error and a plain failure beside others: `test/scenarios/table.ts`, 'a call that will not run never
  // cascades' and 'a failure that does not cascade leaves its siblings alone'.
  marbles('a non-zero status told as a result cancels nobody', ({ model, tool, expectTurn }) => {
    const tools = {
      ls: tool.safe('-|', { abortsSiblings: true, output: { exitCode: 2 } }),
      read: tool.safe('---|'),
    };
    expectTurn(model('(abc|)', { a: 'ls', b: 'read', c: 'read' }), tools).toBe(`
      a ^|
      b ^--|
      c ^--|
    `);
  });

  marbles(
    'a sibling that had finished keeps its result, the others are cancelled',
    ({ model, tool, expectTurn }) => {
      const tools = {
        bad: tool.safe('--#', { abortsSiblings: true }),
        quick: tool.safe('-|'),
        read: tool.safe('---|'),
      };
      expectTurn(model('(abc|)', { a: 'quick', b: 'bad', c: 'read' }), tools).toBe(`
      a ^|
      b ^-#
      c ^-!
    `);
    },
  );

  it('a validation error of the very tool that cascades cancels nobody', () => {
    const bad = safeTool('bad', () => failure('no'), {
      abortsSiblings: true,
      inputSchema: z.object({ n: z.number() }),
    });
    const seen = new Seen(
      turnOf([use('a', 'bad', {}), use('b', 'read'), use('c', 'read')], [bad, safeTool('read', () => 1)]),
    );
    expect(codes(seen.values)).toEqual(['a invalid_input', 'b ok', 'c ok']);
  });

  it('is told from what it failed with', () => {
    const bad = safeTool('bad', () => failure('no match', { data: { exitCode: 1 } }), {
      abortsSiblings: (error) => (error as { data?: { exitCode?: number } }).data?.exitCode !== 1,
    });
    const seen = new Seen(turnOf([use('a', 'bad'), use('b', 'read')], [bad, safeTool('read', () => 1)]));
    expect(codes(seen.values)).toEqual(['a tool_error', 'b ok']);
  });
});

describe('B36: a turn runs once, whatever the number of observers', () => {
  const counting = () => {
    const count = { calls: 0 };
    const work$ = new Subject<unknown>();
    const tool = safeTool('tool', () => {
      count.calls++;
      return work$;
    });
    return { count, work$, turn$: turnOf([use('a', 'tool')], [tool]) };
  };

  it('two at once share it', () => {
    const { count, work$, turn$ } = counting();
    const first = new Seen(turn$);
    const second = new Seen(turn$);
    work$.next(output('done'));
    expect([codes(first.values), codes(second.values)]).toEqual([['a ok'], ['a ok']]);
    expect(count.calls).toBe(1);
  });

  it('one after its end is refused, and told why', () => {
    const { count, work$, turn$ } = counting();
    new Seen(turn$);
    work$.next(output('done'));
    const late = new Seen(turn$);
    expect(late.values).toEqual([]);
    expect((late.ended as { error: unknown }).error).toBeInstanceOf(MisuseError);
    expect(String((late.ended as { error: unknown }).error)).toMatch(/this turn is over/);
    expect(count.calls).toBe(1);
  });

  it('one after a turn whose answers were all there at once is refused too', () => {
    let calls = 0;
    const turn$ = turnOf([use('a', 'tool')], [safeTool('tool', () => ++calls)]);
    expect(new Seen(turn$).ended).toBe('completed');
    expect(new Seen(turn$).ended).not.toBe('completed');
    expect(calls).toBe(1);
  });

  it('the last one that leaves cancels it, not the first', () => {
    const { work$, turn$ } = counting();
    const first = new Seen(turn$);
    const second = new Seen(turn$);
    first.leave();
    expect(work$.observed).toBe(true);
    second.leave();
    expect(work$.observed).toBe(false);
  });

  it('one that throws neither stops the run nor takes results from others', () => {
    const { work$, turn$ } = counting();
    turn$.subscribe({
      next: () => {
        throw new Error('the host');
      },
    });
    const second = new Seen(turn$);
    work$.next(output('done'));
    // RxJS gives what an observer throws to the host, on a timer.
    expect(() => vi.runAllTimers()).toThrow('the host');
    vi.clearAllTimers();
    expect(codes(second.values)).toEqual(['a ok']);
    expect(second.ended).toBe('completed');
  });
});

describe('B38: virtual and real time give the same list of events', () => {
  // The whole table of schedules under both clocks: `test/scenarios/virtual.test.ts` and `promises.test.ts`.
  const tools = (never$: () => unknown) => [
    unsafeTool('endless', never$, { timeoutMs: 100, graceMs: 30 }),
    safeTool('read', () => 'done'),
  ];
  const calls = [use('a', 'endless'), use('b', 'read')];

  it('of a timeout and its grace', async () => {
    const real = new Seen(turnOf(calls, tools(never)));
    await vi.advanceTimersByTimeAsync(200);
    const scheduler = new TestScheduler(() => undefined);
    const virtual = scheduler.run(({ flush }) => {
      const seen = new Seen(of(...calls).pipe(executeTools({ tools: tools(never), scheduler })));
      flush();
      return seen;
    });
    expect(real.ended).toBe('completed');
    expect(virtual.values).toEqual(real.values);
    expect(eventsOf(real.values, 'stopping')[0]?.at).toBe(100);
    expect(eventsOf(real.values, 'completed')[0]?.at).toBe(130);
  });

  it('all time of a turn comes from its scheduler: none is taken from the machine', () => {
    const scheduler = new TestScheduler(() => undefined);
    scheduler.run(({ flush }) => {
      new Seen(of(...calls).pipe(executeTools({ tools: tools(() => NEVER), scheduler })));
      expect(vi.getTimerCount()).toBe(0);
      flush();
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});

describe('B53: names that no tool has', () => {
  const tools = [
    defineTool({
      name: 'read',
      inputSchema: z.object({}),
      isConcurrencySafe: () => true,
      call: () => 'done',
    }),
    safeTool('hidden', () => 'secret'),
    safeTool('odd', () => 'done', {
      isConcurrencySafe: () => {
        throw new Error('an unparsable quote');
      },
    }),
  ];
  const names = [
    'serch_files',
    'Read',
    'constructor',
    'toString',
    '__proto__',
    '',
    're ad\u0000',
    'hidden',
    'odd',
  ];
  const seen = new Seen(
    turnOf(
      [use('first', 'read'), ...names.map((name) => use(`id ${name}`, name)), use('last', 'read')],
      tools,
      { offered: (name) => name !== 'hidden' },
    ),
  );

  it.each(names.slice(0, -1))('%j gets one error that lists only what is offered', (name) => {
    expect(outcomeOf(seen.values, `id ${name}`)).toMatchObject({ code: 'unknown_tool', executed: 'no' });
    const text = textOf(seen.values, `id ${name}`);
    expect(text).toContain('Tools you can use: read, odd.');
    expect(text.replace(JSON.stringify(name), '')).not.toContain('hidden');
  });

  it('the good reads run, and a predicate that throws means unsafe', () => {
    expect(outcomeOf(seen.values, 'first').code).toBe('ok');
    expect(outcomeOf(seen.values, 'last').code).toBe('ok');
    expect(outcomeOf(seen.values, 'id odd').code).toBe('ok');
    expect(eventsOf(seen.values, 'queued').find(({ name }) => name === 'odd')?.isConcurrencySafe).toBe(false);
    expect(eventsOf(seen.values, 'anomaly').map(({ code }) => code)).toEqual(['safety_check_failed']);
    expect(seen.ended).toBe('completed');
  });
});
