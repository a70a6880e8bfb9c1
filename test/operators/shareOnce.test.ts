import { config, Observable, of, Subject, take } from 'rxjs';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { shareOnce } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

const tooLate = (): Error => new Error('too late');

describe('observers', () => {
  it.each([
    ['share one run, from when they come', 'source a-b-c|\nfirst  a-b-c|\nsecond  -b-c|\nthird     -c|'],
    ['share its failure', 'source a-b-#\nfirst  a-b-#\nsecond  -b-#\nthird       #'],
    ['may leave while others stay', 'source a-b-c|\nfirst  a-b-c|\nsubs   ^-!\nsecond  -b-c|\nthird  a-b-c|'],
    [
      'that have all left end the run, and whoever comes then is refused',
      'source a-b-c|\nsubs   ^--!\nfirst  a-b-c|\nsubs   ^!\nsecond a-b-c|\nsubs   ^--!\nthird      #',
    ],
  ])('%s', (_, text) => {
    draw(diagrams.shareOnce, text);
  });

  it('are refused with the error that is made for them', () => {
    const shared$ = of(1).pipe(shareOnce(tooLate));
    shared$.subscribe();
    const errors: unknown[] = [];
    shared$.subscribe({ error: (error) => errors.push(error) });
    expect(errors).toEqual([tooLate()]);
  });

  it('of a source that emits everything at once may leave it', () => {
    let emitted = 0;
    const firehose = new Observable<number>((subscriber) => {
      while (!subscriber.closed && emitted < 10_000) subscriber.next(emitted++);
    });
    firehose.pipe(shareOnce(tooLate), take(2)).subscribe();
    expect(emitted).toBe(2);
  });
});

describe('re-entrancy', () => {
  it('all observers see one order', () => {
    const source = new Subject<number>();
    const shared$ = source.pipe(shareOnce(tooLate));
    const seen: number[][] = [[], []];
    shared$.subscribe((n) => {
      seen[0]?.push(n);
      if (n < 3) source.next(n + 1);
    });
    shared$.subscribe((n) => seen[1]?.push(n));
    source.next(1);
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('an end that a value causes comes after the value, to all', () => {
    const source = new Subject<number>();
    const shared$ = source.pipe(shareOnce(tooLate));
    const log: string[] = [];
    const observe = (name: string, onValue: () => void): void => {
      shared$.subscribe({
        next: (n) => {
          log.push(`${name} ${n}`);
          onValue();
        },
        complete: () => log.push(`${name} ends`),
      });
    };
    observe('a', () => source.complete());
    observe('b', () => undefined);
    source.next(1);
    expect(log).toEqual(['a 1', 'b 1', 'a ends', 'b ends']);
  });

  it('whoever joins while a value is handed round gets the next one', () => {
    const source = new Subject<number>();
    const shared$ = source.pipe(shareOnce(tooLate));
    const late: number[] = [];
    let joined = false;
    shared$.subscribe(() => {
      if (!joined) shared$.subscribe((n) => late.push(n));
      joined = true;
    });
    source.next(1);
    source.next(2);
    expect(late).toEqual([2]);
  });

  it('whoever is left while a value is handed round does not get it, and the last one leaving ends all', () => {
    const source = new Subject<number>();
    const shared$ = source.pipe(shareOnce(tooLate));
    const seen: number[] = [];
    const first = shared$.subscribe(() => {
      source.next(2);
      second.unsubscribe();
      first.unsubscribe();
    });
    const second = shared$.subscribe((n) => seen.push(n));
    source.next(1);
    expect([seen, source.observed]).toEqual([[], false]);
  });
});

describe('an observer that throws', () => {
  afterEach(() => {
    config.onUnhandledError = null;
    vi.useRealTimers();
  });

  it('is told of by RxJS later, and stops neither the others nor the run', () => {
    vi.useFakeTimers();
    const reported: unknown[] = [];
    config.onUnhandledError = (error) => reported.push(error);
    const error = new Error('of the host');
    const source = new Subject<number>();
    const shared$ = source.pipe(shareOnce(tooLate));
    const seen: number[] = [];
    shared$.subscribe(() => {
      throw error;
    });
    shared$.subscribe((n) => seen.push(n));
    source.next(1);
    source.next(2);
    expect(seen).toEqual([1, 2]);
    vi.runAllTimers();
    expect(reported).toEqual([error, error]);
  });
});

it('keeps the type', () => {
  expectTypeOf(of(1).pipe(shareOnce(tooLate))).toEqualTypeOf<Observable<number>>();
});
