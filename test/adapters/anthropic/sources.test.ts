import { finalize, from, type Observable, of, Subject, take } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { type ModelSource, modelEvents } from '../../../src/adapters/anthropic/index.js';
import { InvalidOptionError } from '../../../src/contract/index.js';
import { bytes, call, E, END, MD, MS, read, sse, text, type Wire, X } from './wire.js';

const wire = [
  MS(),
  X(0),
  text(0, 'Grüße 👋 €'),
  E(0),
  ...call(1, 't1', '{"s":"żółć 👩‍👩‍👧"}'),
  MD('tool_use'),
  END,
];
const body = sse(wire);
const expected = (await read(wire)).events;

const cut = (size: number): Uint8Array[] => {
  const all = bytes(body);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    all.subarray(i * size, (i + 1) * size),
  );
};

async function* later<V>(values: Iterable<V>): AsyncGenerator<V> {
  for (const value of values) yield await Promise.resolve(value);
}

const readable = (chunks: readonly unknown[], cancel?: () => void): ReadableStream =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (cancel === undefined) controller.close();
    },
    ...(cancel && { cancel }),
  });

describe('the same events come of every kind of source', () => {
  const sources: Readonly<Record<string, () => ModelSource>> = {
    'a string': () => body,
    'a string with a byte order mark': () => `\uFEFF${body}`,
    bytes: () => bytes(body),
    'an ArrayBuffer': () => bytes(body).buffer as ArrayBuffer,
    'a Buffer': () => Buffer.from(body),
    'an array of text': () => body.split(/(?<=a)/),
    'an array of bytes': () => cut(7),
    'an Observable of bytes': () => from(cut(3)),
    'an async generator of bytes': () => later(cut(5)),
    'a ReadableStream': () => readable(cut(11)),
    'a Response': () => new Response(body),
    'a promise of a Response': () => Promise.resolve(new Response(readable(cut(2)))),
    'parsed events': () => wire,
    'an Observable of parsed events': () => of(...wire),
    'an async generator of parsed events': () => later(wire),
    'lines ended by CR LF': () => body.replaceAll('\n', '\r\n'),
    'lines ended by CR, byte by byte': () => Array.from(body.replaceAll('\n', '\r')),
    'events named by their event line only': () => body.replaceAll(/"type":"(message|content)_(\w+)",?/g, ''),
    'pings and comments between': () =>
      body.replaceAll('\n\n', '\n\n: c\n\nevent: ping\ndata: {"type":"ping"}\n\n'),
    'no blank line behind the last event': () => body.trimEnd(),
  };
  it.each(Object.entries(sources))('%s', async (_, source) => {
    expect((await read(source())).events).toEqual(expected);
  });

  it('cut into pieces of every size, through every character', async () => {
    for (const size of [1, 2, 3, 4, 5, 13, 64, 1000]) {
      expect((await read(cut(size))).events, `pieces of ${size}`).toEqual(expected);
    }
  });

  it('is cold, with its own state for each subscription', async () => {
    const events$ = modelEvents(cut(9));
    for (let i = 0; i < 2; i += 1) {
      const seen: unknown[] = [];
      events$.subscribe((event) => seen.push(event));
      expect(seen).toEqual(expected);
    }
  });

  it.each([undefined, null, 7, {}, () => body])('refuses %s at construction', (source) => {
    expect(() => modelEvents(source as never)).toThrow(InvalidOptionError);
  });
});

describe('a refused request', () => {
  it('is told by the type in its body', async () => {
    const refusal = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'max_tokens: required' },
    };
    const { error } = await read(new Response(JSON.stringify(refusal), { status: 400 }));
    expect(error).toMatchObject({ errorType: 'invalid_request_error', retryable: false });
    expect(error?.message).toBe('The API reported invalid_request_error (HTTP 400): max_tokens: required');
  });

  it.each([
    [502, true],
    [403, false],
  ])('is told by its status %d where the body says nothing', async (status, retryable) => {
    const { error } = await read(new Response('<html>Bad gateway</html>', { status }));
    expect(error).toMatchObject({ code: 'source_failed', retryable });
  });

  it('has no stream without a body', async () => {
    expect((await read(new Response(null))).error).toMatchObject({ code: 'unexpected_end' });
  });
});

describe('unsubscribing leaves the source at once', () => {
  it('an Observable', () => {
    const source = new Subject<Wire>();
    const subscription = modelEvents(source).subscribe();
    expect(source.observed).toBe(true);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
  });

  it('a ReadableStream, also while a read is pending', async () => {
    const cancel = vi.fn();
    const source = readable([bytes(sse([MS()]))], cancel);
    const subscription = await first(modelEvents(source));
    subscription.unsubscribe();
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('an async iterable, by return(), also while next() never answers', async () => {
    const stop = vi.fn(() => Promise.reject(new Error('cleaning up failed')));
    const items = [MS()];
    const iterator = {
      next: () =>
        items.length > 0 ? Promise.resolve({ value: items.pop(), done: false }) : new Promise(() => {}),
      return: stop,
    };
    const source = { [Symbol.asyncIterator]: () => iterator } as AsyncIterable<Wire>;
    const subscription = await first(modelEvents(source));
    subscription.unsubscribe();
    expect(stop).toHaveBeenCalledOnce();
  });

  it('an endless iterable, in the middle of one item', () => {
    let pulled = 0;
    let returned = false;
    const endless = function* () {
      try {
        for (yield MS(), yield X(0); ; pulled += 1) yield text(0, 'x');
      } finally {
        returned = true;
      }
    };
    modelEvents(endless()).pipe(take(3)).subscribe();
    expect([pulled, returned]).toEqual([1, true]);
  });

  it('a Response that arrives when nobody waits any more', async () => {
    const cancel = vi.fn();
    let arrive: (response: Response) => void = () => undefined;
    const promise = new Promise<Response>((resolve) => {
      arrive = resolve;
    });
    modelEvents(promise).subscribe().unsubscribe();
    arrive(new Response(readable([], cancel)));
    await promise;
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('but not one that has ended by itself', async () => {
    const stop = vi.fn();
    const source = { controller: new AbortController(), [Symbol.asyncIterator]: () => iterator };
    const values = later(wire);
    const iterator = { next: () => values.next(), return: stop };
    await read(source as unknown as AsyncIterable<Wire>);
    expect(stop).not.toHaveBeenCalled();
    expect(source.controller.signal.aborted).toBe(false);
  });
});

describe('a source that fails on its own side', () => {
  it.each([
    ['a locked stream', () => lockedStream()],
    ['an iterator that throws', () => ({ [Symbol.asyncIterator]: () => ({ next: () => fail() }) })],
    ['an iterable that throws', () => ({ [Symbol.iterator]: () => fail() })],
    ['a promise that is rejected', () => Promise.reject(new Error('broken'))],
    ['a promise of no source', () => Promise.resolve(7)],
  ])('%s reports it on the error channel', async (_, source) => {
    expect((await read(source() as never)).error).toMatchObject({ code: 'source_failed' });
  });
});

const fail = (): never => {
  throw new Error('broken');
};

const lockedStream = (): ReadableStream => {
  const stream = readable([]);
  stream.getReader();
  return stream;
};

/** The subscription, once the first event has come. */
const first = <T>(events$: Observable<T>) =>
  new Promise<{ unsubscribe(): void }>((resolve) => {
    const subscription = events$
      .pipe(finalize(() => undefined))
      .subscribe(() => queueMicrotask(() => resolve(subscription)));
  });
