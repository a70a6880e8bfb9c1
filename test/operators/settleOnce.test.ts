import { type Observable, of, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { settleOnce, tapAfter } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

describe('settleOnce', () => {
  it.each([
    ['completes where the source does', 'source a-b|\nresult a-b|'],
    ['fails where the source does', 'source a-#\nresult a-#'],
    ['is over with the first terminal value', 'source T\nsubs   !\nresult (T|)'],
  ])('%s', (_, text) => draw(diagrams.settleOnce, text));

  it.each(['next', 'error', 'complete'] as const)(
    'is over before it delivers: no %s of the consumer counts',
    (what) => {
      const source = new Subject<string>();
      const log: string[] = [];
      source.pipe(settleOnce((v) => v.startsWith('T'))).subscribe({
        next: (v) => {
          log.push(v);
          source[what]('T again');
        },
        error: () => log.push('error'),
        complete: () => log.push('complete'),
      });
      source.next('T');
      expect([log, source.observed]).toEqual([['T', 'complete'], false]);
    },
  );

  it('keeps the type', () => {
    expectTypeOf(of(1).pipe(settleOnce((n) => n > 1))).toEqualTypeOf<Observable<number>>();
  });
});

describe('tapAfter', () => {
  it('leaves errors and the end as they are', () => {
    draw(diagrams.tapAfter, 'source a----#\nresult (aA)-#');
  });

  it('has no effect for a value whose delivery ended the subscription', () => {
    const effects: number[] = [];
    const source = new Subject<number>();
    const subscription = source.pipe(tapAfter((n) => effects.push(n))).subscribe((n) => {
      if (n === 2) subscription.unsubscribe();
    });
    source.next(1);
    source.next(2);
    expect(effects).toEqual([1]);
  });

  it('fails with what the effect throws, after the value', () => {
    const log: unknown[] = [];
    const error = new Error('effect');
    of(1, 2)
      .pipe(
        tapAfter(() => {
          throw error;
        }),
      )
      .subscribe({ next: (n) => log.push(n), error: (e) => log.push(e) });
    expect(log).toEqual([1, error]);
  });

  it('keeps the type', () => {
    expectTypeOf(of(1).pipe(tapAfter(() => undefined))).toEqualTypeOf<Observable<number>>();
  });
});
