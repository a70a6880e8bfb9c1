import { type MonoTypeOperatorFunction, Observable, type Subscriber } from 'rxjs';
import { Consumer } from './consumer.js';

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
    new Observable<T>((subscriber) => {
      const places = new Places<T>(subscriber, placeOf, release);
      subscriber.add(places);
      source.subscribe(places);
    });

/** What is held, and how far the release has come. */
class Places<T> extends Consumer<T> {
  readonly #held = new Map<number, T>();
  #due = 0;
  #releasing = false;

  constructor(
    private readonly subscriber: Subscriber<T>,
    private readonly placeOf: (value: T) => number | undefined,
    private readonly release: ((value: T, place: number) => T) | undefined,
  ) {
    super();
  }

  /** Written out, as in every class that each value passes: one call less. */
  override next(value: T): void {
    if (this.stopped || this.closed) return;
    try {
      const place = this.placeOf(value);
      if (place === undefined) this.subscriber.next(value);
      else this.#fill(place, value);
    } catch (error) {
      this.error(error);
    }
  }

  protected onNext(): void {}

  protected onError(error: unknown): void {
    this.subscriber.error(error);
  }

  /** The gaps stay. Not by `#release`: a consumer may end the source from inside it. */
  protected onComplete(): void {
    const rest = [...this.#held].sort(([a], [b]) => a - b);
    this.#held.clear();
    for (const [place, value] of rest) this.#emit(value, place);
    this.subscriber.complete();
  }

  #fill(place: number, value: T): void {
    // The usual case by far, and the one that must cost nothing: in order, nothing held.
    if (place === this.#due && this.#held.size === 0 && !this.#releasing) {
      this.#due++;
      this.#emit(value, place);
      // While that was handled, others may have been filled.
      if (this.#held.size === 0) return;
    } else {
      this.#held.set(place, value);
    }
    this.#releaseDue();
  }

  #releaseDue(): void {
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

  #emit(value: T, place: number): void {
    this.subscriber.next(this.release === undefined ? value : this.release(value, place));
  }
}
