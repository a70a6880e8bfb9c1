import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { operate } from './operate.js';

/** A maximal stretch of consecutive safe values, or one unsafe value alone. */
export interface Batch<T> {
  readonly isConcurrencySafe: boolean;
  /** The batch's place, from 0. */
  readonly index: number;
  /** The value it was announced with; the only one of an unsafe batch. */
  readonly first: T;
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
      let open: OpenBatch<T> | undefined;
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
          const batch = new OpenBatch<T>(safe, index++, value);
          open = safe ? batch : undefined;
          if (!safe) batch.end();
          subscriber.next(batch);
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

/** A batch that keeps its values for one subscriber. What it takes for that is made when it comes. */
class OpenBatch<T> implements Batch<T> {
  #buffer: T[] | undefined;
  #stream$: Observable<T> | undefined;
  #subscriber: Subscriber<T> | undefined;
  #ended = false;

  constructor(
    readonly isConcurrencySafe: boolean,
    readonly index: number,
    readonly first: T,
  ) {}

  get items$(): Observable<T> {
    this.#stream$ ??= unicast((subscriber) => this.#handOver(subscriber));
    return this.#stream$;
  }

  push(value: T): void {
    if (this.#subscriber !== undefined) {
      this.#subscriber.next(value);
      return;
    }
    this.#buffer ??= [];
    this.#buffer.push(value);
  }

  end(): void {
    this.#ended = true;
    this.#subscriber?.complete();
  }

  #handOver(subscriber: Subscriber<T>): void {
    // Values that come while the kept ones are handed over are appended, and so stay in order.
    this.#buffer ??= [];
    subscriber.next(this.first);
    for (let i = 0; i < this.#buffer.length && !subscriber.closed; i++) subscriber.next(this.#buffer[i] as T);
    this.#buffer = undefined;
    this.#subscriber = subscriber;
    if (this.#ended) subscriber.complete();
  }
}

const unicast = <T>(handOver: (subscriber: Subscriber<T>) => void): Observable<T> => {
  let taken = false;
  return new Observable<T>((subscriber) => {
    if (taken) {
      subscriber.error(
        new Error('the items of a batch are for one subscriber: share() them, or collect them once'),
      );
      return;
    }
    taken = true;
    handOver(subscriber);
  });
};
