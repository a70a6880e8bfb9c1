import { concat, NEVER, Observable, of, Subject, throwError, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { modelEvents } from '../../../src/adapters/anthropic/index.js';
import { InvalidOptionError, type ModelEvent, ModelStreamError } from '../../../src/contract/index.js';
import { bytes, call, E, END, ERR, J, MD, MS, read, reading, sse, T, types, type Wire, X } from './wire.js';

const half = [T(1, 't2'), J(1, '{"path":"a","ol')];
const started = [MS(), ...call(0, 't1')];

/** Runs a source on a virtual clock to its end; `at` is when it failed or completed. */
const onClock = (source: Observable<Wire | Uint8Array>, idleMs?: number) => {
  const scheduler = new VirtualTimeScheduler();
  const events: ModelEvent[] = [];
  let error: ModelStreamError | undefined;
  let at = Number.NaN;
  modelEvents(source, { scheduler, ...(idleMs !== undefined && { idleMs }) }).subscribe({
    next: (event) => events.push(event),
    error: (failure) => {
      error = failure;
      at = scheduler.now();
    },
    complete: () => {
      at = scheduler.now();
    },
  });
  scheduler.flush();
  return { ...reading(events, error), at, pending: scheduler.actions.length };
};

describe('a stream that fails after HTTP 200 (B18)', () => {
  const prefixes = { 'half a call': [MS(), ...half], 'a complete call before it': [...started, ...half] };

  it.each(Object.entries(prefixes))('an error event, after %s', async (_, wire) => {
    const { error, toolUses, end } = await read(sse([...wire, ERR('overloaded_error')]));
    expect(error).toBeInstanceOf(ModelStreamError);
    expect(error).toMatchObject({ code: 'error_event', errorType: 'overloaded_error', retryable: true });
    expect(error?.message).toBe('The API reported overloaded_error: Overloaded');
    expect(toolUses.map(({ id }) => id)).not.toContain('t2');
    expect(end).toBeUndefined();
  });

  it.each(Object.entries(prefixes))('silence, after %s: ended by the idle limit', (_, wire) => {
    const { error, toolUses, at, pending } = onClock(concat(of(...wire), NEVER));
    expect(error).toMatchObject({ code: 'idle', retryable: true });
    expect(at).toBe(60_000);
    expect(pending).toBe(0);
    expect(toolUses.map(({ id }) => id)).not.toContain('t2');
  });

  it.each(Object.entries(prefixes))('the end of the connection, after %s', async (_, wire) => {
    const { error, toolUses, end } = await read(sse(wire));
    expect(error).toMatchObject({ code: 'unexpected_end', retryable: true });
    expect(toolUses.map(({ id }) => id)).not.toContain('t2');
    expect(end).toBeUndefined();
  });

  it('hands out neither a call that is empty nor one that is broken when the end comes', async () => {
    const { toolUses } = await read([MS(), T(0, 't1'), E(0)]);
    expect(toolUses).toEqual([]);
  });

  it('is not mended by a stop reason: the message has no end', async () => {
    const { error } = await read([...started, MD('tool_use')]);
    expect(error).toMatchObject({ code: 'unexpected_end' });
  });

  it('an empty source', async () => {
    expect((await read('')).error).toMatchObject({ code: 'unexpected_end' });
    expect((await read([])).error).toMatchObject({ code: 'unexpected_end' });
  });
});

describe('which failures are worth the same request again', () => {
  it.each(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error', 'new_kind_of_error'])(
    '%s is',
    async (type) => expect((await read([MS(), ERR(type)])).error).toMatchObject({ retryable: true }),
  );

  it.each([
    'invalid_request_error',
    'authentication_error',
    'permission_error',
    'not_found_error',
    'request_too_large',
    'billing_error',
  ])('%s is not', async (type) =>
    expect((await read([MS(), ERR(type)])).error).toMatchObject({ retryable: false, errorType: type }),
  );

  it.each([
    [500, true],
    [529, true],
    [429, true],
    [408, true],
    [400, false],
    [404, false],
  ])('a source that fails with the status %d: %s', async (status, retryable) => {
    const failure = Object.assign(new Error('refused'), { status });
    const { error } = await read(throwError(() => failure));
    expect(error).toMatchObject({ code: 'source_failed', retryable, cause: failure });
  });

  it('a broken connection is, an abort is not', async () => {
    const { error } = await read(
      concat(
        of(...started),
        throwError(() => new TypeError('terminated')),
      ),
    );
    expect(error).toMatchObject({ code: 'source_failed', retryable: true });
    const abort = new DOMException('This operation was aborted', 'AbortError');
    expect((await read(throwError(() => abort))).error).toMatchObject({ retryable: false });
  });

  it('takes any rubbish for a failure without throwing itself', async () => {
    const rubbish = [undefined, null, 'text', 7, Object.create(null), { toString: null }];
    for (const thrown of rubbish) {
      const { error } = await read(throwError(() => thrown));
      expect(error).toBeInstanceOf(ModelStreamError);
    }
  });
});

describe('the idle limit', () => {
  const every = (ms: number, times: number, piece: Uint8Array, scheduler: VirtualTimeScheduler) =>
    new Observable<Uint8Array>((subscriber) => {
      for (let i = 1; i <= times; i += 1) {
        subscriber.add(scheduler.schedule(() => subscriber.next(piece), i * ms));
      }
    });

  it.each([
    ['pings', sse([{ type: 'ping' }])],
    ['comments', ': still here\n\n'],
  ])('counts %s as life', (_, piece) => {
    const scheduler = new VirtualTimeScheduler();
    let failedAt = 0;
    const alive = every(900, 10, bytes(piece), scheduler);
    modelEvents(concat(of(bytes(sse([MS()]))), alive), { idleMs: 1000, scheduler }).subscribe({
      error: () => {
        failedAt = scheduler.now();
      },
    });
    scheduler.flush();
    expect(failedAt).toBe(10_000);
  });

  it('can be chosen, and is named', () => {
    const { error, at } = onClock(NEVER, 250);
    expect(at).toBe(250);
    expect(error?.message).toBe('Nothing came from the model for 250 ms.');
  });

  it('can be left out: then nothing is scheduled', () => {
    const scheduler = new VirtualTimeScheduler();
    modelEvents(NEVER, { idleMs: Number.POSITIVE_INFINITY, scheduler }).subscribe();
    expect(scheduler.actions).toHaveLength(0);
  });

  it('leaves no timer when the stream completes, fails or is left', () => {
    const scheduler = new VirtualTimeScheduler();
    modelEvents([MS(), MD('end_turn'), END], { scheduler }).subscribe();
    modelEvents([MS(), ERR('api_error')], { scheduler }).subscribe({ error: () => undefined });
    modelEvents(NEVER, { scheduler }).subscribe().unsubscribe();
    const source = new Subject<Wire>();
    const subscription = modelEvents(source, { scheduler }).subscribe();
    source.next(MS());
    subscription.unsubscribe();
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
    expect(source.observed).toBe(false);
  });

  it('ends a connection that stays open behind the end of its message, without failing', () => {
    const { error, at, end, anomalies } = onClock(concat(of(MS(), MD('end_turn'), END), NEVER));
    expect(error).toBeUndefined();
    expect(at).toBe(60_000);
    expect(end).toBeDefined();
    expect(anomalies).toEqual(['after_message_end']);
  });

  it.each([0, -1, Number.NaN, '5'])('refuses %s at construction', (idleMs) => {
    expect(() => modelEvents([], { idleMs: idleMs as number })).toThrow(InvalidOptionError);
  });
});

describe('frames that cannot be read', () => {
  it.each([
    ['text that is no JSON', 'event: content_block_delta\ndata: {"type":"content_bl\n\n', true],
    ['a body of another protocol', 'data: {"id":"chatcmpl-1","choices":[]}\n\n', false],
    ['JSON that is no object', 'data: [1]\n\n', false],
  ])('%s fails, after what came before it', async (_, frame, retryable) => {
    const { events, error } = await read(sse(started) + frame + sse([MD('tool_use'), END]));
    expect(error).toMatchObject({ code: 'malformed', retryable });
    expect(types(events)).toEqual(['message-start', 'input-delta', 'block', 'tool-use']);
  });

  it('an item that is neither bytes nor an event', async () => {
    const { error } = await read([MS(), 42] as never);
    expect(error).toMatchObject({ code: 'malformed', retryable: false });
  });

  it('an error event whose text is no JSON is still an error', async () => {
    const { error } = await read(`${sse(started)}event: error\ndata: upstream went away\n\n`);
    expect(error).toMatchObject({ code: 'error_event', retryable: true });
    expect(error?.message).toContain('upstream went away');
  });

  it('the end of a message that never began', async () => {
    expect((await read([END])).error).toMatchObject({ code: 'malformed' });
  });

  it('behind the end of the message they change nothing', async () => {
    const { error, end, anomalies } = await read(
      `${sse([MS(), X(0), E(0), MD('end_turn'), END])}data: [DONE]\n\n`,
    );
    expect(error).toBeUndefined();
    expect(end).toBeDefined();
    expect(anomalies).toEqual(['after_message_end']);
  });
});
