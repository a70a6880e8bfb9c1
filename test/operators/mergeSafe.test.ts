import { concat, Observable, of, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { mergeSafe, type SlotReason } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

describe('a limit', () => {
  it.each([0, -1, Number.NaN, 1.5, Number.NEGATIVE_INFINITY])('of %s is refused at construction', (limit) => {
    const message = `expected \`concurrency\` to be an integer from 1 up or Infinity, got ${limit}`;
    expect(() => mergeSafe(of, limit)).toThrow(new RangeError(message));
    expect(() => mergeSafe(of, { concurrency: limit })).toThrow(RangeError);
    expect(() => mergeSafe(of, { kinds: { shell: limit } })).toThrow('`kinds.shell`');
  });

  it('is Infinity where none is given', () => {
    let running = 0;
    const source = Array.from({ length: 50 }, (_, n) => n);
    of(...source)
      .pipe(mergeSafe(() => new Observable(() => void running++), {}))
      .subscribe();
    expect(running).toBe(50);
  });
});

describe('who waits', () => {
  it('goes in the order of arrival', () => {
    const concurrency = '1';
    const text = `
      source abc|
      a      --1|
      b         --2|
      c            --3|
      result --1--2--3|`;
    draw(diagrams.mergeSafe, text, { concurrency });
  });

  it('runs beside the others, as many as there are slots', () => {
    const text = `
      source abcd|
      a      -----1|
      b       -2|
      c         -3|     in the slot of b
      d           --4|  in the slot of c
      result --2-31-4|`;
    draw(diagrams.mergeSafe, text, { concurrency: '2' });
  });

  it('goes by priority, and then by arrival', () => {
    draw(
      ({ input }) => ({
        result: input('source').pipe(
          mergeSafe(input, { concurrency: 1, priority: (letter) => (letter === 'c' ? 1 : 0) }),
        ),
      }),
      `
      source abcd|
      a      ----1|
      b             -3|
      c           -2|    before b, which came first
      d               -4|
      result ----1-2-3-4|`,
    );
  });

  it('does not hold those of another kind', () => {
    draw(
      ({ input }) => ({
        result: input('source').pipe(
          mergeSafe(input, {
            concurrency: 3,
            kinds: { early: 1 },
            kindOf: (letter) => (letter < 'c' ? 'early' : 'late'),
          }),
        ),
      }),
      `
      source abc|
      a      ---1|
      b          -2|   its kind is full
      c        ----3|  overtakes it
      result ---1-23|`,
    );
  });

  it('may be of a kind that is called like what every object has', () => {
    const came: number[] = [];
    of(1, 2, 3)
      .pipe(mergeSafe((n) => of(n), { kinds: { shell: 1 }, kindOf: () => 'constructor' }))
      .subscribe((n) => came.push(n));
    expect(came).toEqual([1, 2, 3]);
  });

  it('may be of as many kinds as there are values', () => {
    const gate = new Subject<never>();
    let came = 0;
    const values = Array.from({ length: 3_000 }, (_, n) => n);
    of(...values)
      .pipe(mergeSafe((n) => (n === 0 ? concat(gate, of(n)) : of(n)), { concurrency: 1, kindOf: String }))
      .subscribe(() => came++);
    gate.complete();
    expect(came).toBe(3_000);
  });

  it('is told of once, when all slots are taken', () => {
    const told: [string, SlotReason][] = [];
    const slots = new Map<string, Subject<never>>();
    const source = new Subject<string>();
    const hold = (letter: string): Subject<never> => {
      const slot = new Subject<never>();
      slots.set(letter, slot);
      return slot;
    };
    const onWait = (letter: string, reason: SlotReason): void => void told.push([letter, reason]);
    source.pipe(mergeSafe(hold, { concurrency: 1, onWait })).subscribe();
    for (const letter of 'abc') source.next(letter);
    slots.get('a')?.complete();
    slots.get('b')?.complete();
    expect(told).toEqual([
      ['b', 'limit'],
      ['c', 'limit'],
    ]);
  });
});

it('infers what goes in and what comes out', () => {
  const source = of(1, 2);
  expectTypeOf(source.pipe(mergeSafe((n) => of(String(n)), 2))).toEqualTypeOf<Observable<string>>();
  expectTypeOf(source.pipe(mergeSafe((n) => [n, 'x'], {}))).toEqualTypeOf<Observable<string | number>>();
  // @ts-expect-error a limit is not optional
  expect(() => mergeSafe(of)).toThrow();
  // @ts-expect-error kinds are numbers
  expect(() => mergeSafe(of, { kinds: { shell: 'one' } })).toThrow(RangeError);
});
