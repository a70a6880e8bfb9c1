import type Anthropic from '@anthropic-ai/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as zod3 } from 'zod3';
import { ajvValidator, jsonSchema } from '../../src/adapters/jsonSchema/index.js';
import { type JsonSchema, withInputJsonSchema } from '../../src/call/inputJsonSchema.js';
import { type ObjectSchema, objectRoot } from '../../src/call/objectRoot.js';
import { type ToolDefinitionsOptions, toolDefinitions } from '../../src/call/toolDefinitions.js';
import { defineTool, InvalidOptionError, type StandardSchema, type Tool } from '../../src/index.js';
import { codes, Seen, turnOf, use } from '../engine/turns.js';

const toolOf = (name: string, inputSchema: StandardSchema, members: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema,
  call: () => 'done',
  ...members,
});

/** What is sent for a schema, or why nothing is. */
const sent = (inputSchema: StandardSchema): unknown => {
  const { definitions, refused } = toolDefinitions([toolOf('tool', inputSchema)]);
  expect(definitions.length + refused.length).toBe(1);
  return definitions[0]?.input_schema ?? refused[0]?.reason;
};

const names = (tools: readonly Tool[], options?: ToolDefinitionsOptions): readonly string[] =>
  toolDefinitions(tools, options).definitions.map(({ name }) => name);

const text = { type: 'string' };

describe('the input side of a schema is sent', () => {
  it.each<[string, StandardSchema, object]>([
    [
      'a default is not required',
      z.object({ n: z.number().default(3) }),
      { n: { type: 'number', default: 3 } },
    ],
    ['a transform is what it takes', z.object({ n: z.string().transform(Number).default(3) }), {}],
    ['a preprocessed one', z.object({ n: z.preprocess((n) => n, z.string().optional()) }), { n: text }],
    [
      'of the small edition',
      mini.object({ n: mini._default(mini.string(), 'x') }),
      { n: { type: 'string', default: 'x' } },
    ],
    ['around a transform', z.object({ n: text_() }).transform(({ n }) => n), { n: text }],
    ['that may be left out', z.object({ n: text_() }).optional(), { n: text }],
    ['behind a function', z.lazy(() => z.object({ n: text_() })), { n: text }],
  ])('%s', (_name, schema, properties) => {
    expect(sent(schema)).toMatchObject({ type: 'object', properties });
    expect(sent(schema)).not.toHaveProperty('required');
    expect(sent(schema)).not.toHaveProperty('$schema');
  });

  function text_() {
    return z.string().optional();
  }

  it('with what is required, and with what is forbidden', () => {
    expect(sent(z.strictObject({ a: z.string() }))).toEqual({
      type: 'object',
      properties: { a: text },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('of a schema with an id, which zod writes as a reference', () => {
    expect(sent(z.object({ a: z.string() }).meta({ id: 'Named' }))).toMatchObject({
      type: 'object',
      properties: { a: text },
    });
  });

  it('of a schema that contains itself', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    expect(sent(node)).toMatchObject({ type: 'object', properties: { children: { items: { $ref: '#' } } } });
  });

  it('of any input at all: a call’s is an object', () => {
    expect(sent(z.any())).toEqual({ type: 'object' });
  });

  it('of a JSON Schema: itself', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: text },
    };
    const validator = ajvValidator(new Ajv2020());
    expect(sent(jsonSchema({ type: 'object', properties: { a: text } }, { validator }))).toEqual({
      type: 'object',
      properties: { a: text },
    });
    expect(objectRoot(schema)).toEqual(schema);
  });

  it('of any schema that says it by Standard JSON Schema', () => {
    const own = { type: 'object', properties: { a: text } };
    const asked: unknown[] = [];
    const input = (options: unknown) => {
      asked.push(options);
      return own;
    };
    const validate = (value: unknown) => ({ value });
    const schema = { '~standard': { version: 1 as const, vendor: 'other', validate, jsonSchema: { input } } };
    expect(sent(schema)).toEqual(own);
    expect(asked).toEqual([{ target: 'draft-2020-12' }]);
  });
});

describe('a tool that can not be sent is refused by name, and takes nothing from the others', () => {
  it.each<[string, StandardSchema, RegExp]>([
    [
      'a date',
      z.object({ range: z.object({ from: z.date() }) }),
      /Date.*at properties\.range\.properties\.from/,
    ],
    ['a class', z.object({ a: z.string(), b: z.instanceof(Map) }), /Custom types.*at properties\.b/],
    ['a big default', z.object({ a: z.any().default(3n) }), /BigInt/],
    ['a text at the root', z.string(), /its root is "string"/],
    ['a list at the root', z.array(z.string()), /its root is "array"/],
    ['a union without an object', z.union([z.string().min(1), z.array(z.string())]), /none is an object/],
    ['zod 3', zod3.object({ a: zod3.string() }), /\(zod\) does not say its JSON Schema.*withInputJsonSchema/],
    ['a key the API does not take', z.object({ $top: z.number() }), /its property "\$top"/],
  ])('%s', (_name, schema, why) => {
    const tools = [toolOf('first', z.object({})), toolOf('odd', schema), toolOf('last', z.object({}))];
    const { definitions, refused } = toolDefinitions(tools);
    expect(definitions.map(({ name }) => name)).toEqual(['first', 'last']);
    expect(refused.map(({ name }) => name)).toEqual(['odd']);
    expect(refused[0]?.reason).toMatch(why);
  });

  it('for a name the API does not take', () => {
    const { refused } = toolDefinitions([toolOf('files/read', z.object({}))]);
    expect(refused).toEqual([{ name: 'files/read', reason: expect.stringContaining('its name') }]);
  });

  it('but what no turn could run is the caller’s mistake, as in executeTools', () => {
    expect(() => toolDefinitions([toolOf('a', z.object({})), toolOf('a', z.object({}))])).toThrow(
      InvalidOptionError,
    );
  });
});

describe('withInputJsonSchema', () => {
  const dates: JsonSchema = { type: 'object', properties: { day: { type: 'string', format: 'date' } } };

  it.each<[string, StandardSchema]>([
    ['zod 3', zod3.object({ day: zod3.coerce.date() })],
    ['zod 4', z.object({ day: z.coerce.date() })],
  ])('lets %s say what it can not say itself, and parse as before', (_name, schema) => {
    const got: unknown[] = [];
    const tool = toolOf('book', withInputJsonSchema(schema, dates), {
      call: (input) => void got.push(input),
    });
    expect(toolDefinitions([tool]).definitions[0]?.input_schema).toEqual(dates);
    const seen = new Seen(
      turnOf([use('a', 'book', { day: '2020-02-02' }), use('b', 'book', { day: 'x' })], [tool]),
    );
    expect(codes(seen.values)).toEqual(['a ok', 'b invalid_input']);
    expect(got).toEqual([{ day: new Date('2020-02-02') }]);
  });

  it('keeps the types of the tool', () => {
    const tool = defineTool({
      name: 'book',
      inputSchema: withInputJsonSchema(z.object({ day: z.coerce.date() }), dates),
      call: ({ day }) => day.getTime(),
    });
    expect(tool.name).toBe('book');
  });
});

describe('a union or an intersection at the root, which the API refuses', () => {
  const literal = (value: string) => ({ type: 'string', const: value });
  const a = {
    type: 'object',
    properties: { kind: literal('a'), x: { type: 'number' } },
    required: ['kind', 'x'],
  };
  const b = { type: 'object', properties: { kind: literal('b'), x: text, y: text }, required: ['kind'] };
  const both: ObjectSchema = {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] }, x: { anyOf: [{ type: 'number' }, text] }, y: text },
    required: ['kind'],
  };

  it.each<[string, JsonSchema]>([
    ['anyOf', { anyOf: [a, b] }],
    ['oneOf', { type: 'object', oneOf: [a, b] }],
    ['a union in a union', { anyOf: [{ oneOf: [a, b] }, { type: 'null' }] }],
    ['allOf', { allOf: [{ anyOf: [a, b] }] }],
  ])('is sent as one object with the properties of all its forms: %s', (_name, schema) => {
    expect(objectRoot(schema)).toEqual(both);
  });

  it('by references too, the definitions staying', () => {
    const schema = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }], $defs: { a, b } };
    expect(objectRoot(schema)).toEqual({ ...both, $defs: { a, b } });
  });

  it('that only says which members go together is left to the validation', () => {
    const properties = { id: text, title: text, status: text };
    const schema = {
      type: 'object',
      properties,
      required: ['id'],
      anyOf: [{ required: ['title'] }, { required: ['status'] }],
    };
    expect(objectRoot(schema)).toEqual({ type: 'object', properties, required: ['id'] });
  });

  it('with a form of anything requires nothing', () => {
    expect(objectRoot({ anyOf: [a, true] })).toEqual({ type: 'object', properties: a.properties });
  });

  it('that refers to itself, or to nowhere, is refused', () => {
    expect(() => objectRoot({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } })).toThrow(/to itself/);
    expect(() => objectRoot({ $ref: '#/$defs/b', $defs: {} })).toThrow(/not in it/);
    expect(() => objectRoot({ $ref: 'https://example.org/a.json' })).toThrow(/not in it/);
  });

  it('allows all that the schema allows', () => {
    const schema = z.union([
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a'), x: z.number(), y: z.string().optional() }),
        z.strictObject({ kind: z.literal('b'), x: z.string() }),
      ]),
      z.strictObject({ y: z.boolean() }),
    ]);
    const isSent = new Ajv2020().compile(sent(schema) as ObjectSchema);
    const leaf = fc.constantFrom<unknown>('a', 'b', 1, true);
    let valid = 0;
    fc.assert(
      fc.property(fc.record({ kind: leaf, x: leaf, y: leaf }, { requiredKeys: [] }), (input) => {
        if (!schema.safeParse(input).success) return;
        valid++;
        expect(isSent(input)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(valid).toBeGreaterThan(20);
  });

  it('has no union, intersection or reference left, and an object, whatever it was', () => {
    const branch = fc.constantFrom<JsonSchema>(
      a,
      b,
      { type: 'null' },
      { $ref: '#/$defs/a' },
      { required: ['x'] },
    );
    const tree = fc.letrec<{ tree: JsonSchema }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        branch,
        fc.record({ anyOf: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ allOf: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
      ),
    })).tree;
    fc.assert(
      fc.property(tree, (schema) => {
        let root: ObjectSchema;
        try {
          root = objectRoot({ ...schema, $defs: { a, b } });
        } catch (error) {
          expect(String(error)).toMatch(/its root is/);
          return;
        }
        expect(root.type).toBe('object');
        for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(root).not.toHaveProperty(keyword);
      }),
    );
  });
});

describe('which tools are sent', () => {
  const tools = [
    toolOf('b', z.object({})),
    toolOf('a', z.object({})),
    toolOf('late', z.object({}), { deferred: true }),
    toolOf('later', z.object({}), { deferred: true }),
  ];

  it('all but the deferred ones, in their order', () => {
    expect(names(tools)).toEqual(['b', 'a']);
  });

  it('the deferred ones that have been asked for', () => {
    expect(names(tools, { isSchemaSent: (name) => name === 'later' })).toEqual(['b', 'a', 'later']);
  });

  it.each<[string, (name: string) => unknown]>([
    ['that are offered', (name) => name === 'a' || name === 'late'],
    ['where asking for another fails', (name) => name === 'a' || thrown()],
    [
      'where the answer for another comes too late',
      (name) => (name === 'a' ? true : Promise.reject(new Error('late'))),
    ],
  ])('those %s', (_name, offered) => {
    expect(names(tools, { offered: offered as (name: string) => boolean })).toEqual(['a']);
  });

  const thrown = (): never => {
    throw new Error('broken');
  };

  it('with name and description, as the official client takes them', () => {
    const { definitions } = toolDefinitions([toolOf('a', z.object({}), { description: 'does a' })]);
    const request: Anthropic.ToolUnion[] = definitions;
    expect(request).toEqual([
      { name: 'a', description: 'does a', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it.each<[string, StandardSchema]>([
    ['zod', z.object({ a: z.string() })],
    ['JSON Schema', withInputJsonSchema(z.any(), { type: 'object', properties: { a: text } })],
  ])('each time anew: what is changed on one request is not on the next, by %s', (_name, schema) => {
    for (const _request of [1, 2]) {
      const [definition] = toolDefinitions([toolOf('a', schema)]).definitions;
      expect(definition?.input_schema.properties).toEqual({ a: text });
      Object.assign(definition?.input_schema.properties ?? {}, { b: text });
    }
  });
});
