import type { Observable, OperatorFunction } from 'rxjs';
import type { Latch } from './latch.js';
import { operate } from './operate.js';

/**
 * Takes the source until a latch is tripped, then says what replaces the silence, and completes.
 *
 * Plain `takeUntil` ends without a word, and a call without an outcome is a call the model waits for for ever.
 *
 * ```marbles
 * abort  -----r
 * source a-b-c-d-e|
 * subs   ^----!
 * result a-b-c(R|)  R stands for what was cut off, and has the reason
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
      let cut = false;
      const listener = (reason: Reason): void => {
        // Whoever handles `instead` may make the source speak: it has been cut off.
        cut = true;
        try {
          if (instead !== undefined) subscriber.next(instead(reason));
          subscriber.complete();
        } catch (error) {
          subscriber.error(error);
        }
      };
      abort.onTrip(listener);
      return {
        next: (value) => {
          if (!cut) subscriber.next(value);
        },
        error: (error) => {
          if (!cut) subscriber.error(error);
        },
        finalize: () => abort.off(listener),
      };
    });
