import type { MonoTypeOperatorFunction } from 'rxjs';
import { operate } from './operate.js';

/**
 * Passes values through the first terminal one, then completes and leaves the source.
 *
 * `takeWhile(p, true)` emits a second terminal value when the consumer makes the source emit while it handles
 * the first; this one is over before it delivers.
 *
 * ```marbles
 * source a-b-T-c-T|  T is terminal
 * subs   ^---!
 * result a-b-(T|)
 * ```
 * **Gotchas** A source that ends without a terminal value just completes: whoever needs one must look.
 *
 * @param isTerminal whether a value is the last one; a throw is the stream's error
 * @example
 * ```ts
 * emissions$.pipe(settleOnce((emission) => emission.type === 'output'));
 * ```
 */
export const settleOnce =
  <T>(isTerminal: (value: T) => boolean): MonoTypeOperatorFunction<T> =>
  (source) =>
    operate<T, T>(source, (subscriber) => {
      let over = false;
      return {
        next: (value) => {
          if (over) return;
          over = isTerminal(value);
          subscriber.next(value);
          if (over) subscriber.complete();
        },
        // Whoever handles the terminal value may make the source fail: too late.
        error: (error) => {
          if (!over) subscriber.error(error);
        },
      };
    });
