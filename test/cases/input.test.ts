import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ajvValidator, jsonSchema } from '../../src/adapters/jsonSchema/index.js';
import { toolDefinitions } from '../../src/call/toolDefinitions.js';
import { executeTools, type StandardSchema } from '../../src/index.js';
import { codes, outcomeOf, Seen, safeTool, textOf, turnOf, use } from '../engine/turns.js';

describe('B51: the input side of each schema is sent to the model, and one impossible tool takes no other along', () => {
  const toolOf = (name: string, inputSchema: StandardSchema) => safeTool(name, () => 'done', { inputSchema });
  const tools = [
    toolOf('defaults', z.object({ n: z.number().default(3) })),
    toolOf('transforms', z.object({ n: z.string().transform(Number) })),
    toolOf('date', z.object({ day: z.date() })),
    toolOf(
      'union',
      z.discriminatedUnion('do', [
        z.object({ do: z.literal('add'), text: z.string() }),
        z.object({ do: z.literal('drop'), id: z.number() }),
      ]),
    ),
    toolOf('last', z.object({})),
  ];
  const { definitions, refused } = toolDefinitions(tools);
  const sent = (name: string) => definitions.find((each) => each.name === name)?.input_schema;

  it('a member with a default is not required', () => {
    expect(sent('defaults')).toEqual({ type: 'object', properties: { n: { type: 'number', default: 3 } } });
  });

  it('a transform is what it takes', () => {
    expect(sent('transforms')).toMatchObject({ properties: { n: { type: 'string' } }, required: ['n'] });
  });

  it('the impossible one is refused by its name, saying why and where; the others stay', () => {
    expect(refused.map(({ name }) => name)).toEqual(['date']);
    expect(refused[0]?.reason).toMatch(/Date.*properties\.day.*withInputJsonSchema/);
    expect(definitions.map(({ name }) => name)).toEqual(['defaults', 'transforms', 'union', 'last']);
  });

  it('a union at the root is sent as an object, and a call that fits no form of it is told so', () => {
    expect(sent('union')).toEqual({
      type: 'object',
      properties: { do: { enum: ['add', 'drop'] }, text: { type: 'string' }, id: { type: 'number' } },
      required: ['do'],
    });
    const calls = [use('a', 'union', { do: 'drop', id: 1 }), use('b', 'union', { do: 'drop', text: 'x' })];
    const seen = new Seen(turnOf(calls, tools));
    expect(codes(seen.values)).toEqual(['a ok', 'b invalid_input']);
    expect(textOf(seen.values, 'b')).toContain('`id`: Invalid input: expected number, received undefined');
  });

  it('the impossible one may still be called: it is refused to the model, not to the turn', () => {
    expect(() => executeTools({ tools })).not.toThrow();
  });
});

describe('B52: input of the wrong shape is an error the model can mend its call by', () => {
  const shape = z.strictObject({ ids: z.array(z.string()), n: z.number() });
  const validator = ajvValidator(new Ajv2020({ allErrors: true }));
  const schemas: readonly [string, StandardSchema][] = [
    ['zod', shape],
    ['JSON Schema', jsonSchema(z.toJSONSchema(shape), { validator })],
  ];
  const inputs: readonly [unknown, readonly RegExp[]][] = [
    [
      { ids: '["a"]', n: '3' },
      [
        /`ids`: .*expected array, received string "\[\\"a\\"\]"/,
        /`n`: .*expected number, received string "3"/,
      ],
    ],
    [[1], [/the input: .*expected object, received array \[1\]/]],
    ['x', [/the input: .*expected object, received string "x"/]],
    [null, [/the input: .*expected object, received null/]],
    [{ ids: ['a'], n: 3, extra: 1 }, [/the input: Unrecognized key.*"extra"/]],
  ];

  describe.each(schemas)('by %s', (_name, inputSchema) => {
    it.each(inputs)('%j', (input, lines) => {
      const got: unknown[] = [];
      const tool = safeTool('tool', (each) => got.push(each), { inputSchema });
      const seen = new Seen(
        turnOf([use('a', 'tool', input), use('b', 'tool', { ids: ['a'], n: 3 })], [tool]),
      );
      expect([codes(seen.values), got]).toEqual([['a invalid_input', 'b ok'], [{ ids: ['a'], n: 3 }]]);
      const text = textOf(seen.values, 'a');
      expect(text).toMatch(/^<tool_use_error>InputValidationError: /);
      const told = text.split('\n').filter((line) => line.startsWith('- '));
      expect(told).toHaveLength(lines.length);
      for (const [n, line] of lines.entries()) expect(told[n]).toMatch(line);
      expect(outcomeOf(seen.values, 'a').executed).toBe('no');
    });
  });

  it('coerces where the tool opts in, by its schema or its validator, and nowhere else', () => {
    const got: unknown[] = [];
    const coercing = ajvValidator(new Ajv2020({ coerceTypes: true }));
    const byZod = z.object({ n: z.coerce.number() });
    const byAjv = jsonSchema(z.toJSONSchema(z.object({ n: z.number() })), { validator: coercing });
    for (const inputSchema of [byZod, byAjv]) {
      const tool = safeTool('tool', (input) => got.push(input), { inputSchema });
      const call = use('a', 'tool', { n: '3' });
      expect(codes(new Seen(turnOf([call], [tool])).values)).toEqual(['a ok']);
      expect(call.input).toEqual({ n: '3' });
    }
    expect(got).toEqual([{ n: 3 }, { n: 3 }]);
  });
});

describe('B53: a tool of former times', () => {
  const inputSchema = z.object({});
  const tools = [
    safeTool('read_file', () => 'text', { inputSchema, aliases: ['read'] }),
    safeTool('write_file', () => 'written', { inputSchema, aliases: ['write'] }),
  ];
  const offered = (name: string): boolean => name === 'read_file';

  it('that was renamed is found by its declared former name alone', () => {
    const seen = new Seen(turnOf([use('a', 'read'), use('b', 'Read'), use('c', 'read_file')], tools));
    expect(codes(seen.values)).toEqual(['a ok', 'b unknown_tool', 'c ok']);
  });

  it('that was removed since the session began is one error among good calls, and names only what is offered', () => {
    const calls = [use('a', 'read_file'), use('b', 'search'), use('c', 'write_file'), use('d', 'read_file')];
    const seen = new Seen(turnOf(calls, tools, { offered }));
    expect(codes(seen.values)).toEqual(['a ok', 'b unknown_tool', 'c unknown_tool', 'd ok']);
    for (const id of ['b', 'c']) expect(textOf(seen.values, id)).toContain('Tools you can use: read_file.');
    expect(textOf(seen.values, 'b')).not.toContain('write_file');
  });

  it('what is not offered is not sent either', () => {
    expect(toolDefinitions(tools, { offered }).definitions.map(({ name }) => name)).toEqual(['read_file']);
  });
});
