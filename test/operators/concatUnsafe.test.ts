import { concat, EMPTY, Observable, of, Subject, take } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { concatUnsafe } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

describe('values', () => {
  it('run alone, in order, also when the source has ended', () => {
    draw(
      diagrams.concatUnsafe,
      `
      source (abc|)
      a      -x|
      b        -y|
      c          z-|
      result -x-yz-|`,
    );
  });

  it('that run are left with the result, and those that wait never start', () => {
    draw(
      diagrams.concatUnsafe,
      `
      source ab-
      subs   ^---!
      a      -x----
      subs   ^---!
      result -x---
      subs   ^---!`,
    );
  });

  it('that fail end all', () => {
    draw(
      diagrams.concatUnsafe,
      `
      source ab-|
      subs   ^-!
      a      -x#
      result -x#`,
    );
  });
});

it('a value is torn down before the next one starts', () => {
  const log: string[] = [];
  const watched = (name: string): Observable<never> =>
    new Observable((subscriber) => {
      log.push(`${name} starts`);
      subscriber.add(() => log.push(`${name} is torn down`));
      if (name !== 'a') subscriber.complete();
      else first.subscribe(subscriber);
    });
  const first = new Subject<never>();
  of('a', 'b', 'c').pipe(concatUnsafe(watched)).subscribe();
  first.complete();
  expect(log).toEqual([
    'a starts',
    'a is torn down',
    'b starts',
    'b is torn down',
    'c starts',
    'c is torn down',
  ]);
});

it('an inner that emits everything at once is left when the consumer has enough', () => {
  let emitted = 0;
  const firehose = new Observable<number>((subscriber) => {
    while (!subscriber.closed && emitted < 10_000) subscriber.next(emitted++);
  });
  of(1, 2)
    .pipe(
      concatUnsafe(() => firehose),
      take(2),
    )
    .subscribe();
  expect(emitted).toBe(2);
});

it('thousands that answer nothing behind a slow one all end', () => {
  const gate = new Subject<never>();
  let started = 0;
  let completed = false;
  of(...Array.from({ length: 3_000 }, (_, n) => n))
    .pipe(
      concatUnsafe((n) => {
        started++;
        return n === 0 ? concat(gate) : EMPTY;
      }),
    )
    .subscribe({ complete: () => (completed = true) });
  expect(started).toBe(1);
  gate.complete();
  expect([started, completed]).toEqual([3_000, true]);
});

it('infers what comes out', () => {
  expectTypeOf(of(1).pipe(concatUnsafe((n) => [String(n)]))).toEqualTypeOf<Observable<string>>();
});
