import { type Observable, of, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Latch, takeUntilAborted } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

describe('a latch', () => {
  it('keeps its first reason', () => {
    const latch = new Latch<string>();
    expect([latch.tripped, latch.reason]).toEqual([false, undefined]);
    expect([latch.trip('first'), latch.trip('second')]).toEqual([true, false]);
    expect([latch.tripped, latch.reason]).toEqual([true, 'first']);
  });

  it('may have no reason to tell', () => {
    const latch = new Latch<undefined>();
    const told: unknown[] = [];
    latch.trip(undefined);
    latch.tripped$.subscribe((reason) => told.push(reason));
    expect([latch.tripped, told]).toEqual([true, [undefined]]);
  });

  it('tells whoever comes while it trips, once', () => {
    const latch = new Latch<string>();
    const told: string[] = [];
    latch.onTrip((reason) => {
      told.push(`early ${reason}`);
      latch.onTrip((late) => told.push(`late ${late}`));
    });
    latch.trip('r');
    expect([told, latch.listeners]).toEqual([['early r', 'late r'], 0]);
  });

  it('does not tell who is taken off while it trips, and trips once', () => {
    const latch = new Latch<string>();
    const told: string[] = [];
    const second = (): void => void told.push('second');
    latch.onTrip(() => {
      told.push('first');
      latch.off(second);
      expect(latch.trip('again')).toBe(false);
    });
    latch.onTrip(second);
    latch.trip('r');
    expect(told).toEqual(['first']);
  });

  it('holds no listener that is told, or has left', () => {
    const latch = new Latch<string>();
    const subscription = latch.tripped$.subscribe();
    latch.tripped$.subscribe();
    expect(latch.listeners).toBe(2);
    subscription.unsubscribe();
    expect(latch.listeners).toBe(1);
    latch.trip('r');
    expect(latch.listeners).toBe(0);
  });
});

describe('takeUntilAborted', () => {
  const takeUntilAbortedDiagram = diagrams.takeUntilAborted;

  it.each([
    ['lets a source end before the latch trips', 'abort  ------r\nsource a-b|\nresult a-b|'],
    ['lets a source fail before the latch trips', 'abort  ------r\nsource a-#\nresult a-#'],
    ['needs no latch that trips', 'abort  -\nsource a-b|\nresult a-b|'],
    ['wins over a value of the same instant', 'abort  --r\nsource a--b|\nsubs   ^-!\nresult a-(R|)'],
    ['says the first reason', 'abort  --rs\nsource a---b|\nsubs   ^-!\nresult a-(R|)'],
  ])('%s', (_, text) => draw(takeUntilAbortedDiagram, text));

  it('does not subscribe to the source where the latch is tripped already', () => {
    const abort = new Latch<string>();
    abort.trip('r');
    const source = new Subject<string>();
    const log: string[] = [];
    source
      .pipe(takeUntilAborted(abort, (reason) => reason))
      .subscribe({ next: (v) => log.push(v), complete: () => log.push('complete') });
    expect([log, source.observed, abort.listeners]).toEqual([['r', 'complete'], false, 0]);
  });

  it('completes silently where nothing is to be said', () => {
    const abort = new Latch<string>();
    const log: string[] = [];
    new Subject<string>()
      .pipe(takeUntilAborted(abort))
      .subscribe({ next: (v) => log.push(v), complete: () => log.push('complete') });
    abort.trip('r');
    expect(log).toEqual(['complete']);
  });

  it.each(['next', 'error', 'complete'] as const)(
    'has cut off a source whose %s comes with the last word',
    (what) => {
      const abort = new Latch<string>();
      const source = new Subject<string>();
      const log: string[] = [];
      source.pipe(takeUntilAborted(abort, (reason) => reason)).subscribe({
        next: (v) => {
          log.push(v);
          source[what]('late');
        },
        error: () => log.push('error'),
        complete: () => log.push('complete'),
      });
      abort.trip('r');
      expect(log).toEqual(['r', 'complete']);
    },
  );

  it.each([true, false])('fails where the last word throws (tripped already: %s)', (before) => {
    const error = new Error('no last word');
    const abort = new Latch<string>();
    const errors: unknown[] = [];
    if (before) abort.trip('r');
    const instead = (): never => {
      throw error;
    };
    new Subject<string>().pipe(takeUntilAborted(abort, instead)).subscribe({ error: (e) => errors.push(e) });
    if (!before) abort.trip('r');
    expect([errors, abort.listeners]).toEqual([[error], 0]);
  });

  it('adds what stands for the rest to the type', () => {
    const abort = new Latch<Error>();
    expectTypeOf(of(1).pipe(takeUntilAborted(abort))).toEqualTypeOf<Observable<number>>();
    const said = of(1).pipe(takeUntilAborted(abort, ({ message }) => message));
    expectTypeOf(said).toEqualTypeOf<Observable<number | string>>();
    expectTypeOf(abort.tripped$).toEqualTypeOf<Observable<Error>>();
    expectTypeOf(abort.reason).toEqualTypeOf<Error | undefined>();
  });
});
