import type { Observable, OperatorFunction } from 'rxjs';
import type { Latch } from './latch.js';
import { operate } from './operate.js';

/**
 * Takes the source until a latch is tripped, then says what replaces the silence, and completes.
 *
 * Plain `takeUntil` ends without a word, and a call without an outcome is a call the model waits for for ever.
 *
 * ```marbles
 * source   a-b-c-d|
 * abort    ----r
 * instead  x
 * result   a-b-(x|)
 * ```
 * **Gotchas** Stand last in the pipe: operators behind it keep what they hold running. A latch that is tripped
 * before the subscription wins: the source is not subscribed to.
 *
 * @param abort the latch; its reason is handed to `instead`
 * @param instead the one value that stands for what was cut off; leave it out to complete silently
 * @example
 * ```ts
 * progress$.pipe(takeUntilAborted(siblingAbort, (by) => ({ type: 'aborted', by })));
 * ```
 */
export const takeUntilAborted =
  <T, Reason, R = never>(abort: Latch<Reason>, instead?: (reason: Reason) => R): OperatorFunction<T, T | R> =>
  (source: Observable<T>) =>
    operate<T, T | R>(source, (subscriber) => {
      const listener = (reason: Reason): void => {
        if (instead !== undefined) subscriber.next(instead(reason));
        subscriber.complete();
      };
      abort.onTrip(listener);
      return { next: (value) => subscriber.next(value), finalize: () => abort.off(listener) };
    });
