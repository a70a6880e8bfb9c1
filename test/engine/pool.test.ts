import { from, ignoreElements, map, NEVER, Observable, of, Subject, tap, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  createPool,
  InvalidOptionError,
  type LateEvent,
  output,
  type Pool,
  type Tool,
  type ToolEvent,
  type ToolUse,
} from '../../src/index.js';
import { codes, eventsOf, Seen, safeTool, startedIds, turnOf, unsafeTool, use } from './turns.js';

/** Calls that run until they are ended by id, and how many of each kind run. */
class Bench {
  readonly #open = new Map<string, Subject<unknown>>();
  readonly started: string[] = [];
  readonly most: Record<string, number> = {};
  readonly #running: Record<string, number> = {};

  tool(name: string, members: Partial<Tool> = {}): Tool {
    return safeTool(
      name,
      (_input, ctx) => {
        const work$ = new Subject<unknown>();
        this.#open.set(ctx.toolUse.id, work$);
        this.started.push(ctx.toolUse.id);
        return new Observable((subscriber) => {
          this.#count(name, 1);
          const subscription = work$.subscribe(subscriber);
          return () => {
            this.#count(name, -1);
            subscription.unsubscribe();
          };
        });
      },
      members,
    );
  }

  end(id: string): void {
    const work$ = this.#open.get(id);
    if (work$ === undefined) throw new Error(`${id} does not run`);
    this.#open.delete(id);
    work$.next(output(id));
  }

  get open(): readonly string[] {
    return [...this.#open.keys()];
  }

  #count(name: string, change: number): void {
    for (const key of [name, 'all']) {
      this.#running[key] = (this.#running[key] ?? 0) + change;
      this.most[key] = Math.max(this.most[key] ?? 0, this.#running[key]);
    }
  }
}

const callsOf = (turn: string, count: number, name = 'work') =>
  Array.from({ length: count }, (_, n) => use(`${turn}${n}`, name));

describe('a pool shared by three turns', () => {
  it('is never exceeded, goes round, and is empty at the end', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 2 });
    const turns = ['a', 'b', 'c'].map(
      (turn) => new Seen(turnOf(callsOf(turn, 4), [bench.tool('work')], { pool })),
    );
    // The first one holds both slots, and waits for more like the others.
    expect([pool.running, pool.waiting]).toEqual([2, 3]);
    while (bench.open.length > 0) {
      expect(pool.running).toBeLessThanOrEqual(2);
      bench.end(bench.open[0] as string);
    }
    expect(bench.most.all).toBe(2);
    expect(turns.map(({ ended }) => ended)).toEqual(['completed', 'completed', 'completed']);
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
    expect(bench.started.slice(2, 8).map((id) => id[0])).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    for (const turn of turns) expect(codes(turn.values).every((text) => text.endsWith('ok'))).toBe(true);
  });

  it('counts kinds apart, and a full kind holds no other', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 10, shell: 1 });
    const tools = [bench.tool('sh', { kind: 'shell' }), bench.tool('web', { kind: 'network' })];
    const turns = ['a', 'b'].map(
      (turn) =>
        new Seen(
          turnOf([use(`${turn}1`, 'sh'), use(`${turn}2`, 'sh'), use(`${turn}3`, 'web')], tools, { pool }),
        ),
    );
    expect(bench.started).toEqual(['a1', 'a3', 'b3']);
    while (bench.open.length > 0) bench.end(bench.open[0] as string);
    expect(bench.most).toMatchObject({ sh: 1, web: 2 });
    expect(turns.map(({ ended }) => ended)).toEqual(['completed', 'completed']);
  });

  it('goes round across kinds: whoever has waited longest is next', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 1 });
    const tools = [bench.tool('sh', { kind: 'shell' }), bench.tool('web', { kind: 'network' })];
    for (const [id, name] of [
      ['a', 'web'],
      ['b', 'sh'],
      ['c', 'web'],
      ['d', 'sh'],
    ] as const)
      new Seen(turnOf([use(id, name)], tools, { pool }));
    while (bench.open.length > 0) bench.end(bench.open[0] as string);
    expect(bench.started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('says that a call waits for the pool', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 1 });
    new Seen(turnOf(callsOf('a', 1), [bench.tool('work')], { pool }));
    const second = new Seen(turnOf(callsOf('b', 1), [bench.tool('work')], { pool }));
    expect(eventsOf(second.values, 'waiting')).toMatchObject([{ reason: 'pool', count: 1 }]);
  });

  it('forgets a turn that is left: its slots are free, and it waits no more', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 1 });
    const [a, b, c] = ['a', 'b', 'c'].map(
      (turn) => new Seen(turnOf(callsOf(turn, 2), [bench.tool('work')], { pool })),
    );
    b?.leave();
    expect(pool.waiting).toBe(2);
    a?.leave();
    expect(bench.started).toEqual(['a0', 'c0']);
    c?.leave();
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('holds unsafe calls too, and calls that are only answered need none of it', () => {
    const pool = createPool({ concurrency: 1 });
    const holder = new Seen(turnOf([use('h', 'hold')], [unsafeTool('hold', () => NEVER)], { pool }));
    const other = new Seen(
      turnOf([use('a', 'nobody'), use('b', 'write')], [unsafeTool('write', () => 1)], { pool }),
    );
    expect(codes(other.values)).toEqual(['a unknown_tool']);
    holder.leave();
    expect(codes(other.values)).toEqual(['a unknown_tool', 'b ok']);
  });
});

it.each([0, -1, 1.5, Number.NaN, '3'])('a pool of %s is refused', (concurrency) => {
  expect(() => createPool({ concurrency: concurrency as number })).toThrow(InvalidOptionError);
});

it('a pool tells its limits', () => {
  expect(createPool({ shell: 2 }).limits).toEqual({
    concurrency: 10,
    shell: 2,
    file: Number.POSITIVE_INFINITY,
    network: Number.POSITIVE_INFINITY,
  });
});

/** A tool that runs a turn of these calls inside its own call, and ends with their codes. */
const agent = (calls: number, tools: readonly Tool[], members: Partial<Tool> = {}): Tool =>
  safeTool(
    'agent',
    (_input, ctx) =>
      from(callsOf(`${ctx.toolUse.id}/`, calls, tools[0]?.name)).pipe(
        ctx.nested({ tools }),
        toArray(),
        map((events) => output(codes(events).join(' '))),
      ),
    members,
  );

describe('a turn inside a call', () => {
  const outputs = (seen: Seen<ToolEvent>) => eventsOf(seen.values, 'completed').map(({ output }) => output);

  it.each<[string, Pool | undefined]>([
    ['without a pool', undefined],
    ['in a pool of one, on the slot that is lent to it', createPool({ concurrency: 1 })],
  ])('%s runs, and does not lock', (_name, pool) => {
    const inner = [safeTool('inner', () => 'done')];
    const seen = new Seen(
      turnOf([use('x', 'agent'), use('y', 'agent')], [agent(3, inner)], pool === undefined ? {} : { pool }),
    );
    expect(seen.ended).toBe('completed');
    expect(outputs(seen)).toEqual(['x/0 ok x/1 ok x/2 ok', 'y/0 ok y/1 ok y/2 ok']);
    expect([pool?.running ?? 0, pool?.waiting ?? 0]).toEqual([0, 0]);
  });

  it('two levels deep in a pool of one does not lock', () => {
    const pool = createPool({ concurrency: 1 });
    const inner = agent(2, [safeTool('innermost', () => 'done')]);
    const outer: Tool = {
      ...agent(2, [inner]),
      name: 'outer',
    };
    const seen = new Seen(turnOf([use('x', 'outer')], [outer], { pool }));
    expect(codes(seen.values)).toEqual(['x ok']);
    expect(pool.running).toBe(0);
  });

  it('runs one of its calls on the lent slot; another one takes a slot of the pool', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 2 });
    new Seen(turnOf([use('x', 'agent')], [agent(3, [bench.tool('work')])], { pool }));
    expect(bench.started).toEqual(['x/0', 'x/1']);
    expect(pool.running).toBe(2);
    bench.end('x/0');
    expect(bench.started).toEqual(['x/0', 'x/1', 'x/2']);
    bench.end('x/1');
    bench.end('x/2');
    expect(pool.running).toBe(0);
  });

  it('is stopped when its call is', () => {
    const bench = new Bench();
    const interrupt$ = new Subject<string>();
    const inside: ToolEvent[] = [];
    const outer = safeTool(
      'outer',
      (_input, ctx) =>
        of(use('i', 'work')).pipe(
          ctx.nested({ tools: [bench.tool('work')] }),
          tap((event) => inside.push(event)),
          ignoreElements(),
        ),
      { graceMs: 100 },
    );
    const seen = new Seen(turnOf([use('o', 'outer')], [outer], { interrupt$ }));
    interrupt$.next('stop');
    expect(seen.ended).toBe('completed');
    expect(codes(seen.values)).toEqual(['o interrupted']);
    expect(codes(inside)).toEqual(['i interrupted']);
    expect(eventsOf(inside, 'stop')).toHaveLength(1);
  });

  it.each([
    ['while its tools run', false, 'i interrupted'],
    ['while they have their grace after a discard', true, 'i discarded'],
  ])('never outlives its call: %s', (_name, isDiscarded, ending) => {
    const pool = createPool({ concurrency: 1 });
    const inside: ToolEvent[] = [];
    const late: string[] = [];
    const running = new Set<string>();
    const stubborn = unsafeTool('stubborn', () => new Promise(() => undefined), { graceMs: 5_000 });
    const launcher = unsafeTool('launcher', (_input, ctx) => {
      const source = new Subject<ToolUse>();
      const discard$ = new Subject<string>();
      const onLate = ({ toolUse, type }: LateEvent): unknown => late.push(`${toolUse.id} ${type}`);
      source
        .pipe(ctx.nested({ tools: [stubborn], onLate, discard$ }))
        .subscribe((event) => inside.push(event));
      source.next(use('i', 'stubborn'));
      if (isDiscarded) discard$.next('gone');
      return 'launched';
    });
    const next = unsafeTool('next', () => running.add(`next beside ${pool.running - 1} more`));
    const calls = [use('o', 'launcher'), use('p', 'next')];
    const seen = new Seen(turnOf(calls, [launcher, next], { pool }));
    expect(codes(seen.values)).toEqual(['o ok', 'p ok']);
    expect(codes(inside)).toEqual([ending]);
    expect(late).toEqual(['i running']);
    expect([...running]).toEqual(['next beside 0 more']);
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('is left when the turn is left', () => {
    const bench = new Bench();
    const pool = createPool({ concurrency: 1 });
    const seen = new Seen(turnOf([use('x', 'agent')], [agent(2, [bench.tool('work')])], { pool }));
    expect(bench.started).toEqual(['x/0']);
    seen.leave();
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
    expect(bench.started).toEqual(['x/0']);
  });

  it('knows nothing of the tools and the context outside', () => {
    const contexts: unknown[] = [];
    const inner = safeTool('inner', (_input, ctx) => contexts.push(ctx.context));
    const seen = new Seen(turnOf([use('x', 'agent')], [agent(1, [inner])], { context: { secret: 1 } }));
    expect(startedIds(seen.values)).toEqual(['x']);
    expect(contexts).toEqual([undefined]);
  });
});
