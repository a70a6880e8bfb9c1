import {
  concat,
  concatMap,
  map,
  mergeMap,
  Observable,
  type OperatorFunction,
  of,
  Subject,
  scan,
  takeWhile,
  tap,
} from 'rxjs';
import type { OperatorProbe, OperatorUnderTest } from '../../../marbles/testing/operatorKit.js';

export interface Value {
  readonly n: number;
}
type Operator = OperatorFunction<Value, Value>;
export type Target = OperatorUnderTest<Value, Value>;

export const target = (make: (probe: OperatorProbe) => Operator, rest: Partial<Target> = {}): Target => ({
  make,
  value: (n) => ({ n }),
  ...rest,
});

/** Plain observers: `closed` of the subscriber reaches the source only when `subscribe` has returned. */
export const plainObserver = target(({ call }) => (source) => {
  return new Observable((subscriber) =>
    source.subscribe({
      next: (value) => {
        try {
          call();
          subscriber.next(value);
        } catch (error) {
          subscriber.error(error);
        }
      },
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
});

/** Its count lives beside the operator: the second subscription goes on where the first has stopped. */
export const sharedState = target(
  ({ call }) => {
    let count = 0;
    return map(() => {
      call();
      return { n: count++ };
    });
  },
  { read: ({ n }) => n, outputs: (values) => values.map((_, index) => index) },
);

/** RxJS's own flattening starts what was buffered from inside what has just ended. */
export const recursion = target(({ call, gate$ }) =>
  concatMap((value) => {
    call();
    return value.n === 0 ? concat(gate$, of(value)) : of(value);
  }),
);

export const eager = target(({ call }) => (source) => {
  const early = new Subject<Value>();
  const subscription = source.pipe(tap(call)).subscribe(early);
  return new Observable((subscriber) => {
    subscriber.add(subscription);
    early.subscribe(subscriber);
  });
});

export const neverLeaves = target(({ call }) => (source) => {
  return new Observable((subscriber) => {
    source.pipe(tap(call)).subscribe({
      next: (value) => subscriber.next(value),
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
});

export const swallowsThrows = target(({ call }) =>
  tap(() => {
    try {
      call();
    } catch {
      // Whoever wrote it meant well.
    }
  }),
);

export const twoLastValues = target(
  ({ call }) =>
    takeWhile(({ n }) => {
      call();
      return n < 2;
    }, true),
  { outputs: (values) => values.filter(({ n }) => n <= 2) },
);

export const drops = target(({ call }) => (source) => {
  return new Observable((subscriber) => {
    let busy = false;
    return source
      .pipe(
        tap(call),
        mergeMap((value) => (busy ? [] : [value])),
      )
      .subscribe({
        next: (value) => {
          busy = true;
          subscriber.next(value);
          busy = false;
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
  });
});

export const keepsValues = target(({ call }) => (source) => {
  return source.pipe(
    scan((all: readonly Value[], value) => {
      call();
      // In steps, so that the test is quick.
      return [...all.slice(-50), value];
    }, []),
    map((all) => all[all.length - 1] as Value),
  );
});

const listeners = new Set<() => void>();
export const keepsListeners = target(
  ({ call }) =>
    tap(() => {
      call();
      listeners.add(() => undefined);
    }),
  { kept: () => listeners.size },
);
