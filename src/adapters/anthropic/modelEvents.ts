import {
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  endWith,
  type Observable,
  of,
  type SchedulerLike,
  throwError,
  timeout,
} from 'rxjs';
import { InvalidOptionError, type ModelEvent } from '../../contract/index.js';
import { anomaly } from './anomaly.js';
import { idle, toModelStreamError, unexpectedEnd } from './failure.js';
import { FrameDecoder } from './frames.js';
import { MessageReader } from './messageReader.js';
import { hidesPings, itemsOf, type ModelSource } from './source.js';

export interface ModelEventsOptions {
  /**
   * Milliseconds without any sign of life until the stream has failed, counted from the subscription; above 0,
   * `Infinity` is none. Every item counts: bytes, pings and comments too. Default 60,000; 300,000 for the
   * objects of the official client, which keep the pings to themselves, and for promises.
   */
  readonly idleMs?: number;
  /** All time comes from it. Default RxJS's `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

const IDLE_MS = 60_000;
const IDLE_WITHOUT_PINGS_MS = 300_000;
/** Timers wrap around above it and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads the stream of one assistant message of the Messages API (SPEC §4).
 *
 * ```
 * frames   message_start  block 0: text       block 1: tool_use           message_delta  message_stop
 * events   message-start  text-delta… block   input-delta… block tool-use                message-end
 * ```
 *
 * - A call is a `tool-use` as soon as its block has ended with one strictly parsed JSON object. One that is empty
 *   waits until the model has moved on; one that was cut or can't be read comes with a `fault`, and its `input`
 *   is `{}`. Nothing repaired is ever handed out but as the display of `input-delta`, and as the record of a
 *   faulty call in `block` and `message-end`: never execute those.
 * - Bytes that are not UTF-8 fail the attempt as `malformed`, retryable, after what was whole before them: a
 *   replacement character would make another call of the one the model wrote. (A source of text has been decoded
 *   already, the official client's leniently.) Half a surrogate pair written as a JSON escape is what the model sent.
 * - What the protocol does not foresee is survived, and told as an `anomaly`.
 * - Cold, with its own state for each subscription. Unsubscribing cancels the source at once.
 *
 * @param source Bytes or text of server-sent events (a string, a `Response`, a `ReadableStream`, an Observable,
 * iterable or async iterable of chunks, cut anywhere); the official client's `messages.stream(…)`, to be
 * subscribed to in the tick in which it is made, or the stream of `messages.create({ stream: true })`; events
 * that are parsed already; or a promise of any of these (a request that has no answer yet can't be cancelled
 * through its promise: it is left as soon as it answers). `messages.stream(…)` itself fails on a call whose JSON
 * is broken; with `messages.create` its siblings run.
 * @returns Events until the source ends; after `message-end` nothing but anomalies. Fails with a
 * `ModelStreamError`: an error event, an end without the message's end, silence, frames that can't be read, a
 * source that fails.
 * @throws InvalidOptionError for an option that can't be meant, and for what is no source.
 * @example
 * ```ts
 * const events$ = modelEvents(client.messages.stream(request)).pipe(share());
 * events$.pipe(toolUses(), executeTools({ tools })).subscribe(show);
 * ```
 */
export const modelEvents = (
  source: ModelSource,
  options: ModelEventsOptions = {},
): Observable<ModelEvent> => {
  const idleMs = options.idleMs ?? (hidesPings(source) ? IDLE_WITHOUT_PINGS_MS : IDLE_MS);
  if (!(typeof idleMs === 'number' && idleMs > 0)) {
    throw new InvalidOptionError('idleMs', 'a number of milliseconds above 0', idleMs);
  }
  const scheduler = options.scheduler ?? asyncScheduler;
  if (typeof scheduler.schedule !== 'function') {
    throw new InvalidOptionError('scheduler', 'an RxJS scheduler', scheduler);
  }
  const items = itemsOf(source);
  const living = idleMs > LONGEST_TIMER_MS ? items : items.pipe(idleLimit(idleMs, scheduler));
  return defer(() => readMessage(living));
};

const idleLimit = (ms: number, scheduler: SchedulerLike) =>
  timeout<unknown, Observable<never>>({ each: ms, scheduler, with: () => throwError(() => idle(ms)) });

const END = Symbol('the source has ended');

const readMessage = (items: Observable<unknown>): Observable<ModelEvent> => {
  const decoder = new FrameDecoder();
  const reader = new MessageReader();
  const events = items.pipe(
    endWith(END),
    concatMap((item) => (item === END ? decoder.end() : decoder.decode(item))),
    concatMap((event) => reader.read(event)),
  );
  const checkEnd = defer(() => (reader.ended ? EMPTY : throwError(unexpectedEnd)));
  return concat(events, checkEnd).pipe(
    catchError((error: unknown) => {
      const failure = toModelStreamError(error);
      // The message is whole: a connection that breaks or stalls behind it has taken nothing away.
      if (reader.ended) return of(anomaly('after_message_end', `a failure after it: ${failure.message}`));
      return throwError(() => failure);
    }),
  );
};
