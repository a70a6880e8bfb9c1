import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { concat, finalize, from, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toAsyncIterable } from '../../src/index.js';
import { settled } from './receiver.js';

const readAll = async <T>(source: Observable<T>): Promise<readonly T[]> => {
  const got: T[] = [];
  for await (const value of toAsyncIterable(source)) got.push(value);
  return got;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A reference that was looked at is held until its task is over. */
const collected = async (): Promise<void> => {
  await settled();
  collectGarbage();
  await settled();
};

describe('toAsyncIterable', () => {
  it('gives every value, however slow the loop is', async () => {
    const source = new Subject<number>();
    const iterator = toAsyncIterable(source)[Symbol.asyncIterator]();
    const first = iterator.next();
    for (let n = 0; n < 5_000; n++) source.next(n);
    source.complete();
    const got = [(await first).value as number];
    for (let step = await iterator.next(); step.done !== true; step = await iterator.next())
      got.push(step.value);
    expect(got).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
  });

  it('gives what a source emits at once', async () => {
    expect(await readAll(from([1, 2, 3]))).toEqual([1, 2, 3]);
  });

  it('gives `undefined` as a value', async () => {
    expect(await readAll(of(undefined, undefined))).toEqual([undefined, undefined]);
  });

  it('subscribes when the loop begins, not before, and once for each loop', async () => {
    let subscribed = 0;
    const iterable = toAsyncIterable(
      new Observable<number>((subscriber) => {
        subscribed++;
        subscriber.complete();
      }),
    );
    const iterator = iterable[Symbol.asyncIterator]();
    expect(subscribed).toBe(0);
    await iterator.next();
    await iterator.next();
    expect(subscribed).toBe(1);
    for await (const _ of iterable);
    expect(subscribed).toBe(2);
  });

  it('throws the error after the values before it, and then is done', async () => {
    const failing = concat(
      of(1, 2),
      throwError(() => new Error('no')),
    );
    const iterator = toAsyncIterable(failing)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    expect(await iterator.next()).toEqual({ done: false, value: 2 });
    await expect(iterator.next()).rejects.toThrow('no');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('unsubscribes when the loop is left, and runs the finalizers before the loop goes on', async () => {
    const log: string[] = [];
    const source = new Subject<number>();
    const loop = (async () => {
      for await (const _ of toAsyncIterable(source.pipe(finalize(() => log.push('finalized'))))) break;
      log.push('after the loop');
    })();
    source.next(1);
    await loop;
    expect(log).toEqual(['finalized', 'after the loop']);
    expect(source.observed).toBe(false);
  });

  it('unsubscribes when the body throws', async () => {
    const source = new Subject<number>();
    const loop = (async () => {
      for await (const _ of toAsyncIterable(source)) throw new Error('the body');
    })();
    source.next(1);
    await expect(loop).rejects.toThrow('the body');
    expect(source.observed).toBe(false);
  });

  it('answers those who ask ahead, in order, and ends them all', async () => {
    const source = new Subject<string>();
    const iterator = toAsyncIterable(source)[Symbol.asyncIterator]();
    const asked = [iterator.next(), iterator.next(), iterator.next()];
    source.next('a');
    source.complete();
    expect(await Promise.all(asked)).toEqual([
      { done: false, value: 'a' },
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  it('ends a pull that waits when it is left', async () => {
    const iterator = toAsyncIterable(NEVER)[Symbol.asyncIterator]();
    const asked = iterator.next();
    await iterator.return?.();
    expect(await asked).toEqual({ done: true, value: undefined });
  });

  it('left before it began, it never subscribes', async () => {
    let subscribed = 0;
    const iterator = toAsyncIterable(new Observable(() => void subscribed++))[Symbol.asyncIterator]();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(subscribed).toBe(0);
  });

  it('left, it holds nothing of what nobody read, and takes nothing more', async () => {
    const source = new Subject<object>();
    const iterator = toAsyncIterable(source)[Symbol.asyncIterator]();
    const first = iterator.next();
    const emit = (): WeakRef<object> => {
      const values = Array.from({ length: 100 }, (_, n) => ({ n }));
      for (const value of values) source.next(value);
      return new WeakRef(values[50] as object);
    };
    const unread = emit();
    await first;
    await collected();
    expect(unread.deref()).toBeDefined();
    await iterator.return?.();
    source.next({ n: 101 });
    await collected();
    expect(unread.deref()).toBeUndefined();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('a teardown that throws is told to the loop that is left', async () => {
    const source = new Observable<number>((subscriber) => {
      subscriber.next(1);
      return () => {
        throw new Error('the lock is gone');
      };
    });
    const loop = (async () => {
      for await (const _ of toAsyncIterable(source)) break;
    })();
    await expect(loop).rejects.toThrow();
    await settled();
  });

  it('ends a source that is left while it emits at once', async () => {
    let given = 0;
    let ended = 0;
    const source = new Observable<number>((subscriber) => {
      subscriber.add(() => ended++);
      while (!subscriber.closed && given < 1_000) {
        if (++given === 3) void iterator.return?.();
        subscriber.next(given);
      }
    });
    const iterator = toAsyncIterable(source)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    expect([given, ended]).toEqual([3, 1]);
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });
});
