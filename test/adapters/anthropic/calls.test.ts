import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { modelEvents } from '../../../src/adapters/anthropic/index.js';
import type { ModelEvent } from '../../../src/contract/index.js';
import { B, call, D, E, END, J, K, MD, MS, read, reading, S, T, text, types, type Wire, X } from './wire.js';

/** The ids of the calls handed out by the time each of the wire events has been read. */
const handedOut = (...wire: readonly Wire[]): readonly string[] => {
  const source = new Subject<Wire>();
  const events: ModelEvent[] = [];
  modelEvents(source).subscribe({ next: (event) => events.push(event), error: () => undefined });
  return wire.map((event) => {
    source.next(event);
    return reading(events)
      .toolUses.map(({ id, fault }) => (fault === undefined ? id : `${id}:${fault.code}`))
      .join(' ');
  });
};

const last = (...wire: readonly Wire[]): string => handedOut(...wire).at(-1) ?? '';

describe('a call starts while the message is still written', () => {
  it('is handed out when its block ends with one JSON object, its block first', async () => {
    expect(handedOut(MS(), T(0, 't1'), J(0, '{"a":'), J(0, '1}'), E(0))).toEqual(['', '', '', '', 't1']);
    const { events, toolUses } = await read([MS(), ...call(0, 't1'), MD('tool_use'), END]);
    expect(types(events)).toEqual(['message-start', 'input-delta', 'block', 'tool-use', 'message-end']);
    expect(toolUses).toEqual([
      { type: 'tool_use', id: 't1', name: 'read', input: { n: 1 }, messageId: 'm1' },
    ]);
  });

  it('keeps what JSON.parse makes of duplicate and __proto__ keys', async () => {
    const { toolUses } = await read([MS(), ...call(0, 't1', '{"a":1,"a":2,"__proto__":{"x":1}}'), END]);
    const input = toolUses[0]!.input as object;
    expect(Object.keys(input)).toEqual(['a', '__proto__']);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  it('reads two blocks that are open at once, by index', async () => {
    const wire = [MS(), T(0, 't1'), T(1, 't2'), J(1, '{"b"'), J(0, '{"a"'), J(1, ':2}'), J(0, ':1}')];
    const { toolUses, end } = await read([...wire, E(1), E(0), MD('tool_use'), END]);
    expect(toolUses.map(({ id, input }) => [id, input])).toEqual([
      ['t2', { b: 2 }],
      ['t1', { a: 1 }],
    ]);
    expect(end?.message.content.map(({ id }) => id)).toEqual(['t1', 't2']);
  });

  it("gives the call its own copy, so that a tool can't change what the message says", async () => {
    const { toolUses, end } = await read([
      MS(),
      T(0, 't1', 'read', { p: { q: 1 } }),
      E(0),
      MD('tool_use'),
      END,
    ]);
    (toolUses[0]!.input as { p: { q: number } }).p.q = 2;
    expect(end?.message.content[0]).toMatchObject({ input: { p: { q: 1 } } });
  });
});

describe('a stream that is left while a call is half written (B01)', () => {
  it('has handed out the complete calls, and never the half one', () => {
    const source = new Subject<Wire>();
    const events: ModelEvent[] = [];
    const subscription = modelEvents(source).subscribe((event) => events.push(event));
    const halfWritten = [T(2, 't3', 'edit'), J(2, '{"path":"a","old')];
    for (const event of [MS(), ...call(0, 't1'), ...call(1, 't2'), ...halfWritten]) source.next(event);
    subscription.unsubscribe();
    source.next(E(2));
    expect(reading(events).toolUses.map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(source.observed).toBe(false);
  });
});

describe('a call whose text is empty (B12)', () => {
  const empty: Readonly<Record<string, readonly Wire[]>> = {
    'no delta': [],
    'one empty delta': [J(0, '')],
    'three empty deltas': [J(0, ''), J(0, ''), J(0, '')],
    'white space only': [J(0, ' '), J(0, '\n\t')],
  };
  it.each(Object.entries(empty))('%s: waits for the next block, then means {}', async (_, deltas) => {
    expect(last(MS(), T(0, 't1'), ...deltas, E(0))).toBe('');
    expect(last(MS(), T(0, 't1'), ...deltas, E(0), X(1))).toBe('t1');
    const { toolUses } = await read([MS(), T(0, 't1'), ...deltas, E(0), MD('tool_use'), END]);
    expect(toolUses).toMatchObject([{ id: 't1', input: {} }]);
    expect(toolUses[0]).not.toHaveProperty('fault');
  });

  it.each(['end_turn', 'tool_use', 'pause_turn', 'stop_sequence', 'something_new'])(
    'runs after the stop reason %s',
    (reason) => expect(last(MS(), T(0, 't1'), E(0), MD(reason))).toBe('t1'),
  );

  it('waits through a message_delta without a stop reason', () => {
    expect(last(MS(), T(0, 't1'), E(0), MD(null))).toBe('');
  });

  it.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])('is cut off by %s', (reason) => {
    expect(last(MS(), T(0, 't1'), E(0), MD(reason))).toBe('t1:cut_off');
  });

  it('does not run where no stop reason was named at all', () => {
    expect(last(MS(), T(0, 't1'), E(0), END)).toBe('t1:cut_off');
  });

  it('does not run with {} when a piece of some input went astray', () => {
    expect(last(MS(), T(0, 't1'), J(7, '{"path":"a"}'), E(0), MD('tool_use'))).toBe('t1:invalid_json');
    expect(last(MS(), T(0, 't1'), E(0), J(0, '{"path":"a"}'), MD('tool_use'))).toBe('t1:invalid_json');
    expect(last(MS(), X(0), T(1, 't1'), J(0, '{"a":1}'), E(1), MD('tool_use'))).toBe('t1:invalid_json');
  });
});

describe('a call whose text is no JSON object (B15)', () => {
  const broken = [J(0, '{"location":"P'), J(0, 'aris","unit":'), J(0, 'celsius}'), E(0)];

  it('waits, then names the fault and the place, while its sibling runs', async () => {
    const wire = [MS(), T(0, 't1'), ...broken, ...call(1, 't2'), MD('tool_use'), END];
    expect(handedOut(...wire.slice(0, 5))).toEqual(['', '', '', '', '']);
    const { toolUses, error } = await read(wire);
    expect(error).toBeUndefined();
    expect(toolUses[0]).toMatchObject({ id: 't1', input: {}, fault: { code: 'invalid_json' } });
    expect(toolUses[0]?.fault?.text).toContain(
      'at character 27 (line 1) expected a value, but found "celsius}"',
    );
    expect(toolUses[1]).toMatchObject({ id: 't2', input: { n: 1 } });
  });

  it.each([
    ['[1]', 'it is an array, not an object'],
    ['"x"', 'it is a string, not an object'],
    ['null', 'it is null, not an object'],
    ['{"x": 2,', 'the text ends'],
    ['{"a":1}{"a":1}', 'expected the end of the text'],
    ["{'a':1}", 'a key in double quotes or "}"'],
    ['{"a":1,}', 'a key in double quotes'],
    ['{"a":"line\nbreak"}', 'control character'],
  ])('%s says: %s', async (json, problem) => {
    const { toolUses } = await read([MS(), ...call(0, 't1', json), MD('tool_use'), END]);
    expect(toolUses).toMatchObject([{ input: {}, fault: { code: 'invalid_json' } }]);
    expect(toolUses[0]?.fault?.text).toContain(problem);
  });

  it('that parses by accident is a call: judging it is for the schema', async () => {
    const json = '{"location":"Paris, unit: celsius"}';
    const { toolUses } = await read([MS(), ...call(0, 't1', json), MD('tool_use'), END]);
    expect(toolUses).toMatchObject([{ input: { location: 'Paris, unit: celsius' } }]);
  });

  it('leaves an object in the message, since the API refuses anything else', async () => {
    const { end } = await read([
      MS(),
      ...call(0, 't1', '[1]'),
      ...call(1, 't2', '{"a":1'),
      MD('tool_use'),
      END,
    ]);
    expect(end?.message.content.map(({ input }) => input)).toEqual([{}, {}]);
  });
});

describe('a message cut by a limit (B13)', () => {
  const cut = J(0, '{"path":"a","old":"x","new":"line one');

  it.each([
    ['after its block ended', [E(0), MD('max_tokens'), END]],
    ['before its block ended', [MD('max_tokens'), END]],
    ['by the context window', [MD('model_context_window_exceeded'), END]],
  ])('answers the cut call with cut_off, %s', async (_, ending) => {
    const { toolUses, end } = await read([MS(), T(0, 't1'), cut, ...ending]);
    expect(toolUses).toMatchObject([{ id: 't1', input: {}, fault: { code: 'cut_off' } }]);
    // Kept for the record, as far as its members are complete; a string cut in its middle is not.
    expect(end?.message.content[0]).toMatchObject({ input: { path: 'a', old: 'x' } });
  });

  it('keeps the fifteen complete calls before it', async () => {
    const complete = Array.from({ length: 15 }, (_, i) => call(i, `t${i}`)).flat();
    const { toolUses } = await read([MS(), ...complete, T(15, 't15'), J(15, '{"a'), MD('max_tokens'), END]);
    expect(toolUses.map(({ fault }) => fault?.code)).toEqual([...Array(15).fill(undefined), 'cut_off']);
  });

  it('cuts off even complete text when its block never ended', () => {
    expect(last(MS(), T(0, 't1'), J(0, '{"a":1}'), MD('max_tokens'), END)).toBe('t1:cut_off');
  });

  it('says invalid_json, not cut_off, of a call that the model had left behind', () => {
    expect(last(MS(), T(0, 't1'), J(0, '{"a'), E(0), X(1), text(1, 'So'), MD('max_tokens'), END)).toBe(
      't1:invalid_json',
    );
  });
});

describe('a block that never ended in a message that did', () => {
  it('is a call if its text is one JSON object, and invalid otherwise', () => {
    expect(last(MS(), T(0, 't1'), J(0, '{"a":1}'), MD('tool_use'), END)).toBe('t1');
    expect(last(MS(), T(0, 't1'), J(0, '{"a":'), MD('tool_use'), END)).toBe('t1:invalid_json');
    expect(last(MS(), T(0, 't1'), MD('tool_use'), END)).toBe('t1:invalid_json');
  });

  it('is told as a block all the same', async () => {
    const { events } = await read([MS(), X(0), text(0, 'half'), MD('end_turn'), END]);
    expect(events).toContainEqual({ type: 'block', index: 0, block: { type: 'text', text: 'half' } });
  });
});

describe('input given whole (B10)', () => {
  it('at the start of its block counts, and no empty delta overwrites it', async () => {
    const whole = T(0, 't1', 'roll', { player: 'p1' });
    for (const deltas of [[], [J(0, '')], [J(0, ''), J(0, ' ')]]) {
      const { toolUses } = await read([MS(), whole, ...deltas, E(0), MD('tool_use'), END]);
      expect(toolUses).toMatchObject([{ id: 't1', input: { player: 'p1' } }]);
    }
    expect(last(MS(), whole, E(0))).toBe('t1');
  });

  it('is not taken from the start where deltas bring it', async () => {
    const { toolUses } = await read([MS(), ...call(0, 't1', '{"x":1}'), MD('tool_use'), END]);
    expect(toolUses).toMatchObject([{ input: { x: 1 } }]);
  });

  it('in the start of the message counts exactly once', async () => {
    const content = [
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
      { type: 'tool_use', id: 't2', name: 'lookup', input: { id: 'c1' } },
    ];
    const { toolUses, end } = await read([MS('m1', { content, stop_reason: 'tool_use' }), END]);
    expect(toolUses).toMatchObject([{ id: 't2', input: { id: 'c1' } }]);
    expect(end).toMatchObject({ stopReason: 'tool_use', message: { content } });
  });

  it('counts once as well when the same blocks are sent again as events', async () => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't1', name: 'read', input: { n: 1 } },
    ];
    const again = [X(0), text(0, 'Hi'), E(0), ...call(1, 't1')];
    const { toolUses, end, anomalies } = await read([MS('m1', { content }), ...again, MD('tool_use'), END]);
    expect(toolUses).toHaveLength(1);
    expect(end?.message.content).toEqual(content);
    expect(anomalies).toEqual([]);
  });

  it('in the start of the message, but empty, waits like any other', () => {
    const content = [{ type: 'tool_use', id: 't1', name: 'now', input: {} }];
    expect(handedOut(MS('m1', { content }), MD('tool_use'))).toEqual(['', 't1']);
    expect(last(MS('m1', { content }), ...call(0, 't1'))).toBe('t1');
    expect(last(MS('m1', { content }), MD('max_tokens'))).toBe('t1:cut_off');
  });

  it('that is no object is invalid', () => {
    expect(last(MS(), T(0, 't1', 'read', '{"a":1}'), E(0), MD('tool_use'))).toBe('t1:invalid_json');
  });
});

describe('blocks that are no calls of ours', () => {
  it('runs the client call alone beside a server call without result (B06)', async () => {
    const server = [S(2, 's1'), J(2, '{"q":"x"}'), E(2)];
    const { toolUses, end } = await read([
      MS(),
      X(0),
      E(0),
      ...call(1, 't1'),
      ...server,
      MD('tool_use'),
      END,
    ]);
    expect(toolUses.map(({ id }) => id)).toEqual(['t1']);
    expect(end?.message.content[2]).toEqual({
      type: 'server_tool_use',
      id: 's1',
      name: 'web_search',
      input: { q: 'x' },
    });
  });

  it('ends a message of server tools alone with pause_turn and without calls (B07)', async () => {
    const result = B(1, { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ url: 'u' }] });
    const wire = [MS(), S(0, 's1'), J(0, '{}'), E(0), result, E(1), S(2, 's2'), E(2), MD('pause_turn'), END];
    const { toolUses, end } = await read(wire);
    expect(toolUses).toEqual([]);
    expect(end?.stopReason).toBe('pause_turn');
  });

  it('passes blocks and deltas of unknown kinds through untouched (B08)', async () => {
    const marker = { type: 'hologram', from: { a: 1 }, nested: [null] };
    const fallback = { type: 'fallback', from: { model: 'model-a' }, to: { model: 'model-b' } };
    const wire = [MS(), K(0), E(0), B(1, marker), D(1, { type: 'hologram_delta', x: 1 }), E(1)];
    const { events, toolUses, end, anomalies } = await read([
      ...wire,
      B(2, fallback),
      E(2),
      ...call(3, 't1'),
      MD('tool_use'),
      END,
    ]);
    expect(toolUses).toMatchObject([{ id: 't1' }]);
    expect(events).toContainEqual({ type: 'block', index: 1, block: marker });
    expect(end?.message.content.slice(1, 3)).toEqual([marker, fallback]);
    expect(end?.message.model).toBe('model-b');
    expect(anomalies).toEqual(['unknown_delta']);
  });
});

describe('input shown while it is written', () => {
  it('tells each piece with what can be read so far, and never runs it', async () => {
    const pieces = ['{"path": "a', '/b.ts", "li', 'nes": [1, 2', '], "x": tr', 'ue}'];
    const deltas = pieces.map((piece) => J(0, piece));
    const { events, toolUses } = await read([MS(), T(0, 't1'), J(0, ''), ...deltas, MD('max_tokens'), END]);
    const shown = events.filter((event) => event.type === 'input-delta');
    expect(shown.map(({ delta }) => delta)).toEqual(pieces);
    expect(shown.map(({ input }) => input)).toEqual([
      { path: 'a' },
      { path: 'a/b.ts' },
      // A number or a word that may go on is not shown: it could be another one.
      { path: 'a/b.ts', lines: [1] },
      { path: 'a/b.ts', lines: [1, 2] },
      { path: 'a/b.ts', lines: [1, 2], x: true },
    ]);
    expect(toolUses).toMatchObject([{ input: {}, fault: { code: 'cut_off' } }]);
  });

  it('survives what no parser likes, and lets no key reach a prototype', async () => {
    const nasty = [
      '{"__proto__": {"polluted": 1}, "a": "\\u12',
      '[[[[',
      '}}}}',
      'nonsense',
      '{"a": NaN, "b": 1',
    ];
    for (const json of nasty) {
      const { events, error } = await read([MS(), T(0, 't1'), J(0, json), MD('tool_use'), END]);
      expect(error).toBeUndefined();
      for (const event of events) {
        if (event.type !== 'input-delta') continue;
        expect(Object.getPrototypeOf(event.input)).toBe(Object.prototype);
        expect((event.input as { polluted?: unknown }).polluted).toBeUndefined();
      }
    }
  });
});
