import { lastValueFrom, Subject, take, toArray } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { modelEvents } from '../../../src/adapters/anthropic/index.js';
import type { ModelEvent } from '../../../src/contract/index.js';
import { toolUses } from '../../../src/turn/toolUses.js';
import { ModelServer, request } from './modelServer.js';
import { call, E, END, ERR, J, K, MD, MS, read, reading, T, text, X } from './wire.js';

let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());

const wire = [MS(), X(0), text(0, 'Grüße 👋'), E(0), ...call(1, 't1'), T(2, 't2'), E(2), MD('tool_use'), END];
const { events: expected } = await read(wire);

/** Fails the test that leaves a rejection behind. */
const noUnhandledRejections = (): void => {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    expect(seen).toEqual([]);
  });
};

const sources = {
  'messages.stream': () => server.client.messages.stream(request),
  'beta.messages.stream': () => server.client.beta.messages.stream(request),
  'a promise of messages.create': () => server.client.messages.create({ ...request, stream: true }),
  'a Response of messages.create': () =>
    server.client.messages.create({ ...request, stream: true }).asResponse(),
};

describe.each(Object.entries(sources))("the official client's %s, over HTTP", (name, open) => {
  it('gives the same events as the parsed ones', async () => {
    const result = read(open());
    const exchange = await server.request();
    // In one piece: the client reads ahead, and writes into the message it has handed out already.
    exchange.send(...wire);
    exchange.end();
    expect(await result).toMatchObject({ events: expected });
  });

  it('hands a call out while the message is still being written', async () => {
    const calls$ = modelEvents(open()).pipe(toolUses(), take(1));
    const first = lastValueFrom(calls$);
    const exchange = await server.request();
    exchange.send(...wire.slice(0, 7));
    expect(await first).toMatchObject({ id: 't1', messageId: 'm1' });
    // Taking one is leaving: nothing more is wanted of this request.
    expect(await exchange.left).toBe(true);
  });

  it('is aborted at once when nobody listens any more', async () => {
    noUnhandledRejections();
    const seen = new Subject<ModelEvent>();
    const begun = lastValueFrom(seen.pipe(take(1)));
    const subscription = modelEvents(open()).subscribe(seen);
    const exchange = await server.request();
    exchange.send(MS());
    await begun;
    subscription.unsubscribe();
    expect(await exchange.left).toBe(true);
  });

  it('fails with the type of an error event', async () => {
    noUnhandledRejections();
    const result = read(open());
    const exchange = await server.request();
    exchange.send(MS(), ERR('overloaded_error'));
    exchange.end();
    expect((await result).error).toMatchObject({
      code: 'error_event',
      errorType: 'overloaded_error',
      retryable: true,
    });
  });

  it('fails when the connection ends before the message', async () => {
    noUnhandledRejections();
    const result = read(open());
    const exchange = await server.request();
    exchange.send(...wire.slice(0, 6));
    exchange.end();
    const { error, toolUses: uses } = await result;
    expect(error).toMatchObject({ retryable: true });
    expect(uses).toEqual([]);
  });

  it('fails when it stays silent for longer than the idle limit', async () => {
    noUnhandledRejections();
    const result = lastValueFrom(modelEvents(open(), { idleMs: 60 }).pipe(toArray()));
    const exchange = await server.request();
    exchange.send(MS());
    await expect(result).rejects.toMatchObject({ code: 'idle' });
    expect(await exchange.left).toBe(true);
  });

  it('runs the siblings of a call whose JSON is broken', async (context) => {
    // The helper itself gives the stream up there; see below.
    if (name.endsWith('messages.stream')) return context.skip();
    const result = read(open());
    const exchange = await server.request();
    exchange.send(MS(), ...call(0, 't1', '{"a": celsius}'), ...call(1, 't2'), MD('tool_use'), END);
    exchange.end();
    expect((await result).toolUses.map(({ id, fault }) => [id, fault?.code])).toEqual([
      ['t1', 'invalid_json'],
      ['t2', undefined],
    ]);
  });
});

describe('the MessageStream of the official client', () => {
  it('goes on for its other listeners when toolUses leaves at the end of the message', async () => {
    noUnhandledRejections();
    const stream = server.client.messages.stream(request);
    const calls = lastValueFrom(modelEvents(stream).pipe(toolUses(), toArray()));
    const final = stream.finalMessage();
    const exchange = await server.request();
    exchange.send(...wire);
    expect(await calls).toHaveLength(2);
    exchange.end();
    expect(await final).toMatchObject({ id: 'm1', stop_reason: 'tool_use' });
  });

  it('says so when it is under way already, instead of waiting for a start that will not come', async () => {
    const stream = server.client.messages.stream(request);
    const begun = new Promise((resolve) => stream.once('streamEvent', resolve));
    const exchange = await server.request();
    exchange.send(MS(), K(0));
    await begun;
    const { error } = await read(stream);
    expect(error).toMatchObject({ code: 'source_failed', retryable: false });
    expect(error?.message).toContain('Subscribe in the tick in which it is made');
    exchange.send(E(0), MD('end_turn'), END);
    exchange.end();
    await stream.done();
    expect((await read(stream)).error).toMatchObject({ code: 'source_failed' });
  });

  it('reports a broken call as its own failure', async () => {
    noUnhandledRejections();
    const result = read(server.client.messages.stream(request));
    const exchange = await server.request();
    exchange.send(MS(), T(0, 't1'), J(0, '{"a": celsius}'), E(0), MD('tool_use'), END);
    exchange.end();
    const { error } = reading((await result).events, (await result).error);
    expect(error).toMatchObject({ code: 'source_failed', retryable: true });
  });

  it('counts an abort by the host as no reason to try again', async () => {
    noUnhandledRejections();
    const stream = server.client.messages.stream(request);
    const result = read(stream);
    const exchange = await server.request();
    exchange.send(MS());
    stream.abort();
    expect((await result).error).toMatchObject({ code: 'source_failed', retryable: false });
    expect(await exchange.left).toBe(true);
  });
});

describe('the stream of messages.create', () => {
  it('counts an abort by the host as no reason to try again', async () => {
    const opening = server.client.messages.create({ ...request, stream: true });
    const exchange = await server.request();
    exchange.send(MS());
    const stream = await opening;
    const result = read(stream);
    stream.controller.abort();
    expect((await result).error).toMatchObject({ code: 'source_failed', retryable: false });
  });
});
