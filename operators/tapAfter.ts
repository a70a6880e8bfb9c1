import type { MonoTypeOperatorFunction } from 'rxjs';
import { operate } from './operate.js';

/**
 * Delivers each value, then runs an effect for it: the cause is seen before what it causes.
 *
 * With `tap` an effect that feeds back (trips a latch, say) puts the consequences in front of the value.
 *
 * ```marbles
 * source a----b----|
 * result (aA)-(bB)-|  a capital is what the effect adds to the same stream
 * ```
 * **Gotchas** No effect for a value whose delivery ended the subscription. A throw is the stream's error.
 *
 * @param effect runs right after the consumer has handled the value
 * @example
 * ```ts
 * events$.pipe(tapAfter((event) => { if (isFatal(event)) siblingAbort.trip(event); }));
 * ```
 */
export const tapAfter =
  <T>(effect: (value: T) => void): MonoTypeOperatorFunction<T> =>
  (source) =>
    operate<T, T>(source, (subscriber) => ({
      next: (value) => {
        subscriber.next(value);
        if (!subscriber.closed) effect(value);
      },
    }));
