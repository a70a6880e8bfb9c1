import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../../src/adapters/anthropic/jsonScanner.js';
import { bytes, call, E, END, J, MD, MS, read, S, sse, T, text, X } from './wire.js';

const inputs = ['{"path":"a","n":[1,{"x":null}]}', '{"s":"\\"}{\\u00e9👋"}', ' {"a":{}} '];
const wire = [
  MS(),
  X(0),
  text(0, 'I will read.'),
  E(0),
  T(1, 't1'),
  ...inputs[0]!.split(/(?<=[":])/).map((piece) => J(1, piece)),
  E(1),
  S(2, 's1'),
  J(2, '{"q":1}'),
  E(2),
  ...call(3, 't3', inputs[1]),
  ...call(4, 't4', inputs[2]),
  MD('tool_use'),
  END,
];

describe('a stream cut at any byte', () => {
  it('never hands out a call whose JSON was not complete, and never looks like success', async () => {
    const all = bytes(sse(wire));
    const whole = (await read(all)).toolUses;
    expect(whole.map(({ input }) => input)).toEqual(inputs.map((input) => JSON.parse(input)));
    for (let length = 0; length < all.length - 2; length += 1) {
      const { toolUses, error, end } = await read(all.subarray(0, length));
      expect(toolUses, `cut at ${length}`).toEqual(whole.slice(0, toolUses.length));
      // Up to the last event's closing brace; the blank line behind it adds nothing.
      expect([error?.code, end], `cut at ${length}`).toEqual(['unexpected_end', undefined]);
    }
  });

  it('holds for generated inputs, pieces and limits', async () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.nat(),
        fc.constantFrom('max_tokens', 'refusal'),
        async (input, at, reason) => {
          const json = JSON.stringify(input);
          const piece = json.slice(0, at % json.length);
          const cut = await read([MS(), T(0, 't1'), J(0, piece), E(0), MD(reason), END]);
          expect(cut.toolUses).toMatchObject([{ id: 't1', input: {}, fault: { code: 'cut_off' } }]);
          const complete = await read([
            MS(),
            T(0, 't1'),
            J(0, piece),
            J(0, json.slice(piece.length)),
            E(0),
            MD(reason),
          ]);
          // `{}` is complete; only an input without any text is not.
          expect(complete.toolUses.map((use) => use.input)).toEqual([JSON.parse(json)]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const findJsonFault = (source: string) => new JsonScanner(source).fault;

describe('the place of a JSON fault', () => {
  const isJson = (source: string): boolean => {
    try {
      JSON.parse(source);
      return true;
    } catch {
      return false;
    }
  };

  it('is found exactly where JSON.parse refuses', () => {
    const mutated = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', '\\', '{', '}', ',', ':', '0', 'e', ' ', '\n'),
      )
      .map(([json, at, drop, insert]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + insert + json.slice(place + drop);
      });
    const tokens = fc
      .array(
        fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-', '.5', '1e', 'true', 'nul', ' ', '\\'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(mutated, tokens), (source) => {
        expect(findJsonFault(source) === undefined).toBe(isJson(source));
      }),
      { numRuns: 5000 },
    );
  });

  it('says what was expected there', () => {
    expect(findJsonFault('')).toEqual({ at: 0, expected: 'a value' });
    expect(findJsonFault('{"a" 1}')).toEqual({ at: 5, expected: '":" after a key' });
    expect(findJsonFault('[1 2]')).toEqual({ at: 3, expected: '"," or "]"' });
    expect(findJsonFault('{"a":"b')).toEqual({ at: 7, expected: 'the closing double quote of a string' });
    expect(findJsonFault('"\\x"')).toEqual({ at: 1, expected: 'a valid escape' });
  });

  it('comes with what is complete before it, strictly parsed: a prefix of the whole', () => {
    const members = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(members, fc.nat(), (value, at) => {
        const source = JSON.stringify(value);
        const scanner = new JsonScanner(source.slice(0, 1 + (at % source.length)));
        const keys = Object.keys(JSON.parse(source));
        for (const text of [scanner.complete, scanner.shown]) {
          const read = JSON.parse(text);
          expect(Object.keys(read)).toEqual(keys.slice(0, Object.keys(read).length));
        }
        for (const key of Object.keys(JSON.parse(scanner.complete)).slice(0, -1)) {
          expect(JSON.parse(scanner.complete)[key]).toEqual(JSON.parse(source)[key]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('takes deep nesting without recursion', () => {
    expect(findJsonFault('['.repeat(200_000))).toMatchObject({ at: 200_000 });
  });
});
