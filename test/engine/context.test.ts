import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { output, type Tool } from '../../src/index.js';
import { eventsOf, Seen, safeTool, turnOf, unsafeTool, use } from './turns.js';

type Trail = readonly string[];

const add = (name: string) => output(name, { modifyContext: (trail: Trail) => [...trail, name] });

/** Writes down the context each call sees. */
const looking = () => {
  const seen: Record<string, unknown> = {};
  const look = (name: string, answer: () => unknown, safe: boolean): Tool =>
    (safe ? safeTool : unsafeTool)(name, (_input, ctx) => {
      seen[ctx.toolUse.id] = ctx.context;
      return answer();
    });
  return { seen, look };
};

describe('law 5: the context', () => {
  it('is that of the beginning for all calls of a batch, and changes with its end, in call order', () => {
    const { seen, look } = looking();
    const slow$ = new Subject<unknown>();
    const tools = [
      look('slow', () => slow$, true),
      look('quick', () => add('quick'), true),
      look('write', () => add('write'), false),
    ];
    const calls = [use('a', 'slow'), use('b', 'quick'), use('c', 'write'), use('d', 'quick')];
    const turn = new Seen(turnOf(calls, tools, { context: [] }));
    expect(eventsOf(turn.values, 'context')).toEqual([]);
    slow$.next(add('slow'));
    expect(seen).toEqual({ a: [], b: [], c: ['slow', 'quick'], d: ['slow', 'quick', 'write'] });
    expect(eventsOf(turn.values, 'context').map(({ context }) => context)).toEqual([
      ['slow', 'quick'],
      ['slow', 'quick', 'write'],
      ['slow', 'quick', 'write', 'quick'],
    ]);
  });

  it('is frozen all the way down, for the tools and for the events', () => {
    const context = { list: [{ n: 1 }] };
    const frozen: boolean[] = [];
    const tool = safeTool('tool', (_input, ctx) => {
      const { list } = ctx.context as unknown as typeof context;
      frozen.push(Object.isFrozen(ctx.context), Object.isFrozen(list), Object.isFrozen(list[0]));
      return output(1, { modifyContext: () => ({ list: [{ n: 2 }] }) });
    });
    const turn = new Seen(turnOf([use('a', 'tool')], [tool], { context }));
    const [event] = eventsOf(turn.values, 'context') as unknown as [{ context: unknown }];
    expect(frozen).toEqual([true, true, true]);
    expect(Object.isFrozen((event.context as typeof context).list[0])).toBe(true);
  });

  it('leaves instances of classes, Maps and functions in it as they are', () => {
    class Client {
      calls = 0;
    }
    const context = {
      client: new Client(),
      seen: new Map(),
      bare: Object.create(null) as object,
      run: () => 1,
    };
    const tool = safeTool('tool', (_input, ctx) => {
      const { client, seen } = ctx.context as unknown as typeof context;
      client.calls++;
      seen.set('a', 1);
      return 'done';
    });
    new Seen(turnOf([use('a', 'tool')], [tool], { context }));
    expect([context.client.calls, context.seen.size]).toEqual([1, 1]);
    expect(Object.isFrozen(context.client)).toBe(false);
    expect(Object.isFrozen(context.bare)).toBe(true);
  });

  it('may contain itself', () => {
    const context: { self?: unknown } = {};
    context.self = context;
    expect(new Seen(turnOf([], [], { context })).ended).toBe('completed');
  });

  it('shares what a modification did not touch', () => {
    const context = { big: { list: [1, 2, 3] }, n: 0 };
    const tool = safeTool('tool', () =>
      output(1, { modifyContext: (old: typeof context) => ({ ...old, n: old.n + 1 }) }),
    );
    const turn = new Seen(turnOf([use('a', 'tool'), use('b', 'tool')], [tool], { context }));
    const events = eventsOf(turn.values, 'context');
    // Once for the change that a batch makes, not once for each call.
    expect(events).toHaveLength(1);
    const [{ context: changed }] = events as unknown as [{ context: unknown }];
    expect(changed).toEqual({ ...context, n: 2 });
    expect((changed as typeof context).big).toBe(context.big);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no such key');
      },
      /no such key/,
    ],
    ['returns nothing', () => undefined, /returned nothing/],
  ])('stays as it was where a modification %s; the others are applied', (_name, modify, message) => {
    const bad = safeTool('bad', () => output(1, { modifyContext: modify as never }));
    const good = safeTool('good', () => add('good'));
    const turn = new Seen(turnOf([use('a', 'bad'), use('b', 'good')], [bad, good], { context: [] }));
    expect(eventsOf(turn.values, 'anomaly')).toMatchObject([
      { code: 'context_modifier_failed', toolUseId: 'a', message: expect.stringMatching(message) },
    ]);
    expect(eventsOf(turn.values, 'context').map(({ context }) => context)).toEqual([['good']]);
  });

  it('is not changed by a call that failed, nor after a discard', () => {
    const discard$ = new Subject<string>();
    const slow$ = new Subject<unknown>();
    const tools = [safeTool('quick', () => add('quick')), safeTool('slow', () => slow$)];
    const turn = new Seen(turnOf([use('a', 'quick'), use('b', 'slow')], tools, { context: [], discard$ }));
    discard$.next('another model');
    expect(turn.ended).toBe('completed');
    expect(eventsOf(turn.values, 'context')).toEqual([]);
  });

  it('a modification that returns the same changes nothing, and says nothing', () => {
    const tool = safeTool('tool', () => output(1, { modifyContext: (old: Trail) => old }));
    expect(eventsOf(new Seen(turnOf([use('a', 'tool')], [tool], { context: [] })).values, 'context')).toEqual(
      [],
    );
  });
});

describe('a context that can not be frozen', () => {
  it('is an anomaly of its call, and the turn goes on', () => {
    const trap = () => ({
      get x(): never {
        throw new Error('a getter that throws');
      },
    });
    const bad = unsafeTool('bad', () => output(1, { modifyContext: trap }));
    const seen = new Seen(turnOf([use('a', 'bad'), use('b', 'bad')], [bad]));
    expect(seen.values.filter(({ type }) => type === 'result')).toHaveLength(2);
    expect(seen.values.flatMap((event) => (event.type === 'anomaly' ? [event.code] : []))).toEqual([
      'context_modifier_failed',
      'context_modifier_failed',
    ]);
  });
});
