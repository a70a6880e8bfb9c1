import type { Observable } from 'rxjs';
import { Consumer } from '../../operators/consumer.js';

/**
 * Reads an Observable with `for await`: lossless, first in first out; leaving the loop unsubscribes.
 *
 * Subscribes when the loop begins. Values that come while the loop's body works wait in a queue without bound.
 * An error is thrown by the loop, after the values before it.
 *
 * @example
 * ```ts
 * for await (const event of toAsyncIterable(events$)) {
 *   if (event.type === 'result') break; // unsubscribes
 * }
 * ```
 */
export const toAsyncIterable = <T>(source: Observable<T>): AsyncIterable<T> => ({
  [Symbol.asyncIterator]: () => new ObservableIterator(source),
});

interface Pull<T> {
  readonly resolve: (result: IteratorResult<T>) => void;
  readonly reject: (error: unknown) => void;
}

interface End {
  readonly error?: unknown;
  readonly failed: boolean;
}

class Reader<T> extends Consumer<T> {
  constructor(
    private readonly take: (value: T) => void,
    private readonly finish: (end: End) => void,
  ) {
    super();
  }

  protected onNext(value: T): void {
    this.take(value);
  }

  protected onError(error: unknown): void {
    this.finish({ error, failed: true });
  }

  protected onComplete(): void {
    this.finish({ failed: false });
  }
}

class ObservableIterator<T> implements AsyncIterator<T> {
  #values: T[] = [];
  #read = 0;
  #pulls: Pull<T>[] = [];
  /** How many of the pulls have been answered: `shift` costs the length of the rest. */
  #pulled = 0;
  #end: End | undefined;
  #reader: Reader<T> | undefined;

  constructor(private readonly source: Observable<T>) {}

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      this.#pulls.push({ resolve, reject });
      if (this.#end === undefined && this.#reader === undefined) this.#subscribe();
      this.#match();
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#finish({ failed: false });
    this.#values = [];
    this.#read = 0;
    this.#reader?.unsubscribe();
    this.#match();
    return Promise.resolve({ value: undefined, done: true });
  }

  #subscribe(): void {
    // There before a source that answers at once comes back to us, so that leaving the loop ends it.
    this.#reader = new Reader(
      (value) => {
        this.#values.push(value);
        this.#match();
      },
      (end) => this.#finish(end),
    );
    this.source.subscribe(this.#reader);
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#match();
  }

  /** Gives what there is to those who wait for it; the end, when there is nothing more. */
  #match(): void {
    while (this.#pulled < this.#pulls.length) {
      if (this.#read < this.#values.length) {
        const value = this.#values[this.#read] as T;
        // Handed over: not kept alive by the queue.
        this.#values[this.#read++] = undefined as T;
        if (this.#read > 1024 && this.#read * 2 > this.#values.length) this.#forget();
        this.#nextPull()?.resolve({ value, done: false });
      } else if (this.#end !== undefined) {
        const pull = this.#nextPull();
        const end = this.#end;
        this.#end = { failed: false };
        if (end.failed) pull?.reject(end.error);
        else pull?.resolve({ value: undefined, done: true });
      } else return;
    }
  }

  #nextPull(): Pull<T> | undefined {
    const pull = this.#pulls[this.#pulled++];
    if (
      this.#pulled === this.#pulls.length ||
      (this.#pulled > 1024 && this.#pulled * 2 > this.#pulls.length)
    ) {
      this.#pulls = this.#pulls.slice(this.#pulled);
      this.#pulled = 0;
    }
    return pull;
  }

  #forget(): void {
    this.#values = this.#values.slice(this.#read);
    this.#read = 0;
  }
}
