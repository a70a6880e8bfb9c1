import { from, NEVER, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { modelEvents } from '../../src/adapters/anthropic/index.js';
import {
  type ExecuteToolsOptions,
  executeTools,
  output,
  progress,
  type Tool,
  type ToolEvent,
  toolResultMessage,
  toolUses,
} from '../../src/index.js';
import {
  B,
  call,
  D,
  E,
  END,
  ERR,
  J,
  K,
  MD,
  MS,
  S,
  T,
  text,
  type Wire,
  X,
} from '../adapters/anthropic/wire.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  startedIds,
  textOf,
  unsafeTool,
  use,
} from '../engine/turns.js';

/** The way of a model's stream through a turn, as it comes. */
const turnOn = (wire$: Subject<Wire>, tools: readonly Tool[], options: Partial<ExecuteToolsOptions> = {}) =>
  new Seen(modelEvents(wire$).pipe(toolUses(), executeTools({ ...options, tools })));

const play = (wire: readonly Wire[], tools: readonly Tool[]): Seen<ToolEvent> =>
  new Seen(modelEvents(wire).pipe(toolUses(), executeTools({ tools })));

const messageOf = (events: readonly ToolEvent[]) => new Seen(from(events).pipe(toolResultMessage())).values;

const answered = (events: readonly ToolEvent[]): readonly string[] =>
  eventsOf(events, 'result').map(({ toolUseId }) => toolUseId);

const read = safeTool('read', () => 'text');
const text3 = z.object({ path: z.string(), old: z.string(), new: z.string() });
const edits: unknown[] = [];
const edit = unsafeTool('edit', (input) => edits.push(input), { inputSchema: text3 });

beforeEach(() => {
  edits.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('B01: a stop while the model writes answers the complete calls, and never takes the half one in', async () => {
  const wire$ = new Subject<Wire>();
  const slow = safeTool('slow', () => NEVER);
  const interrupt$ = new Subject<string>();
  const seen = turnOn(wire$, [read, slow, edit], { interrupt$ });
  const half = [T(2, 't3', 'edit'), J(2, '{"path":"a","old')];
  for (const event of [MS(), ...call(0, 't1'), ...call(1, 't2', '{}', 'slow'), ...half]) wire$.next(event);
  interrupt$.next('stop');
  expect(seen.ended).toBe('completed');
  expect(codes(seen.values)).toEqual(['t1 ok', 't2 interrupted']);
  expect(wire$.observed).toBe(false);
  const [message] = messageOf(seen.values);
  // Two results, and one notice that the user stopped the run.
  expect(message?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result', 'text']);
  expect(edits).toEqual([]);
});

it('B06: the client call beside an unanswered server call runs, and alone is answered', () => {
  // The reading of the stream: `test/adapters/anthropic/calls.test.ts`, of the same id. `bare`: `turns.test.ts`.
  const seen = play(
    [MS(), X(0), E(0), ...call(1, 't1', '{}', 'read'), S(2, 's1'), J(2, '{}'), E(2), MD('tool_use'), END],
    [read],
  );
  expect(answered(seen.values)).toEqual(['t1']);
});

it('B07: a message of server tools alone runs nothing, and asks for no message', () => {
  // `pause_turn` as its end: `test/adapters/anthropic/calls.test.ts`, of the same id.
  const seen = play(
    [MS(), S(0, 's1'), J(0, '{}'), E(0), S(1, 's2'), J(1, '{}'), E(1), MD('pause_turn'), END],
    [read],
  );
  expect(seen).toMatchObject({ values: [], ended: 'completed' });
  expect(messageOf(seen.values)).toEqual([]);
});

it('B08: unknown blocks and deltas are not run, and the call beside them is', () => {
  // That they pass through untouched: `test/adapters/anthropic/calls.test.ts`, of the same id.
  const fallback = B(1, { type: 'fallback', from: 'model-a', to: 'model-b' });
  const odd = D(2, { type: 'unheard_of_delta', piece: 1 });
  const seen = play(
    [MS(), K(0), E(0), fallback, E(1), T(2, 't1'), odd, J(2, '{"n":1}'), E(2), MD('tool_use'), END],
    [read],
  );
  expect(codes(seen.values)).toEqual(['t1 ok']);
});

describe('B10: input given whole runs once, with the input given', () => {
  const inputs: unknown[] = [];
  const roll = safeTool('roll', (input) => inputs.push(input));
  beforeEach(() => {
    inputs.length = 0;
  });

  it.each<[string, readonly Wire[]]>([
    ['at the start of its block', [MS(), T(0, 't1', 'roll', { player: 'p1' }), E(0), MD('tool_use'), END]],
    [
      'in the start of the message',
      [
        MS('m1', {
          content: [{ type: 'tool_use', id: 't1', name: 'roll', input: { player: 'p1' } }],
          stop_reason: 'tool_use',
        }),
        END,
      ],
    ],
    [
      'in deltas behind an empty start',
      [MS(), ...call(0, 't1', '{"player":"p1"}', 'roll'), MD('tool_use'), END],
    ],
    [
      'at the start, with an empty delta behind',
      [MS(), T(0, 't1', 'roll', { player: 'p1' }), J(0, ''), E(0), MD('tool_use'), END],
    ],
  ])('%s', (_name, wire) => {
    expect(codes(play(wire, [roll]).values)).toEqual(['t1 ok']);
    expect(inputs).toEqual([{ player: 'p1' }]);
  });
});

describe('B12: a call without arguments has the input {}', () => {
  const seenInputs: unknown[] = [];
  const now = safeTool('now', (input) => seenInputs.push(input), { inputSchema: z.strictObject({}) });
  const one = safeTool('one', (input) => input, { inputSchema: z.object({ key: z.string() }) });
  const deltas: Readonly<Record<string, readonly string[]>> = {
    'one empty delta': [''],
    'no delta': [],
    'three empty deltas': ['', '', ''],
    'blanks alone': [' ', '\n'],
  };

  it.each(Object.entries(deltas))('from %s', (_name, pieces) => {
    seenInputs.length = 0;
    const empty = (index: number, id: string, name: string): readonly Wire[] => [
      T(index, id, name),
      ...pieces.map((piece) => J(index, piece)),
      E(index),
    ];
    const seen = play(
      [MS(), ...empty(0, 't1', 'now'), ...empty(1, 't2', 'one'), MD('tool_use'), END],
      [now, one],
    );
    expect(codes(seen.values)).toEqual(['t1 ok', 't2 invalid_input']);
    expect(seenInputs).toEqual([{}]);
    expect(textOf(seen.values, 't2')).toContain('`key`');
  });
});

describe('B13: a call that was cut off is never run', () => {
  const cut = (index: number): readonly Wire[] => [
    T(index, `t${index}`, 'edit'),
    J(index, '{"path":"a","old":"x","new":"line one'),
  ];

  it('by max_tokens: it is answered as cut off', () => {
    const seen = play([MS(), ...cut(0), E(0), MD('max_tokens'), END], [edit]);
    expect(codes(seen.values)).toEqual(['t0 cut_off']);
    expect(outcomeOf(seen.values, 't0').executed).toBe('no');
    expect(edits).toEqual([]);
  });

  it('by the connection: the turn is discarded, and it is not even taken in', () => {
    const seen = play([MS(), ...cut(0)], [edit]);
    expect(answered(seen.values)).toEqual([]);
    expect(eventsOf(seen.values, 'discarded')).toHaveLength(1);
    expect(edits).toEqual([]);
  });

  it('behind fifteen complete edits, which run and keep their results', () => {
    const input = JSON.stringify({ path: 'a', old: 'x', new: 'y' });
    const complete = Array.from({ length: 15 }, (_, index) => call(index, `t${index}`, input, 'edit')).flat();
    const seen = play([MS(), ...complete, ...cut(15), MD('max_tokens'), END], [edit]);
    expect(codes(seen.values).slice(-2)).toEqual(['t14 ok', 't15 cut_off']);
    expect(edits).toHaveLength(15);
    expect(messageOf(seen.values)[0]?.content).toHaveLength(16);
  });
});

describe('B15: broken JSON is an error of its call alone', () => {
  const weather = safeTool('weather', () => 'sunny', {
    inputSchema: z.strictObject({ location: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
  });
  const good = '{"location":"Paris","unit":"celsius"}';

  it('the sibling runs', () => {
    const broken = [
      T(0, 't1', 'weather'),
      J(0, '{"location":"P'),
      J(0, 'aris","unit":'),
      J(0, 'celsius}'),
      E(0),
    ];
    const seen = play([MS(), ...broken, ...call(1, 't2', good, 'weather'), MD('tool_use'), END], [weather]);
    expect(codes(seen.values)).toEqual(['t1 invalid_json', 't2 ok']);
    expect(textOf(seen.values, 't1')).toMatch(/InvalidJsonError/);
  });

  it('what parses by accident ends as a validation error, and is not run', () => {
    const swallowed = '{"location":"Paris\\",\\"unit\\":\\"celsius"}';
    const seen = play([MS(), ...call(0, 't1', swallowed, 'weather'), MD('tool_use'), END], [weather]);
    expect(codes(seen.values)).toEqual(['t1 invalid_input']);
  });
});

// B17, a large input in small deltas costs linear time: `test/adapters/anthropic/linear.test.ts`, of the same id.
it('B17: a stop in the middle of a large input acts at once, and nothing of it runs', () => {
  const wire$ = new Subject<Wire>();
  const interrupt$ = new Subject<string>();
  const seen = turnOn(wire$, [edit], { interrupt$ });
  wire$.next(MS());
  wire$.next(T(0, 't1', 'edit'));
  wire$.next(J(0, '{"new":"'));
  for (let n = 0; n < 25_000; n++) wire$.next(J(0, 'x'.repeat(20)));
  interrupt$.next('stop');
  expect([seen.ended, answered(seen.values), wire$.observed]).toEqual(['completed', [], false]);
});

describe('B18: a stream that fails after HTTP 200 discards the turn, and never looks like success', () => {
  const half = [T(1, 't2', 'edit'), J(1, '{"path":"a","o')];

  const failed = async (end: (wire$: Subject<Wire>) => unknown) => {
    const wire$ = new Subject<Wire>();
    const running = unsafeTool('running', () => NEVER, { graceMs: 100 });
    const seen = turnOn(wire$, [running, edit]);
    for (const event of [MS(), ...call(0, 't1', '{}', 'running'), ...half]) wire$.next(event);
    expect(startedIds(seen.values)).toEqual(['t1']);
    await end(wire$);
    await vi.advanceTimersByTimeAsync(200);
    return seen;
  };

  it.each<[string, (wire$: Subject<Wire>) => unknown, RegExp]>([
    ['an error event', (wire$) => wire$.next(ERR('overloaded_error')), /Overloaded/],
    ['silence', () => vi.advanceTimersByTimeAsync(60_000), /60,?000|silent|idle/i],
    ['the end of the connection', (wire$) => wire$.complete(), /./],
  ])('%s', async (_name, end, cause) => {
    const seen = await failed(end);
    expect(seen.ended).toBe('completed');
    expect(codes(seen.values)).toEqual(['t1 discarded']);
    const [discarded] = eventsOf(seen.values, 'discarded');
    expect(discarded?.cause).toMatch(cause);
    // It had started, and nobody saw it end: it may have taken effect.
    expect(discarded?.ledger).toMatchObject([{ toolUse: { id: 't1' }, executed: 'unknown' }]);
    expect(discarded?.messages).toBe(eventsOf(seen.values, 'tombstone').length);
    expect(messageOf(seen.values)).toEqual([]);
    expect(edits).toEqual([]);
  });
});

describe('B21: a message that is discarded is withdrawn with all that belongs to it', () => {
  it('by one tombstone for the message, and one for each result that was out', () => {
    const source = new Subject<ReturnType<typeof use>>();
    const discard$ = new Subject<string>();
    const seen = new Seen(source.pipe(executeTools({ tools: [read, edit], discard$ })));
    source.next(use('t1', 'read'));
    discard$.next('another model');
    expect(eventsOf(seen.values, 'tombstone').map(({ target }) => target)).toEqual([
      { messageId: 'message' },
      { toolUseId: 't1' },
    ]);
  });
});

it('text behind a call, and progress of it, change nothing in the order of results', () => {
  const chatty = safeTool('chatty', function* () {
    yield progress(1);
    yield output('done');
  });
  const seen = play(
    [
      MS(),
      ...call(0, 't1', '{}', 'chatty'),
      X(1),
      text(1, 'then'),
      E(1),
      ...call(2, 't2', '{}'),
      MD('tool_use'),
      END,
    ],
    [chatty, read],
  );
  expect(codes(seen.values)).toEqual(['t1 ok', 't2 ok']);
});
