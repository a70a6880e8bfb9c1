import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  ajvValidator,
  JsonSchemaError,
  type JsonSchemaValidator,
  jsonSchema,
} from '../../../src/adapters/jsonSchema/index.js';
import { parseInput } from '../../../src/call/schema.js';
import { defineTool, executeTools, InvalidOptionError } from '../../../src/index.js';
import { codes, Seen, textOf, turnOf, use } from '../../engine/turns.js';
import { lenient, read, validator } from './validator.js';

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const refusalOf = (schema: object, by = validator): JsonSchemaError => {
  try {
    jsonSchema(schema, { validator: by });
  } catch (error) {
    if (error instanceof JsonSchemaError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('a tool whose input is described by JSON Schema', () => {
  it('gets what the schema allows, and the model is told what it does not', () => {
    const got: string[] = [];
    const weather = defineTool({
      name: 'weather',
      inputSchema: jsonSchema<{ readonly city: string }>(city, { validator }),
      call: (input) => {
        got.push(input.city);
        return 'sunny';
      },
    });
    const seen = new Seen(
      turnOf([use('a', 'weather', { city: 'Oslo' }), use('b', 'weather', { city: 1 })], [weather]),
    );
    expect([codes(seen.values), got]).toEqual([['a ok', 'b invalid_input'], ['Oslo']]);
    expect(textOf(seen.values, 'b')).toContain('- `city`: Invalid input: expected string, received number 1');
  });

  it('is refused without a validator, and with its bare schema: both say what to write', () => {
    expect(() => jsonSchema(city, undefined as never)).toThrow(InvalidOptionError);
    expect(() => jsonSchema(city, {} as never)).toThrow(/validator.*ajvValidator\(ajv\)/);
    const bare = { name: 'weather', inputSchema: city as never, call: () => 1 };
    expect(() => executeTools({ tools: [bare] })).toThrow(/"weather"\.inputSchema.*millrace\/json-schema/);
  });
});

describe('a JSON Schema that can not be used is refused at once, and says why', () => {
  it.each<[string, object, RegExp]>([
    ['no schema', { type: 'objekt' }, /schema is invalid: data\/type/],
    ['a reference to nowhere', { $ref: '#/nowhere' }, /can't resolve reference #\/nowhere/],
    ['one outside', { $ref: 'https://example.org/a.json' }, /can't resolve reference https:/],
    ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, /draft-04.*Ajv2020/],
  ])('%s', (_name, schema, why) => {
    expect(refusalOf(schema).message).toMatch(why);
    expect(refusalOf(schema).code).toBe('invalid_json_schema');
  });

  it('by its name where it has one, with the error of the validator as the cause', () => {
    const error = refusalOf({ title: 'weather', type: 'objekt' });
    expect(error.message).toContain('the JSON Schema "weather"');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('a format nobody checks, where the instance of Ajv is a strict one', () => {
    const strict = ajvValidator(new Ajv2020());
    expect(refusalOf({ type: 'string', format: 'uri' }, strict).message).toContain('unknown format "uri"');
  });

  it('a validator that makes no function of it', () => {
    const broken = { compile: () => undefined } as unknown as JsonSchemaValidator;
    expect(refusalOf(city, broken).message).toContain('made no function');
  });

  it('and an instance that is none is refused by its place', () => {
    expect(() => ajvValidator(new Ajv(), {} as never)).toThrow(/ajvValidator\[1\]/);
    expect(() => (ajvValidator as () => unknown)()).toThrow(/ajvValidator\[0\]/);
  });
});

describe('a dialect', () => {
  const pair = (keyword: string) => ({ [keyword]: [{ type: 'string' }, { type: 'number' }] });
  const wrong = ['`[1]`: Invalid input: expected number, received string "b"'];

  it('2020-12 is read where a schema names none and that instance is the first', () => {
    expect(read(pair('prefixItems'), ['a', 'b'])).toEqual(wrong);
  });

  it('draft 7 is read where a schema names it', () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...pair('items') };
    expect(read(schema, ['a', 'b'])).toEqual(wrong);
  });

  it('2020-12 is read where a schema names it and the first instance does not know it', () => {
    const both = ajvValidator(new Ajv(lenient), new Ajv2020(lenient));
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...pair('prefixItems') };
    expect(read(schema, ['a', 'b'], both)).toEqual(wrong);
  });
});

describe('what is kept', () => {
  it('two tools of one `$id` do not get in each other’s way', () => {
    const schemaOf = (type: string) => ({ $id: 'https://example.org/input', type });
    const text = jsonSchema(schemaOf('string'), { validator });
    const number = jsonSchema(schemaOf('number'), { validator });
    expect(parseInput(text, 'x')).toEqual({ value: 'x' });
    expect(parseInput(number, 1)).toEqual({ value: 1 });
  });

  it('a schema the user has added is found by others, also after a tool has referred to it', () => {
    const ajv = new Ajv2020(lenient);
    ajv.addSchema({ $id: 'https://example.org/name', type: 'string' });
    const schema = { properties: { name: { $ref: 'https://example.org/name' } } };
    for (const _tool of [1, 2])
      expect(read(schema, { name: 1 }, ajvValidator(ajv))).toEqual([
        '`name`: Invalid input: expected string, received number 1',
      ]);
  });

  it('a schema the user has added under an id stays, and another of that id is refused', () => {
    const ajv = new Ajv2020(lenient);
    const $id = 'https://example.org/name';
    ajv.addSchema({ $id, type: 'string' });
    expect(refusalOf({ $id, type: 'number' }, ajvValidator(ajv)).message).toContain('already exists');
    expect(ajv.validate($id, 'x')).toBe(true);
  });

  it('changes of the schema behind it are seen neither by the check nor by the model', () => {
    const schema = structuredClone(city);
    const wrapped = jsonSchema(schema, { validator });
    schema.properties.city.type = 'number';
    expect(parseInput(wrapped, { city: 'Oslo' })).toEqual({ value: { city: 'Oslo' } });
    expect(wrapped['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual(city);
  });

  it('it is compiled once, however many calls there are', () => {
    let compiled = 0;
    const counting: JsonSchemaValidator = {
      compile: (schema) => {
        compiled++;
        return validator.compile(schema);
      },
    };
    const wrapped = jsonSchema(city, { validator: counting });
    for (let n = 0; n < 5; n++) parseInput(wrapped, { city: 'Oslo' });
    expect(compiled).toBe(1);
  });
});

describe('the input the model wrote', () => {
  const schema = { type: 'object', properties: { n: { type: 'number', default: 3 }, list: { default: [] } } };

  it('is neither coerced nor filled up unless the validator does it', () => {
    expect(read(schema, {})).toEqual({ value: {} });
    expect(read(schema, { n: '3' })).toEqual(['`n`: Invalid input: expected number, received string "3"']);
  });

  it('is not changed where it does: the tool gets a copy', () => {
    const filling = ajvValidator(new Ajv2020({ ...lenient, useDefaults: true, coerceTypes: true }));
    const written = { n: '7', deep: { a: 1 } };
    const wrapped = jsonSchema(schema, { validator: filling });
    expect(wrapped['~standard'].validate(written)).toEqual({ value: { n: 7, list: [], deep: { a: 1 } } });
    expect(written).toEqual({ n: '7', deep: { a: 1 } });
  });

  it('defaults are not shared between calls', () => {
    const filling = ajvValidator(new Ajv2020({ ...lenient, useDefaults: true }));
    const wrapped = jsonSchema(schema, { validator: filling });
    const lists = [1, 2].map(() => (parseInput(wrapped, {}) as { value: { list: unknown[] } }).value.list);
    lists[0]?.push('mine');
    expect(lists[1]).toEqual([]);
  });

  it('with a number that JavaScript reads as infinite is refused', () => {
    expect(read({ properties: { n: { type: 'number' } } }, JSON.parse('{"n":1e400}'))).toHaveLength(1);
  });
});

describe('a schema whose check answers later', () => {
  const ajv = new Ajv2020(lenient);
  ajv.addKeyword({ keyword: 'known', async: true, type: 'string', validate: later });
  async function later(_schema: unknown, value: string): Promise<boolean> {
    if (value === 'down') throw new Error('the directory is down');
    return value === 'Oslo';
  }
  const wrapped = jsonSchema(
    { $async: true, properties: { city: { type: 'string', known: true } } },
    { validator: ajvValidator(ajv) },
  );

  it('gives the value or the issues when it has answered', async () => {
    expect(await parseInput(wrapped, { city: 'Oslo' })).toEqual({ value: { city: 'Oslo' } });
    expect(await parseInput(wrapped, { city: 'x' })).toMatchObject({ issues: [{ path: ['city'] }] });
  });

  it('rejects where the check itself has failed', async () => {
    await expect(Promise.resolve(parseInput(wrapped, { city: 'down' }))).rejects.toThrow('is down');
  });
});
