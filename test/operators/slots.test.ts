import { type Observable, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { concatUnsafe, mergeSafe, type Slot } from '../../operators/index.js';
import { LightObservable, type LightSubscriber } from '../../operators/lightObservable.js';
import { PoolSlots } from '../../src/engine/pool.js';

/** Values that run until they are ended by name, and what they do with their slots. */
class Bench {
  readonly source$ = new Subject<string>();
  readonly log: string[] = [];
  readonly slots = new Map<string, Slot | undefined>();
  readonly #open = new Map<string, LightSubscriber<string>>();

  run = (name: string): Observable<string> => {
    const begin = (subscriber: LightSubscriber<string>): void => {
      this.log.push(`${name} starts`);
      this.slots.set(name, subscriber.slot);
      this.#open.set(name, subscriber);
    };
    return new (class extends LightObservable<string> {
      begin(subscriber: LightSubscriber<string>): undefined {
        begin(subscriber);
      }
    })();
  };

  start(...names: readonly string[]): this {
    for (const name of names) this.source$.next(name);
    return this;
  }

  slot(name: string): Slot {
    const slot = this.slots.get(name);
    if (slot === undefined) throw new Error(`${name} has no slot`);
    return slot;
  }

  again(name: string): void {
    this.slot(name).takeAgain(
      () => this.log.push(`${name} goes on`),
      (reason) => this.log.push(`${name} waits: ${reason}`),
    );
  }

  alone(name: string): void {
    this.slot(name).alone(
      () => this.log.push(`${name} alone`),
      (reason) => this.log.push(`${name} waits: ${reason}`),
    );
  }

  end(name: string): void {
    this.log.push(`${name} ends`);
    this.#open.get(name)?.complete();
  }

  /** What has happened since it was last asked for. */
  since(): readonly string[] {
    return this.log.splice(0);
  }
}

const merged = (concurrency: number, pool?: PoolSlots): Bench => {
  const bench = new Bench();
  const onWait = (name: string, reason: string): unknown => bench.log.push(`${name} waits: ${reason}`);
  bench.source$
    .pipe(mergeSafe(bench.run, { concurrency, onWait, ...(pool === undefined ? undefined : { pool }) }))
    .subscribe({ complete: () => bench.log.push('completed') });
  return bench;
};

describe('a slot that is given back', () => {
  it('is the next one’s, and who had it waits behind nobody who has not started', () => {
    const bench = merged(1).start('a', 'b', 'c');
    expect(bench.since()).toEqual(['a starts', 'b waits: limit', 'c waits: limit']);
    bench.slot('a').giveBack();
    bench.slot('a').giveBack();
    expect(bench.since()).toEqual(['b starts']);
    bench.again('a');
    expect(bench.since()).toEqual(['a waits: limit']);
    bench.end('b');
    expect(bench.since()).toEqual(['b ends', 'a goes on']);
    bench.end('a');
    expect(bench.since()).toEqual(['a ends', 'c starts']);
  });

  it('is taken again at once where one is free, and once', () => {
    const bench = merged(1).start('a');
    bench.slot('a').giveBack();
    bench.again('a');
    bench.again('a');
    bench.start('b');
    expect(bench.since()).toEqual(['a starts', 'a goes on', 'a goes on', 'b waits: limit']);
  });

  it('is not taken again by one that has ended meanwhile', () => {
    const bench = merged(1).start('a', 'b');
    bench.slot('a').giveBack();
    bench.again('a');
    bench.end('a');
    bench.source$.complete();
    bench.end('b');
    expect(bench.since().slice(-3)).toEqual(['a ends', 'b ends', 'completed']);
  });

  it('is the pool’s too', () => {
    const pool = new PoolSlots({ concurrency: 1 });
    const first = merged(9, pool).start('a');
    const second = merged(9, pool).start('x');
    expect(second.since()).toEqual(['x waits: pool']);
    first.slot('a').giveBack();
    expect([pool.running, second.since()]).toEqual([1, ['x starts']]);
    first.again('a');
    expect(first.since()).toEqual(['a starts', 'a waits: pool']);
    second.end('x');
    expect(first.since()).toEqual(['a goes on']);
    first.end('a');
    expect([pool.running, pool.waiting]).toEqual([0, 0]);
  });

  it('is not lent where it is a place', () => {
    const bench = new Bench();
    bench.source$.pipe(concatUnsafe(bench.run)).subscribe();
    bench.start('a');
    expect(bench.slots.get('a')).toBeUndefined();
  });
});

describe('one that must run alone', () => {
  it('waits for those that have started, holds those that have not, and then lets them go', () => {
    const bench = merged(3).start('a', 'b');
    bench.since();
    bench.alone('a');
    bench.start('c');
    expect(bench.since()).toEqual(['a waits: alone', 'c waits: alone']);
    bench.end('b');
    expect(bench.since()).toEqual(['b ends', 'a alone']);
    bench.start('d');
    bench.end('a');
    expect(bench.since()).toEqual(['d waits: alone', 'a ends', 'c starts', 'd starts']);
  });

  it('goes at once where nothing else has started', () => {
    const bench = merged(3).start('a');
    bench.alone('a');
    expect(bench.since()).toEqual(['a starts', 'a alone']);
  });

  it('goes after another one that must, in the order they asked', () => {
    const bench = merged(3).start('a', 'b', 'c');
    bench.since();
    bench.alone('b');
    bench.alone('a');
    bench.end('c');
    expect(bench.since()).toEqual(['b waits: alone', 'a waits: alone', 'c ends', 'b alone']);
    bench.end('b');
    expect(bench.since()).toEqual(['b ends', 'a alone']);
  });

  it('waits also for one that has given its slot back and wants it again', () => {
    const bench = merged(3).start('a', 'b');
    bench.since();
    bench.slot('b').giveBack();
    bench.alone('a');
    bench.again('b');
    expect(bench.since()).toEqual(['a waits: alone', 'b goes on']);
    bench.end('b');
    expect(bench.since()).toEqual(['b ends', 'a alone']);
  });

  it('that ends before its turn holds nobody any longer', () => {
    const bench = merged(3).start('a', 'b');
    bench.since();
    bench.alone('a');
    bench.start('c');
    bench.end('a');
    expect(bench.since()).toEqual(['a waits: alone', 'c waits: alone', 'a ends', 'c starts']);
  });

  it('holds nobody when all are left', () => {
    const bench = new Bench();
    const subscription = bench.source$.pipe(mergeSafe(bench.run, 3)).subscribe();
    bench.start('a', 'b');
    bench.alone('a');
    subscription.unsubscribe();
    expect(bench.since()).toEqual(['a starts', 'b starts', 'a waits: alone']);
  });
});
