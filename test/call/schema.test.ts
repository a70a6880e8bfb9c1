import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { isResult, type ParseResult, parseInput } from '../../src/call/schema.js';
import type { StandardSchema } from '../../src/index.js';

const schemaOf = (validate: (value: unknown) => unknown): StandardSchema => ({
  '~standard': { version: 1, vendor: 'foreign', validate: validate as never },
});

const isLater = (answer: unknown): boolean => typeof (answer as { then?: unknown }).then === 'function';

/** An answer that is there at once. */
const atOnce = (schema: StandardSchema, input: unknown): ParseResult => {
  const answer = parseInput(schema, input);
  expect(isLater(answer)).toBe(false);
  return answer as ParseResult;
};

const messages = (result: ParseResult): readonly string[] =>
  (result.issues ?? []).map(({ message }) => message);

describe('a zod schema', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['an object', z.object({ a: z.string() }), { a: 'x' }, { a: 'x' }],
    ['defaults', z.object({ n: z.number().default(3) }), {}, { n: 3 }],
    ['a transform', z.string().transform((text) => text.length), 'four', 4],
    ['a union', z.union([z.string(), z.number()]), 1, 1],
    [
      'a discriminated union',
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') })]),
      { t: 'a' },
      { t: 'a' },
    ],
    ['a record', z.record(z.string(), z.number()), { a: 1 }, { a: 1 }],
    ['a tuple', z.tuple([z.string(), z.number()]), ['a', 1], ['a', 1]],
    ['a pipe', z.string().pipe(z.coerce.number()), '3', 3],
    ['a preprocess', z.preprocess((value) => value ?? 'none', z.string()), undefined, 'none'],
    ['a check that is a function', z.string().refine((text) => text !== ''), 'x', 'x'],
    [
      'a nullable, optional, read-only one',
      z.object({ a: z.string().nullable().optional().readonly() }),
      { a: null },
      { a: null },
    ],
    ['a lazy one', z.lazy(() => z.string()), 'x', 'x'],
    ['strict', z.strictObject({ a: z.string() }), { a: 'x' }, { a: 'x' }],
    ['catch', z.number().catch(7), 'x', 7],
  ])('of %s answers at once', (_name, schema, input, value) => {
    expect(atOnce(schema, input)).toEqual({ value });
  });

  it('of the small edition too', () => {
    expect(atOnce(mini.object({ a: mini.string() }), { a: 'x' })).toEqual({ value: { a: 'x' } });
    expect(messages(atOnce(mini.object({ a: mini.string() }), { a: 1 }))).toHaveLength(1);
  });

  it('tells issues with path and message', () => {
    const result = atOnce(z.object({ list: z.array(z.object({ n: z.number() })) }), {
      list: [{ n: 1 }, { n: 'x' }],
    });
    expect(result.issues).toMatchObject([
      { path: ['list', 1, 'n'], message: 'Invalid input: expected number, received string' },
    ]);
  });

  it('that contains itself parses, and refuses', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    expect(atOnce(node, { name: 'a', children: [{ name: 'b', children: [] }] })).toMatchObject({
      value: { name: 'a' },
    });
    expect(messages(atOnce(node, { name: 'a', children: [{ name: 1, children: [] }] }))).toHaveLength(1);
  });

  it('of two parts that contain each other parses', () => {
    const folder = z.object({
      get entries() {
        return z.array(z.union([entry, z.string()]));
      },
    });
    const entry = z.object({
      get inside() {
        return folder.optional();
      },
    });
    expect(atOnce(folder, { entries: ['x', { inside: { entries: [] } }] })).toHaveProperty('value');
  });

  it('input nested deeper than the stack reaches is an issue, not a throw', () => {
    const node = z.object({
      get next() {
        return node.optional();
      },
    });
    let deep: object = {};
    for (let n = 0; n < 100_000; n++) deep = { next: deep };
    expect(messages(atOnce(node, deep))).toHaveLength(1);
  });

  it('whose check throws is an issue that says what it said', () => {
    const schema = z.string().refine(() => {
      throw new Error('no access');
    });
    expect(messages(atOnce(schema, 'x'))).toEqual(['no access']);
  });
});

describe('a zod schema runs each of its parts once', () => {
  const counters = () => {
    const count = { sync: 0, later: 0, transform: 0 };
    const schema = z
      .string()
      .refine(() => {
        count.sync++;
        return true;
      })
      .refine(async () => {
        count.later++;
        return true;
      })
      .transform((text) => {
        count.transform++;
        return text.length;
      });
    return { count, schema };
  };

  it('where a check answers later', async () => {
    const { count, schema } = counters();
    const answer = parseInput(schema, 'four');
    expect(isLater(answer)).toBe(true);
    expect(await answer).toEqual({ value: 4 });
    expect(count).toEqual({ sync: 1, later: 1, transform: 1 });
  });

  it('where that part stands in an object, a list and a union', async () => {
    const { count, schema } = counters();
    const outer = z.object({ list: z.array(z.union([schema, z.number()])) });
    expect(await parseInput(outer, { list: ['four'] })).toEqual({ value: { list: [4] } });
    expect(count).toEqual({ sync: 1, later: 1, transform: 1 });
  });

  it('where a later check refuses', async () => {
    let asked = 0;
    const schema = z.object({
      user: z.string().refine(async () => {
        asked++;
        return false;
      }, 'nobody of that name'),
    });
    const result = await parseInput(schema, { user: 'x' });
    expect(messages(result)).toEqual(['nobody of that name']);
    expect(result.issues).toMatchObject([{ path: ['user'] }]);
    expect(asked).toBe(1);
  });

  it('where all answers at once', () => {
    let asked = 0;
    const schema = z.string().refine(() => {
      asked++;
      return false;
    });
    expect(messages(atOnce(schema, 'x'))).toHaveLength(1);
    expect(asked).toBe(1);
  });

  it('where a later check rejects: the answer is its rejection, or issues', async () => {
    const schema = z.string().refine(() => Promise.reject(new Error('the directory is down')));
    await expect(Promise.resolve(parseInput(schema, 'x'))).rejects.toThrow('the directory is down');
  });
});

describe('a foreign Standard Schema', () => {
  it('as zod 3 is one: its answer may come at once', () => {
    const schema = schemaOf((value) =>
      typeof value === 'string'
        ? { value: value.trim() }
        : { issues: [{ message: 'Expected string', path: [] }] },
    );
    expect(atOnce(schema, ' x ')).toEqual({ value: 'x' });
    expect(messages(atOnce(schema, 1))).toEqual(['Expected string']);
  });

  it('or later, and is asked once', async () => {
    let asked = 0;
    const schema = schemaOf(async (value) => {
      asked++;
      return { value };
    });
    expect(await parseInput(schema, 1)).toEqual({ value: 1 });
    expect(asked).toBe(1);
  });

  it('may be a function, as ArkType makes them', () => {
    const schema = Object.assign(
      () => undefined,
      schemaOf((value) => ({ value })),
    );
    expect(atOnce(schema, 1)).toEqual({ value: 1 });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['an empty object', {}],
    ['issues that are no list', { issues: 'many' }],
    ['a value beside issues that are no list', { value: 1, issues: null }],
  ])('that answers %s has failed, and the input is not used', (_name, answer) => {
    expect(
      messages(
        atOnce(
          schemaOf(() => answer),
          'x',
        ),
      ),
    ).toEqual(['the schema answered neither a value nor issues']);
    expect(isResult(answer)).toBe(false);
  });

  it('that answers issues beside a value refuses', () => {
    const result = atOnce(
      schemaOf(() => ({ value: 1, issues: [{ message: 'no' }] })),
      'x',
    );
    expect(messages(result)).toEqual(['no']);
  });

  it('that throws is an issue', () => {
    const schema = schemaOf(() => {
      throw new Error('broken');
    });
    expect(messages(atOnce(schema, 'x'))).toEqual(['broken']);
  });
});
