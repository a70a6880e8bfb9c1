import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { operate } from './operate.js';

/** A maximal stretch of consecutive safe values, or one unsafe value alone. */
export interface Batch<T> {
  readonly isConcurrencySafe: boolean;
  /** The batch's place, from 0. */
  readonly index: number;
  /** Its values: for one subscriber, kept until it comes; completes when the batch can get no more. */
  readonly items$: Observable<T>;
}

/**
 * Cuts the source into batches: consecutive safe values together, each unsafe one alone. Greedy: a batch is
 * announced with its first value and stays open while the source may still add to it.
 *
 * ```marbles
 * source  ab-C-d-e|  small letters are safe
 * batches 0--1-2--|
 * 0       ab-|
 * 1          (C|)
 * 2            d-e|
 * ```
 * **Gotchas** `items$` is unicast: a second subscriber is refused. When the source fails or the batches are
 * left, the open batch completes: what had begun ends well.
 *
 * @param isConcurrencySafe asked once a value; anything but `true` is unsafe; a throw is the stream's error
 * @example
 * ```ts
 * calls$.pipe(
 *   partitionByConcurrency((call) => call.isConcurrencySafe),
 *   concatUnsafe(({ items$ }) => items$.pipe(mergeSafe(run, 10))),
 * );
 * ```
 */
export const partitionByConcurrency =
  <T>(isConcurrencySafe: (value: T) => boolean): OperatorFunction<T, Batch<T>> =>
  (source) =>
    operate<T, Batch<T>>(source, (subscriber) => {
      let open: Items<T> | undefined;
      let index = 0;
      const close = (): void => {
        const batch = open;
        open = undefined;
        batch?.end();
      };
      return {
        next: (value) => {
          const safe = isConcurrencySafe(value) === true;
          if (safe && open !== undefined) {
            open.push(value);
            return;
          }
          // Filled before the batch is announced: nothing can be lost.
          const before = open;
          const items = new Items<T>(value);
          open = safe ? items : undefined;
          if (!safe) items.end();
          subscriber.next({ isConcurrencySafe: safe, index: index++, items$: items.stream$ });
          // Ended after the next is announced: a consumer that feeds or ends the source when a batch ends must
          // find this value in its place.
          before?.end();
        },
        complete: () => {
          close();
          subscriber.complete();
        },
        finalize: close,
      };
    });

/** Values kept for one subscriber. */
class Items<T> {
  #buffer: T[] | undefined;
  #subscriber: Subscriber<T> | undefined;
  #taken = false;
  #ended = false;

  constructor(first: T) {
    this.#buffer = [first];
  }

  readonly stream$: Observable<T> = new Observable<T>((subscriber) => {
    if (this.#taken) {
      subscriber.error(
        new Error('the items of a batch are for one subscriber: share() them, or collect them once'),
      );
      return;
    }
    this.#taken = true;
    // Values that come while the kept ones are handed over are appended, and so stay in order.
    const buffer = this.#buffer as T[];
    for (let i = 0; i < buffer.length && !subscriber.closed; i++) subscriber.next(buffer[i] as T);
    this.#buffer = undefined;
    this.#subscriber = subscriber;
    if (this.#ended) subscriber.complete();
  });

  push(value: T): void {
    if (this.#subscriber !== undefined) this.#subscriber.next(value);
    else this.#buffer?.push(value);
  }

  end(): void {
    this.#ended = true;
    this.#subscriber?.complete();
  }
}
