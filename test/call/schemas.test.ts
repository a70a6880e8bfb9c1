import { inspect } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as zod3 } from 'zod3';
import { modelEvents } from '../../src/adapters/anthropic/index.js';
import { ajvValidator, jsonSchema } from '../../src/adapters/jsonSchema/index.js';
import {
  defineTool,
  type ExecuteToolsOptions,
  executeTools,
  type StandardSchema,
  type Tool,
  type ToolEvent,
  toolUses,
} from '../../src/index.js';
import { call, END, MD, MS } from '../adapters/anthropic/wire.js';
import {
  anything,
  codes,
  eventsOf,
  Seen,
  safeTool,
  startedIds,
  textOf,
  turnOf,
  use,
} from '../engine/turns.js';
import { settled, unhandledIn } from '../interop/receiver.js';

/** A tool that remembers what it got. */
const recording = (name: string, inputSchema: StandardSchema) => {
  const got: unknown[] = [];
  const tool = safeTool(name, (input) => void got.push(input), { inputSchema });
  return { got, tool };
};

const run = async (
  inputSchema: StandardSchema,
  input: unknown,
  options: Partial<ExecuteToolsOptions> = {},
) => {
  const { got, tool } = recording('tool', inputSchema);
  const seen = new Seen(turnOf([use('a', 'tool', input)], [tool], options));
  await settled();
  return { got, seen, codes: codes(seen.values) };
};

describe('a tool whose schema is one of zod 3', () => {
  it('gets what the schema makes of its input: defaults, transforms, coercion it asked for', async () => {
    const schema = zod3.object({
      ids: zod3.array(zod3.string().transform((id) => id.toUpperCase())),
      n: zod3.coerce.number().default(3),
    });
    expect((await run(schema, { ids: ['a'], extra: 1 })).got).toEqual([{ ids: ['A'], n: 3 }]);
    expect((await run(schema, { ids: ['a'], n: '4' })).got).toEqual([{ ids: ['A'], n: 4 }]);
  });

  it('has its types', () => {
    const tool = defineTool({
      name: 'typed',
      inputSchema: zod3.object({ n: zod3.string().transform(Number) }),
      call: ({ n }) => n.toFixed(1),
    });
    expect(tool.name).toBe('typed');
  });

  it('tells the model path, what was expected and what came', async () => {
    const schema = zod3.object({ ids: zod3.array(zod3.string()), n: zod3.number() }).strict();
    const { seen, got } = await run(schema, { ids: ['a', 2], n: '3', extra: true });
    expect(got).toEqual([]);
    expect(textOf(seen.values, 'a').split('\n').slice(1, 4)).toEqual([
      '- `ids[1]`: Expected string, received number 2',
      '- `n`: Expected number, received string "3"',
      expect.stringMatching(/^- the input: Unrecognized key\(s\) in object: 'extra'/),
    ]);
  });

  const asked = (names: string[]) =>
    zod3.object({
      user: zod3
        .string()
        .refine(async (name) => names.push(name) > 0 && name === 'ada', 'nobody of that name'),
    });

  it('waits for a refinement that answers later', async () => {
    const good = await run(asked([]), { user: 'ada' });
    expect([good.codes, good.got]).toEqual([['a ok'], [{ user: 'ada' }]]);
    const bad = await run(asked([]), { user: 'x' });
    expect([bad.codes, bad.got]).toEqual([['a invalid_input'], []]);
    expect(textOf(bad.seen.values, 'a')).toContain('- `user`: nobody of that name; got string "x"');
  });

  it('asks a refinement that answers at once once', async () => {
    let count = 0;
    await run(zod3.object({ user: zod3.string().refine(() => ++count > 0) }), { user: 'ada' });
    expect(count).toBe(1);
  });

  it('asks a refinement that answers later once', async () => {
    const names: string[] = [];
    await run(asked(names), { user: 'ada' });
    expect(names).toEqual(['ada']);
  });

  it('makes of a refinement that rejects an error of its call, and nothing unhandled', async () => {
    const schema = zod3.object({ user: zod3.string().refine(() => Promise.reject(new Error('down'))) });
    let result: Awaited<ReturnType<typeof run>> | undefined;
    const unhandled = await unhandledIn(async () => {
      result = await run(schema, { user: 'ada' });
    });
    expect([result?.codes, unhandled]).toEqual([['a invalid_input'], []]);
  });

  it.each<[string, StandardSchema]>([
    [
      'plain parts',
      zod3
        .object({
          a: zod3.array(zod3.string()).optional(),
          b: zod3.union([zod3.literal(1), zod3.null()]).default(1),
        })
        .strict(),
    ],
    ['a record', zod3.record(zod3.number())],
  ])('made of %s is parsed at once', (_name, schema) => {
    const { got, tool } = recording('tool', schema);
    new Seen(turnOf([use('a', 'tool', {})], [tool]));
    expect(got).toHaveLength(1);
  });

  it('leaves what the model wrote as it was, whatever the tool does to its input', () => {
    const written = { list: [1] };
    const schema = zod3.object({ list: zod3.any() }).passthrough();
    const tool = safeTool('tool', (input: never) => (input as { list: number[] }).list.push(2), {
      inputSchema: schema,
    });
    new Seen(turnOf([use('a', 'tool', written)], [tool]));
    expect(written).toEqual({ list: [1] });
  });
});

/** A schema written by hand: a text of digits, read as a number. */
const digits = (later: boolean) => {
  const count = { parses: 0 };
  const parse = (value: unknown) => {
    count.parses++;
    const text: unknown = Object(value).n;
    return typeof text === 'string' && /^\d+$/.test(text)
      ? { value: { n: Number(text) } }
      : { issues: [{ message: 'expected digits', path: ['n'] }] };
  };
  const validate = later ? async (value: unknown) => parse(value) : parse;
  const schema: StandardSchema<unknown, { n: number }> = {
    '~standard': { version: 1, vendor: 'hand', validate },
  };
  return { count, schema };
};

describe.each([
  ['at once', false],
  ['later', true],
])('a Standard Schema written by hand that answers %s', (_name, later) => {
  it('gives the tool its output, after one parse', async () => {
    const { count, schema } = digits(later);
    const { got } = await run(schema, { n: '7' });
    expect([got, count.parses]).toEqual([[{ n: 7 }], 1]);
  });

  it('tells the model its issues', async () => {
    const { count, schema } = digits(later);
    const { got, seen } = await run(schema, { n: 'x' });
    expect([got, count.parses]).toEqual([[], 1]);
    expect(textOf(seen.values, 'a')).toContain('- `n`: expected digits; got string "x"');
  });

  it('parses again what a hook has rewritten, and nothing twice', async () => {
    const { count, schema } = digits(later);
    const hooks = { PreToolUse: [() => ({ updatedInput: { n: '8' } })] };
    const { got } = await run(schema, { n: '7' }, { hooks });
    expect([got, count.parses]).toEqual([[{ n: 8 }], 2]);
  });

  it('parses what an `inputRepair` gives', async () => {
    const { count, schema } = digits(later);
    const { got } = await run(schema, { n: 9 }, { inputRepair: () => ({ input: { n: '9' } }) });
    expect([got, count.parses]).toEqual([[{ n: 9 }], 2]);
  });
});

it('a schema that answers later holds the calls behind it, and says so', async () => {
  const tools = [recording('slow', digits(true).schema).tool, recording('quick', anything).tool];
  const seen = new Seen(turnOf([use('a', 'slow', { n: '1' }), use('b', 'quick')], tools));
  expect(startedIds(seen.values)).toEqual([]);
  expect(eventsOf(seen.values, 'waiting')[0]).toMatchObject({ toolUseId: 'a', reason: 'validation' });
  await settled();
  expect(startedIds(seen.values)).toEqual(['a', 'b']);
});

/** Keys and numbers that JSON can write and JavaScript reads in its own way. */
const oddKeys = ['__proto__', 'constructor', 'toString', 'a', 'b'] as const;
const oddValues = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '-0',
  '1e-400',
  '"x"',
  '"__proto__"',
  'true',
  'null',
];
const oddJson = (() => {
  const scalar = fc.constantFrom(...oddValues);
  const entries = (value: fc.Arbitrary<string>) =>
    fc
      .array(fc.tuple(fc.constantFrom(...oddKeys), value), { maxLength: 5 })
      .map((pairs) => `{${pairs.map(([key, each]) => `${JSON.stringify(key)}:${each}`).join(',')}}`);
  const inner = fc.oneof(
    scalar,
    entries(scalar),
    entries(scalar).map((object) => `[${object},1]`),
  );
  return entries(inner);
})();

/** All there is in a value, own keys alone, whatever their order. */
const print = (value: unknown): string => inspect(value, { depth: Infinity, sorted: true });

/** What everybody has seen of one call. */
class Witnesses {
  readonly seen = new Map<string, unknown>();
  /** Those that get the parsed input. */
  readonly parsed = ['safe', 'validate', 'targets', 'permissions', 'call'] as const;

  tool(inputSchema: StandardSchema): Tool {
    const see = (who: string, input: unknown) => void this.seen.set(who, input);
    return {
      name: 'tool',
      inputSchema,
      isConcurrencySafe: (input) => see('safe', input) === undefined,
      validateInput: (input) => see('validate', input) as undefined,
      ruleTargets: (input) => (see('targets', input) === undefined ? [] : []),
      checkPermissions: (input) => see('permissions', input) as undefined,
      call: (input) => see('call', input),
    };
  }

  run(inputSchema: StandardSchema, json: string, deny: readonly string[] = ['tool(nothing:at all)']) {
    const wire = [MS(), ...call(0, 'a', json, 'tool'), MD('tool_use'), END];
    const hook = ({ input }: { readonly input: unknown }): undefined => void this.seen.set('hook', input);
    const options = {
      tools: [this.tool(inputSchema)],
      hooks: { PreToolUse: [hook] },
      permissions: { rules: { deny, allow: ['tool'] } },
    };
    return new Seen<ToolEvent>(modelEvents(wire).pipe(toolUses(), executeTools(options)));
  }
}

const keepsAll: readonly [string, StandardSchema][] = [
  ['a foreign one that passes all', anything],
  ['a JSON Schema', jsonSchema({ type: 'object' }, { validator: ajvValidator(new Ajv2020()) })],
];
/** They leave a member named `__proto__` out, at the root. */
const drops: readonly [string, StandardSchema][] = [
  ['zod 4', z.looseObject({})],
  ['zod 3', zod3.object({}).passthrough()],
  ['a record', z.record(z.string(), z.unknown())],
];

describe('what was checked is what runs, whatever the text of the input', () => {
  const check = (
    schema: StandardSchema,
    json: string,
    expected: (input: Record<string, unknown>) => unknown,
  ) => {
    const witnesses = new Witnesses();
    const seen = witnesses.run(schema, json);
    expect(codes(seen.values)).toEqual(['a ok']);
    expect(print(witnesses.seen.get('hook'))).toBe(print(JSON.parse(json)));
    const wanted = print(expected(JSON.parse(json)));
    for (const who of witnesses.parsed) expect([who, print(witnesses.seen.get(who))]).toEqual([who, wanted]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  };

  it.each(keepsAll)('by %s: all see the value of the text', (_name, schema) => {
    fc.assert(
      fc.property(oddJson, (json) => check(schema, json, (input) => input)),
      { numRuns: 100 },
    );
  });

  it.each(drops)(
    'by %s: all see the value of the text, without a `__proto__` of its own',
    (_name, schema) => {
      const without = (input: Record<string, unknown>) => {
        Reflect.deleteProperty(input, '__proto__');
        return input;
      };
      fc.assert(
        fc.property(oddJson, (json) => check(schema, json, without)),
        { numRuns: 100 },
      );
    },
  );

  it.each([...keepsAll, ...drops])('by %s: a rule is tested on what the tool would get', (_name, schema) => {
    fc.assert(
      fc.property(oddJson, fc.constantFrom(...oddKeys), (json, key) => {
        const witnesses = new Witnesses();
        witnesses.run(schema, json);
        const input = witnesses.seen.get('call') as Readonly<Record<string, unknown>>;
        const value = Object.hasOwn(input, key) ? input[key] : 'nothing of that name';
        if (typeof value === 'object') return;
        const denied = new Witnesses();
        const seen = denied.run(schema, json, [`tool(${key}:${String(value)})`]);
        expect(codes(seen.values)).toEqual([Object.hasOwn(input, key) ? 'a denied' : 'a ok']);
        expect(denied.seen.has('call')).toBe(!Object.hasOwn(input, key));
      }),
      { numRuns: 100 },
    );
  });

  it('a key that is written twice counts once, by its last value, for rules too', () => {
    const first = new Witnesses();
    expect(codes(first.run(anything, '{"a":"x","a":"y"}', ['tool(a:x)']).values)).toEqual(['a ok']);
    expect(first.seen.get('call')).toEqual({ a: 'y' });
    expect(codes(new Witnesses().run(anything, '{"a":"x","a":"y"}', ['tool(a:y)']).values)).toEqual([
      'a denied',
    ]);
  });

  it('a number that JavaScript can not hold is refused where the schema wants a finite or a whole one', async () => {
    const input: unknown = JSON.parse('{"n":1e400}');
    expect((await run(z.object({ n: z.number() }), input)).codes).toEqual(['a invalid_input']);
    const whole: unknown = JSON.parse('{"n":9007199254740993}');
    expect((await run(z.object({ n: z.int() }), whole)).codes).toEqual(['a invalid_input']);
  });
});
