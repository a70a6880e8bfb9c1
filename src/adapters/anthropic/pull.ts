import { Observable, type Subscriber } from 'rxjs';

/** The part of a `ReadableStream` that is read; any implementation of the standard fits. */
export interface ReadableLike {
  getReader(): {
    read(): PromiseLike<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): PromiseLike<unknown>;
  };
}

/** Reads a `ReadableStream`; unsubscribing cancels it at once, also while a read is pending. */
export const fromReadable = (stream: ReadableLike): Observable<unknown> =>
  new Observable((subscriber) => {
    const reader = stream.getReader();
    void pump(() => reader.read(), subscriber);
    return () => leave(() => reader.cancel());
  });

/**
 * Iterates an async iterable; unsubscribing calls `return()` at once. A generator that waits for something only
 * gets that call when the wait is over, so a `controller` beside it, as the official client's streams have, is
 * aborted too.
 */
export const fromAsyncIterable = (
  source: AsyncIterable<unknown> & { readonly controller?: unknown },
): Observable<unknown> =>
  new Observable((subscriber) => {
    const iterator = source[Symbol.asyncIterator]();
    const controller = source.controller instanceof AbortController ? source.controller : undefined;
    let done = false;
    const next = async () => {
      const result = await iterator.next();
      done = result.done === true;
      // Aborted by the host, the client's stream ends as if it had been read to its end.
      if (done && controller?.signal.aborted) throw controller.signal.reason;
      return result;
    };
    void pump(next, subscriber);
    return () => {
      if (done) return;
      controller?.abort();
      leave(() => iterator.return?.());
    };
  });

const pump = async (
  next: () => PromiseLike<{ readonly done?: boolean; readonly value?: unknown }>,
  subscriber: Subscriber<unknown>,
): Promise<void> => {
  try {
    while (!subscriber.closed) {
      const { done, value } = await next();
      if (done) subscriber.complete();
      else subscriber.next(value);
    }
  } catch (error) {
    subscriber.error(error);
  }
};

/** What a source answers to being left is nobody's concern any more; it must not become an unhandled rejection. */
const leave = (stop: () => unknown): void => {
  void (async () => stop())().catch(() => undefined);
};
