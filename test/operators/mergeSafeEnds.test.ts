import { EMPTY, NEVER, Observable, of, Subject, take, throwError, UnsubscriptionError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type MergeSafeOptions, mergeSafe } from '../../operators/index.js';

describe('an error', () => {
  const failed = (project: (n: number) => Observable<number>, feed = [1, 2, 3]) => {
    const log: string[] = [];
    of(...feed)
      .pipe(mergeSafe(project, 1))
      .subscribe({
        next: (n) => log.push(`next ${n}`),
        error: ({ message }: Error) => log.push(`error ${message}`),
        complete: () => log.push('complete'),
      });
    return log;
  };

  it('of one that runs ends all', () => {
    let left = 0;
    const beside = new Observable<number>(() => () => left++);
    const source = new Subject<Observable<number>>();
    const errors: unknown[] = [];
    source.pipe(mergeSafe((inner) => inner, 3)).subscribe({ error: (error) => errors.push(error) });
    source.next(beside);
    source.next(beside);
    const error = new Error('one of them');
    source.next(throwError(() => error));
    expect(errors).toEqual([error]);
    expect([left, source.observed]).toEqual([2, false]);
  });

  it('is what `project` throws, and what is no Observable', () => {
    const thrown = (): never => {
      throw new Error('no way');
    };
    expect(failed((n) => (n === 2 ? thrown() : of(n)))).toEqual(['next 1', 'error no way']);
    expect(failed((n) => (n === 2 ? (7 as never) : of(n)))[1]).toMatch(/^error You provided '7'/);
  });

  it.each(['kindOf', 'priority', 'onWait'] as const)('is what `%s` throws', (name) => {
    const error = new Error(name);
    const errors: unknown[] = [];
    const options: MergeSafeOptions<number> = {
      concurrency: 1,
      [name]: () => {
        throw error;
      },
    };
    const source = new Subject<number>();
    source.pipe(mergeSafe(() => NEVER, options)).subscribe({ error: (e) => errors.push(e) });
    source.next(1);
    source.next(2);
    expect(errors).toEqual([error]);
    expect(source.observed).toBe(false);
  });

  it('starts nothing of what waits, whatever its consumer does', () => {
    const started: number[] = [];
    const [source, first, second] = [new Subject<number>(), new Subject<number>(), new Subject<number>()];
    const project = (n: number): Observable<number> => {
      started.push(n);
      return n === 1 ? first : n === 2 ? second : EMPTY;
    };
    source.pipe(mergeSafe(project, 2)).subscribe({
      error: () => {
        source.next(4);
        second.complete();
      },
    });
    for (const n of [1, 2, 3]) source.next(n);
    first.error(new Error());
    expect(started).toEqual([1, 2]);
  });
});

describe('leaving', () => {
  it('stops an inner that emits everything at once', () => {
    let emitted = 0;
    const firehose = new Observable<number>((subscriber) => {
      while (!subscriber.closed && emitted < 10_000) subscriber.next(emitted++);
    });
    const came: number[] = [];
    of(0)
      .pipe(
        mergeSafe(() => firehose, 1),
        take(3),
      )
      .subscribe((n) => came.push(n));
    expect([came, emitted]).toEqual([[0, 1, 2], 3]);
  });

  it('while `project` works starts nothing', () => {
    let subscribed = 0;
    const source = new Subject<number>();
    const subscription = source
      .pipe(
        mergeSafe(() => {
          subscription.unsubscribe();
          return new Observable(() => void subscribed++);
        }, 1),
      )
      .subscribe();
    source.next(1);
    expect([subscribed, source.observed]).toEqual([0, false]);
  });

  it('tears down all that runs, though one of them throws at it', () => {
    let left = 0;
    const source = new Subject<number>();
    const project = (n: number): Observable<never> =>
      new Observable(() => () => {
        left++;
        if (n === 1) throw new Error('will not go');
      });
    const subscription = source.pipe(mergeSafe(project, 3)).subscribe();
    for (const n of [1, 2, 3]) source.next(n);
    expect(() => subscription.unsubscribe()).toThrow(UnsubscriptionError);
    expect([left, source.observed]).toEqual([3, false]);
  });
});
