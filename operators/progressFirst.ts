import type { MonoTypeOperatorFunction, Subscriber } from 'rxjs';
import { operate } from './operate.js';

/**
 * Passes progress at once and holds results for their place: place 0 first, then 1, and so on.
 *
 * ```marbles
 * source p-2-q-0-1---|  a digit is its place, letters have none
 * result p---q-0-(12)|
 * ```
 *
 * **Gotchas** Places are whole numbers from 0, each used once; a place that is never filled holds those behind
 * it until the source completes, and then they go out in order: nothing is lost. An error goes out at once.
 *
 * @param placeOf the value's place, or `undefined` for a value that needs none
 * @param release what becomes of a value when its place has come: how long it was held, say. Default: itself
 * @example
 * ```ts
 * events$.pipe(progressFirst((event) => (event.type === 'result' ? event.index : undefined)));
 * ```
 */
export const progressFirst =
  <T>(
    placeOf: (value: T) => number | undefined,
    release?: (value: T, place: number) => T,
  ): MonoTypeOperatorFunction<T> =>
  (source) =>
    operate<T, T>(source, (subscriber) => {
      const places = new Places<T>(subscriber, release);
      return {
        next: (value) => {
          const place = placeOf(value);
          if (place === undefined) subscriber.next(value);
          else places.fill(place, value);
        },
        complete: () => {
          places.flush();
          subscriber.complete();
        },
      };
    });

/** What is held, and how far the release has come. */
class Places<T> {
  readonly #held = new Map<number, T>();
  #due = 0;
  #releasing = false;

  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly release: ((value: T, place: number) => T) | undefined,
  ) {}

  fill(place: number, value: T): void {
    // The usual case by far, and the one that must cost nothing: in order, nothing held.
    if (place === this.#due && this.#held.size === 0 && !this.#releasing) {
      this.#due++;
      this.#emit(value, place);
      // While that was handled, others may have been filled.
      if (this.#held.size === 0) return;
    } else {
      this.#held.set(place, value);
    }
    this.#release();
  }

  #release(): void {
    // Re-entered from a consumer: the loop below goes on with what came.
    if (this.#releasing) return;
    this.#releasing = true;
    while (this.#held.has(this.#due) && !this.subscriber.closed) {
      const place = this.#due++;
      const value = this.#held.get(place) as T;
      this.#held.delete(place);
      this.#emit(value, place);
    }
    this.#releasing = false;
  }

  /** The source is over, and the gaps stay. Not by `#release`: a consumer may end the source from inside it. */
  flush(): void {
    const rest = [...this.#held].sort(([a], [b]) => a - b);
    this.#held.clear();
    for (const [place, value] of rest) this.#emit(value, place);
  }

  #emit(value: T, place: number): void {
    this.subscriber.next(this.release === undefined ? value : this.release(value, place));
  }
}
