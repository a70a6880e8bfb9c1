import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues } from '../../../src/call/describeIssues.js';
import { type ParseResult, parseInput } from '../../../src/call/schema.js';
import { read } from './validator.js';

const told = (schema: object, input: unknown): unknown => read(schema, input);

describe('issues of a JSON Schema read as those of zod', () => {
  const ids = {
    type: 'object',
    properties: { ids: { type: 'array', items: { type: 'string' } }, n: { type: 'number' } },
    required: ['ids', 'n'],
  };
  const zod = z.object({ ids: z.array(z.string()), n: z.number() });

  it.each<[unknown]>([
    [{ ids: '["a"]', n: '3' }],
    [[1]],
    ['x'],
    [null],
    [{ ids: ['a'] }],
    [{ n: 1 }],
    [{ ids: ['a', 2], n: 3 }],
    [{ ids: [null], n: [] }],
  ])('of the same input: %j', (input) => {
    const byZod = describeIssues((parseInput(zod, input) as ParseResult).issues ?? [], input);
    expect(told(ids, input)).toEqual(byZod);
  });

  it('names all unknown keys of an object in one line, and the known ones', () => {
    expect(told({ ...ids, additionalProperties: false }, { ids: [], n: 1, extra: 1, more: 2 })).toEqual([
      'the input: Unrecognized keys "extra", "more", expected only "ids", "n"; got object {"ids":[],"n":1,"extra":1,"more":2}',
    ]);
  });

  it.each<[string, object, unknown, string]>([
    ['enum', { enum: ['x', 'y'] }, 'z', 'Invalid option: expected one of "x"|"y"; got string "z"'],
    ['const', { const: 1 }, 2, 'Invalid input: expected 1; got number 2'],
    ['types', { type: ['string', 'null'] }, 3, 'Invalid input: expected string or null, received number 3'],
    ['integer', { type: 'integer' }, 1.5, 'Invalid input: expected integer, received number 1.5'],
    ['pattern', { pattern: '^a' }, 'b', 'Invalid input: must match pattern "^a"; got string "b"'],
    ['minimum', { minimum: 3 }, 1, 'Invalid input: must be >= 3; got number 1'],
    ['never', { not: {} }, 1, 'Invalid input: must NOT be valid; got number 1'],
    [
      'key',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      'Invalid key "ab": must NOT have more than 1 characters; got object {"ab":1}',
    ],
  ])('says what %s wants', (_keyword, wanted, value, line) => {
    expect(told({ properties: { a: wanted } }, { a: value })).toEqual([`\`a\`: ${line}`]);
  });

  it('says what a missing member would be, also behind a reference', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { properties: { 'x/y %': { type: 'string' } }, required: ['x/y %', 'z'] } },
    };
    expect(told(schema, { a: {} })).toEqual([
      '`a.x/y %`: Invalid input: expected string, received undefined',
      '`a.z`: Invalid input: expected a value, received undefined',
    ]);
  });

  it('tells of what is wanted because of something else', () => {
    expect(told({ dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual([
      '`b`: Invalid input: expected a value, since "a" is given',
    ]);
    expect(told({ if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 })).toHaveLength(1);
  });

  it('leads through keys with slashes and tildes, and tells list places from keys that are numbers', () => {
    const schema = {
      properties: { 'a/b~c': { items: { properties: { 0: { type: 'string' } } } } },
    };
    expect(told(schema, { 'a/b~c': [{ 0: 1 }] })).toEqual([
      '`a/b~c[0].0`: Invalid input: expected string, received number 1',
    ]);
  });

  it('takes nothing from prototypes for a property', () => {
    const schema = { properties: { constructor: { type: 'string' } }, required: ['constructor'] };
    expect(told(schema, {})).toEqual(['`constructor`: Invalid input: expected string, received undefined']);
    expect(told(schema, { constructor: 'Ferrari' })).toEqual({ value: { constructor: 'Ferrari' } });
  });
});

describe('a union', () => {
  const form = (kind: string, rest: object, required: readonly string[] = []) => ({
    type: 'object',
    properties: { kind: { const: kind }, ...rest },
    required: ['kind', ...required],
  });
  const a = form('a', { x: { type: 'number' } }, ['x']);
  const b = form('b', { y: { type: 'string' } });

  it.each<[string, object]>([
    ['in place', { properties: { u: { anyOf: [a, b] } } }],
    ['exclusive', { properties: { u: { oneOf: [a, b] } } }],
    [
      'of references',
      { properties: { u: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } }, $defs: { a, b } },
    ],
    ['in a union', { properties: { u: { anyOf: [{ anyOf: [a, b] }, { type: 'null' }] } } }],
  ])('%s tells of the form that was meant alone', (_name, schema) => {
    expect(told(schema, { u: { kind: 'a', x: '1' } })).toEqual([
      '`u.x`: Invalid input: expected number, received string "1"',
    ]);
  });

  it('tells of its forms in one line where none was meant', () => {
    expect(told({ properties: { u: { anyOf: [a, b] } } }, { u: { kind: 'c' } })).toEqual([
      '`u`: Invalid input: expected { kind: "a", x } or { kind: "b", y? }; got object {"kind":"c"}',
    ]);
    expect(
      told({ properties: { u: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }, { u: [] }),
    ).toEqual(['`u`: Invalid input: expected string or number; got array []']);
  });

  it('with nothing in it for an object that may be null', () => {
    const schema = { properties: { u: { anyOf: [a, { type: 'null' }] } } };
    expect(told(schema, { u: { kind: 'a' } })).toEqual([
      '`u.x`: Invalid input: expected number, received undefined',
    ]);
    expect(told(schema, { u: null })).toEqual({ value: { u: null } });
  });

  it('that is met in several places tells of each', () => {
    const schema = { properties: { list: { items: { anyOf: [a, b] } } } };
    const list = [{ kind: 'a', x: '1' }, { kind: 'c' }, { kind: 'a', x: '2' }];
    expect(told(schema, { list })).toEqual([
      '`list[0].x`: Invalid input: expected number, received string "1"',
      expect.stringMatching(/^`list\[1\]`: Invalid input: expected \{ kind: "a", x \} or/),
      '`list[2].x`: Invalid input: expected number, received string "2"',
    ]);
  });

  it('of which two forms fit, where one may', () => {
    expect(told({ properties: { u: { oneOf: [{ minimum: 1 }, { maximum: 9 }] } } }, { u: 5 })).toEqual([
      '`u`: Invalid input: more than one of its forms fits; got number 5',
    ]);
  });

  it('takes no fault of its neighbours away', () => {
    const schema = { properties: { n: { type: 'number' }, u: { anyOf: [a, b] } } };
    expect(told(schema, { n: 'x', u: { kind: 'b', y: 1 } })).toEqual([
      '`n`: Invalid input: expected number, received string "x"',
      '`u.y`: Invalid input: expected string, received number 1',
    ]);
  });

  it('refuses what zod refuses and takes what it takes, with something to say for each refusal', () => {
    const zod = z.object({
      u: z.union([
        z.object({ kind: z.literal('a'), x: z.number() }),
        z.object({ kind: z.literal('b'), y: z.array(z.string()).optional() }),
        z.string(),
        z.null(),
      ]),
      list: z.array(z.union([z.number(), z.boolean()])).optional(),
    });
    const schema = z.toJSONSchema(zod, { io: 'input' });
    const leaf = fc.oneof(fc.constantFrom('a', 'b', 'x'), fc.integer(), fc.boolean(), fc.constant(null));
    const some = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }));
    const input = fc.record(
      {
        u: fc.oneof(some, fc.record({ kind: leaf, x: some, y: some }, { requiredKeys: [] })),
        list: some,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(input, (value) => {
        const result = told(schema, value);
        if (zod.safeParse(value).success) expect(result).toHaveProperty('value');
        else {
          expect(Array.isArray(result)).toBe(true);
          expect((result as string[]).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
