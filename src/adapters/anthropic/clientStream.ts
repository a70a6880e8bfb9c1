import { Observable } from 'rxjs';
import { ModelStreamError } from '../../contract/index.js';
import { isWireEvent } from './wire.js';

type Listener = (...args: never[]) => void;

/** The part of the official client's `MessageStream` that is used. */
export interface ClientStream {
  readonly ended: boolean;
  readonly currentMessage?: unknown;
  // The client's own signatures narrow the event names, which no wider one is assignable from.
  on(event: never, listener: never): unknown;
  off(event: never, listener: never): unknown;
  abort(): void;
  finalMessage(): PromiseLike<unknown>;
}

interface Emitter {
  on(event: string, listener: Listener): void;
  off(event: string, listener: Listener): void;
}

/**
 * Listens to the official client's `MessageStream`.
 *
 * By its listeners and not by iterating it: the client goes on writing into the message it handed out with
 * `message_start`, so whoever reads that event later, as an iterator does, finds blocks in it that come again.
 *
 * Unsubscribing aborts the request, unless the message has ended: the host may be waiting for `finalMessage()`.
 */
export const fromClientStream = (stream: ClientStream): Observable<unknown> =>
  new Observable((subscriber) => {
    if (stream.ended || stream.currentMessage !== undefined) throw tooLate();
    const emitter = stream as unknown as Emitter;
    let over = false;
    const listeners: Readonly<Record<string, Listener>> = {
      streamEvent: (event: unknown) => {
        over = isWireEvent(event) && event.type === 'message_stop';
        subscriber.next(event);
      },
      error: (error: unknown) => subscriber.error(error),
      abort: (error: unknown) => subscriber.error(error),
      end: () => {
        over = true;
        subscriber.complete();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) emitter.on(name, listener);
    // The client rejects an orphaned promise when it fails while nobody listens, as after our own `abort()`.
    emitter.on('error', () => undefined);
    emitter.on('abort', () => undefined);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) emitter.off(name, listener);
      if (!over) stream.abort();
    };
  });

const tooLate = (): ModelStreamError =>
  new ModelStreamError(
    'source_failed',
    "The client's stream is already under way, and what it has sent is not sent again. Subscribe in the tick in which it is made, for instance inside `defer(() => modelEvents(client.messages.stream(…)))`.",
    { retryable: false },
  );
