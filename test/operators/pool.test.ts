import { Observable, Subject, type Subscriber } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type MergeSafeOptions, mergeSafe, type SlotReason } from '../../operators/index.js';
import { LentSlots, PoolSlots } from '../../src/engine/pool.js';

/** What runs, in the order of its start, to be ended by name. */
class Work {
  readonly started: string[] = [];
  readonly #running = new Map<string, Subscriber<never>>();

  readonly run = (name: string): Observable<never> =>
    new Observable((subscriber) => {
      this.started.push(name);
      this.#running.set(name, subscriber);
      return () => this.#running.delete(name);
    });

  end(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined) throw new Error(`${name} does not run`);
    running.complete();
  }
}

const line = (work: Work, options: MergeSafeOptions<string>) => {
  const source = new Subject<string>();
  const subscription = source.pipe(mergeSafe(work.run, options)).subscribe();
  return { next: (name: string) => source.next(name), leave: () => subscription.unsubscribe(), subscription };
};

describe('three lines that share a pool of one', () => {
  const three = () => {
    const work = new Work();
    const pool = new PoolSlots({ concurrency: 1 });
    const [a, b, c] = [line(work, { pool }), line(work, { pool }), line(work, { pool })];
    a.next('a1');
    b.next('b1');
    c.next('c1');
    a.next('a2');
    b.next('b2');
    c.next('c2');
    return { work, pool, a, b, c };
  };

  it('take turns', () => {
    const { work, pool } = three();
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']) work.end(name);
    expect(work.started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('one that is left gives back what it holds, and waits no more', () => {
    const { work, pool, a, b } = three();
    expect(pool.waiting).toBe(3);
    b.leave();
    expect(pool.waiting).toBe(2);
    a.leave();
    expect(work.started).toEqual(['a1', 'c1']);
    work.end('c1');
    work.end('c2');
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });
});

it('a kind that is full in the pool holds no other', () => {
  const work = new Work();
  const pool = new PoolSlots({ concurrency: 3, kinds: { shell: 1 } });
  const options = { pool, kindOf: (name: string) => (name.startsWith('s') ? 'shell' : 'file') };
  const [a, b] = [line(work, options), line(work, options)];
  a.next('s1');
  a.next('s2');
  a.next('f1');
  b.next('s3');
  b.next('f2');
  expect(work.started).toEqual(['s1', 'f1', 'f2']);
  work.end('s1');
  work.end('s2');
  expect(work.started.slice(3)).toEqual(['s2', 's3']);
});

it('a value runs when both its own line and the pool have a slot, and is told which is missing', () => {
  const told: [string, SlotReason][] = [];
  const work = new Work();
  const pool = new PoolSlots({ concurrency: 1 });
  const other = line(work, { pool });
  const onWait = (name: string, reason: SlotReason): void => void told.push([name, reason]);
  const a = line(work, { pool, concurrency: 1, onWait });
  other.next('other');
  a.next('a1');
  a.next('a2');
  expect(told).toEqual([
    ['a1', 'pool'],
    ['a2', 'pool'],
  ]);
  work.end('other');
  expect(told.slice(2)).toEqual([['a2', 'limit']]);
  a.next('a3');
  other.next('again');
  work.end('a1');
  // `again` has the slot of the pool now, for it has waited longer; `a` has its own.
  expect(work.started).toEqual(['other', 'a1', 'again']);
  expect(told.slice(3)).toEqual([
    ['a3', 'limit'],
    ['a2', 'pool'],
  ]);
});

describe('a lent slot', () => {
  const lent = () => {
    const work = new Work();
    const pool = new PoolSlots({ concurrency: 1, kinds: { shell: 1 } });
    pool.take('shell');
    const slots = new LentSlots(pool, new Set(['shell']));
    return { work, pool, inner: line(work, { pool: slots, kindOf: () => 'shell' }) };
  };

  it('lets one at a time run inside a full pool, and takes none of its slots', () => {
    const { work, pool, inner } = lent();
    for (const name of ['i1', 'i2', 'i3']) inner.next(name);
    expect(work.started).toEqual(['i1']);
    for (const name of ['i1', 'i2']) work.end(name);
    expect([work.started, pool.running]).toEqual([['i1', 'i2', 'i3'], 1]);
    work.end('i3');
    expect(pool.running).toBe(1);
  });

  it('is given back when the inner line is left, which waits no more then', () => {
    const { work, pool, inner } = lent();
    for (const name of ['i1', 'i2']) inner.next(name);
    inner.leave();
    pool.giveBack('shell');
    expect([work.started, pool.running, pool.waiting]).toEqual([['i1'], 0, 0]);
  });
});
