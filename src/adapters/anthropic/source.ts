import { defer, from, isObservable, map, type Observable, of } from 'rxjs';
import { InvalidOptionError } from '../../contract/index.js';
import { type ClientStream, fromClientStream } from './clientStream.js';
import { apiFailure, unexpectedEnd } from './failure.js';
import { fromPromise } from './promised.js';
import { fromAsyncIterable, fromReadable, type ReadableLike } from './pull.js';
import { recordOf } from './wire.js';

/** A piece of a stream: bytes or text of server-sent events, or an event that has been parsed already. */
export type ModelSourceItem = string | ArrayBufferView | ArrayBuffer | { readonly type: string };

/** The part of a `Response` that is read. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly body: ReadableLike | null;
  text(): PromiseLike<string>;
}

/** Where a model's stream comes from; see `modelEvents`. */
export type ModelSource =
  | string
  | ArrayBufferView
  | ArrayBuffer
  | ResponseLike
  | ReadableLike
  | ClientStream
  | Observable<ModelSourceItem>
  | AsyncIterable<ModelSourceItem>
  | Iterable<ModelSourceItem>
  | PromiseLike<unknown>;

/**
 * The items of a source of any kind, cold. Which kind of items they are is told item by item.
 *
 * @throws InvalidOptionError for what is no source.
 */
export const itemsOf = (source: unknown): Observable<unknown> => {
  if (typeof source === 'string' || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return of(source);
  }
  if (typeof source !== 'object' || source === null) throw notASource(source);
  if (isObservable(source) || Symbol.observable in source) return from(source as Observable<unknown>);
  if (has(source, 'getReader')) return fromReadable(source as ReadableLike);
  if (has(source, 'text') && 'body' in source) return fromResponse(source as ResponseLike);
  if (has(source, 'finalMessage') && has(source, 'on')) return fromClientStream(source as ClientStream);
  if (Symbol.asyncIterator in source) return fromAsyncIterable(source as AsyncIterable<unknown>);
  if (Symbol.iterator in source) return from(source as Iterable<unknown>);
  if (has(source, 'then')) return fromPromise(source as PromiseLike<unknown>, itemsOf);
  throw notASource(source);
};

/**
 * The official client swallows pings, so a model that thinks in silence looks like one that has stalled. What a
 * promise will bring is not known; it may well be that client's.
 */
export const hidesPings = (source: unknown): boolean =>
  typeof source === 'object' &&
  source !== null &&
  (has(source, 'then') || ('controller' in source && source.controller instanceof AbortController));

/** A refused request has no stream: its body is one JSON error. */
const fromResponse = (response: ResponseLike): Observable<unknown> =>
  defer((): Observable<unknown> => {
    if (response.ok) {
      if (response.body === null) throw unexpectedEnd();
      return fromReadable(response.body);
    }
    return from(response.text()).pipe(
      map((body) => {
        throw apiFailure(errorBody(body), response.status);
      }),
    );
  });

const errorBody = (text: string) => {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return { error: { message: text.slice(0, 200) } };
  }
};

const has = (source: object, method: string): boolean =>
  typeof (source as Readonly<Record<string, unknown>>)[method] === 'function';

const notASource = (got: unknown): InvalidOptionError =>
  new InvalidOptionError(
    'source',
    'bytes or text of server-sent events, a Response, a stream of the official client, or parsed events (an Observable, iterable or async iterable, or a promise of one)',
    got,
  );
