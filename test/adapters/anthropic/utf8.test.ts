import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelStreamError } from '../../../src/contract/index.js';
import { bytes, call, D, E, END, MD, MS, read, sse, T, text, X } from './wire.js';

const before = [MS(), X(0), text(0, 'Grüße 👋'), E(0), ...call(1, 't1', '{"s":"€"}')];
const PLACE = '@';

/** A whole stream with these bytes in the input of its last call. */
const streamWith = (inserted: readonly number[], input = `{"path":"a${PLACE}b"}`): Uint8Array => {
  const [head = '', tail = ''] = sse([...before, ...call(2, 't2', input), MD('tool_use'), END]).split(PLACE);
  return new Uint8Array([...bytes(head), ...inserted, ...bytes(tail)]);
};

const cut = (whole: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, n) => whole.slice(n * size, (n + 1) * size));

const bad: readonly [string, readonly number[]][] = [
  ['a byte that never occurs', [0xff]],
  ['a continuation without its start', [0x80]],
  ['a start without its continuation', [0xc3]],
  ['a character that lacks its last byte', [0xf0, 0x9f, 0x91]],
  ['a longer form than needed', [0xc0, 0xaf]],
  ['a longer form than needed, of three bytes', [0xe0, 0x80, 0xaf]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ['more than Unicode has', [0xf4, 0x90, 0x80, 0x80]],
];

describe('bytes that are no UTF-8 fail the attempt: nothing that was repaired is executed (SPEC §4.1)', () => {
  it.each(bad)('%s', async (_, inserted) => {
    for (const size of [1, 2, 3, 7, 1_000_000]) {
      const { error, toolUses, end } = await read(cut(streamWith(inserted), size));
      expect(error).toBeInstanceOf(ModelStreamError);
      expect(error).toMatchObject({ code: 'malformed', retryable: true });
      expect(error?.message).toMatch(/UTF-8/);
      // What was whole before it has been handed out, however the bytes were cut.
      expect(toolUses).toMatchObject([{ id: 't1', input: { s: '€' } }]);
      expect(end).toBeUndefined();
    }
  });

  it('also in a key, in text, in a comment and in the name of a field', async () => {
    const places = [
      sse(before).replace('"s\\"', `"${PLACE}\\"`),
      sse([MS(), X(0), text(0, PLACE), E(0), MD('end_turn'), END]),
      `: ${PLACE}\n\n${sse(before)}`,
      `${PLACE}: x\n${sse(before)}`,
    ];
    for (const place of places) {
      const [head = '', tail = ''] = place.split(PLACE);
      const { error } = await read(new Uint8Array([...bytes(head), 0xff, ...bytes(tail)]));
      expect(error).toMatchObject({ code: 'malformed', message: expect.stringMatching(/UTF-8/) });
    }
  });

  it('a character that the end of the stream cuts, even where all before it would be whole', async () => {
    const last = sse([MD('tool_use'), END]).trimEnd();
    for (const tail of ['data: {"type":"x', last, `${last}\n`]) {
      const { error, toolUses, end } = await read(new Uint8Array([...bytes(sse(before) + tail), 0xe2, 0x82]));
      expect(error).toMatchObject({ code: 'unexpected_end', retryable: true });
      expect(toolUses.map(({ id }) => id)).toEqual(['t1']);
      expect(end).toBeUndefined();
    }
  });

  it('a character that is cut by text, or by an event, is not joined around it', async () => {
    const [head = '', tail = ''] = sse([...before, ...call(2, 't2', `{"s":"${PLACE}"}`)]).split(PLACE);
    for (const between of ['x', ': a comment\n\n', { type: 'ping' }]) {
      const items = [bytes(head), new Uint8Array([0xe2, 0x82]), between, new Uint8Array([0xac]), bytes(tail)];
      const { error, toolUses } = await read(items);
      expect(error).toMatchObject({ code: 'malformed' });
      expect(toolUses.map(({ id }) => id)).toEqual(['t1']);
    }
  });

  it('behind the end of the message they change nothing', async () => {
    const whole = bytes(sse([MS(), MD('end_turn'), END]));
    for (const rubbish of [[0xff], [0xe2, 0x82], [0xe2, 0x82, 0x0a]]) {
      const { error, end } = await read(new Uint8Array([...whole, ...rubbish]));
      expect(error).toBeUndefined();
      expect(end).toBeDefined();
    }
    expect((await read(new Uint8Array([...whole, 0xff, 0x0a]))).anomalies).toEqual(['after_message_end']);
  });

  it('wherever a byte is spoiled, and however the bytes are cut, the same comes of it', async () => {
    const whole = streamWith([...bytes('👩‍👩‍👧')]);
    const strict = new TextDecoder('utf-8', { fatal: true });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 0x80, max: 0xff }),
        fc.integer({ min: 1, max: 40 }),
        async (at, byte, size) => {
          const spoiled = whole.with(at, byte);
          const expected = await read(spoiled);
          const got = await read(cut(spoiled, size));
          expect(got.events).toEqual(expected.events);
          expect(got.error?.message).toBe(expected.error?.message);
          const valid = ((): boolean => {
            try {
              return strict.decode(spoiled) !== '';
            } catch {
              return false;
            }
          })();
          // A start byte in place of the very last line feed is cut by the end, behind the whole message.
          const isBehind = got.end !== undefined && at >= whole.length - 1;
          if (!valid && !isBehind) expect(got.error).toBeInstanceOf(ModelStreamError);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('what is UTF-8 passes as it came', () => {
  it.each([1, 2, 3, 1_000_000])('in chunks of %i bytes', async (size) => {
    const characters = 'aß€👋\u0000\u{10ffff}\ufffd\ufeff'.replace('\u0000', '');
    const whole = streamWith([...bytes(characters)]);
    const { error, toolUses, anomalies } = await read(cut(whole, size));
    expect(error).toBeUndefined();
    expect(anomalies).toEqual([]);
    expect(toolUses[1]?.input).toEqual({ path: `a${characters}b` });
  });

  it.each([1, 2, 1_000_000])('behind a byte order mark, in chunks of %i', async (size) => {
    const whole = new Uint8Array([0xef, 0xbb, 0xbf, ...streamWith([])]);
    const { error, toolUses } = await read(cut(whole, size));
    expect(error).toBeUndefined();
    expect(toolUses).toHaveLength(2);
  });

  it('a chunk whose memory the source uses again', async () => {
    const whole = streamWith([...bytes('€')]);
    const shared = new Uint8Array(1);
    const chunks = function* () {
      for (const byte of whole) {
        shared[0] = byte;
        yield shared;
      }
    };
    const { toolUses } = await read(chunks());
    expect(toolUses[1]?.input).toEqual({ path: 'a€b' });
  });

  it('half a surrogate pair that is written as an escape: JSON, and what the model sent', async () => {
    const { error, toolUses, end } = await read(streamWith([], '{"s":"a\\ud800b","t":"\\ud83d\\udc4b"}'));
    expect(error).toBeUndefined();
    expect(toolUses[1]?.input).toEqual({ s: 'a\ud800b', t: '👋' });
    expect(toolUses[1]?.fault).toBeUndefined();
    expect(end?.message.content[2]?.input).toEqual({ s: 'a\ud800b', t: '👋' });
  });
});

describe('a piece of an input that is no text is not left out and the rest executed', () => {
  const wire = (piece: unknown) => [
    ...before,
    T(2, 't2'),
    D(2, { type: 'input_json_delta', partial_json: '{"n":1' }),
    D(2, { type: 'input_json_delta', partial_json: piece }),
    D(2, { type: 'input_json_delta', partial_json: '}' }),
    E(2),
    MD('tool_use'),
    END,
  ];

  it.each([0, true, { n: 1 }, ['0']])('%j', async (piece) => {
    const { error, toolUses } = await read(wire(piece));
    expect(error).toBeUndefined();
    expect(toolUses).toMatchObject([{ id: 't1' }, { id: 't2', input: {}, fault: { code: 'invalid_json' } }]);
  });

  it.each([null, undefined, ''])('%j is nothing, and nothing is lost', async (piece) => {
    const { toolUses } = await read(wire(piece));
    expect(toolUses).toMatchObject([{ id: 't1' }, { id: 't2', input: { n: 1 } }]);
  });
});
