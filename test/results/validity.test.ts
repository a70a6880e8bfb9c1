import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/index.js';
import { presentOutput, resultBlock } from '../../src/results/present.js';
import { outcomeOf, Seen, safeTool, turnOf, use } from '../engine/turns.js';
import { apiContent } from './apiContent.js';
import { monsters } from './monsters.js';

/** The block and the outcome of one call whose tool has these members. */
const answerOf = (members: Partial<Tool>) => {
  const { values, ended } = new Seen(turnOf([use('a', 'tool')], [safeTool('tool', () => 1, members)]));
  expect(ended).toBe('completed');
  const result = values.find((event) => event.type === 'result');
  if (result === undefined) throw new Error('no result');
  return { block: result.block, outcome: outcomeOf(values, 'a') };
};

const blockOf = (output: unknown) => ({
  block: resultBlock(
    'a',
    presentOutput(
      safeTool('tool', () => 1),
      output,
      'a',
    ),
  ),
});

const answerMapped = (mapped: unknown) => answerOf({ mapResult: () => mapped as never });

const illFormed = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [...illFormed(key), ...illFormed(each)]);
};

type Answer = ReturnType<typeof answerOf>;

const expectValid = ({ block }: Pick<Answer, 'block'>): void => {
  const { content, ...rest } = block;
  expect(Object.keys(rest).filter((key) => !['type', 'tool_use_id', 'is_error'].includes(key))).toEqual([]);
  expect(rest).toMatchObject({ type: 'tool_result', tool_use_id: 'a' });
  expect(apiContent.safeParse(content).error?.message).toBeUndefined();
  expect(JSON.parse(JSON.stringify(block))).toStrictEqual(block);
  expect(illFormed(block)).toEqual([]);
};

/** What could be shown, or the word that only this failed: never the tool, never a repetition asked for. */
const expectHonest = ({ block, outcome }: Answer): void => {
  expect(block.is_error).toBe(outcome.code === 'ok' ? undefined : true);
  if (outcome.code === 'ok') return;
  expect(outcome).toMatchObject({ code: 'infrastructure', executed: 'yes' });
  expect(block.content).toMatch(/tool itself had finished/);
};

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withInvalidDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
  key: fc.string({ unit: fc.oneof(fc.constantFrom('\ud83d', '\udc4b', ' '), fc.string({ maxLength: 1 })) }),
} as fc.ObjectConstraints);

const halves = fc.string({ unit: fc.constantFrom('\ud83d', '\udc4b', 'x', ' ', '\\', 'ud83d', '=') });
/** The generator looks into what it generates, and that monsters do not bear: they are named, and made later. */
class Sleeping {
  constructor(readonly make: () => unknown) {}
}
const monster = fc.constantFrom(...Object.values(monsters)).map((make) => new Sleeping(make));

const awake = (value: unknown): unknown => {
  if (value instanceof Sleeping) return value.make();
  if (Array.isArray(value)) return value.map(awake);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, awake(each)]));
};

const value = fc.oneof(anything, halves, monster);

const said = fc.string({ minLength: 1 }).map((text) => `${text}.`);
const text = fc.record({ type: fc.constant('text'), text: fc.oneof(said, fc.string()) });
const media = (media_type: fc.Arbitrary<string>) =>
  fc.record({ type: fc.constant('base64'), media_type, data: fc.base64String({ minLength: 4 }) });
const url = fc.record({ type: fc.constant('url'), url: fc.webUrl() });
const image = fc.record({
  type: fc.constant('image'),
  source: fc.oneof(media(fc.constantFrom('image/png', 'image/webp', 'image/bmp')), url),
});
const document = fc.record({
  type: fc.constant('document'),
  source: fc.oneof(
    media(fc.constant('application/pdf')),
    fc.record({ type: fc.constant('text'), media_type: fc.constant('text/plain'), data: said }),
    fc.record({ type: fc.constant('content'), content: fc.oneof(said, fc.array(fc.oneof(text, image))) }),
  ),
  title: fc.option(said),
  citations: fc.constantFrom(undefined, null, {}, { enabled: false }),
});
const searchResult = fc.record({
  type: fc.constant('search_result'),
  source: said,
  title: said,
  content: fc.array(text),
});
const toolReference = fc.record({ type: fc.constant('tool_reference'), tool_name: said });
const cache_control = fc.constantFrom(
  undefined,
  null,
  { type: 'ephemeral' },
  { type: 'ephemeral', ttl: '1h' },
);
const right = fc
  .tuple(fc.oneof(text, image, document, searchResult, toolReference), cache_control)
  .map(([block, cache_control]): Members => ({ ...block, cache_control }));

type Members = Readonly<Record<string, unknown>>;

/** One of its members, or of its source's, is something else. */
const spoiled = fc.tuple(right, fc.nat(), value).map(([block, at, odd]): Members => {
  const source = block.source as Members | string | undefined;
  const inner = typeof source === 'object' ? Object.keys(source) : [];
  const keys = Object.keys(block);
  const n = at % (keys.length + inner.length);
  const key = keys[n];
  if (key !== undefined) return { ...block, [key]: odd };
  return { ...block, source: { ...(source as Members), [inner[n - keys.length] ?? '']: odd } };
});
const blocks = fc.array(fc.oneof({ weight: 4, arbitrary: right }, spoiled, value), {
  minLength: 1,
  maxLength: 4,
});

describe('the block that answers a call is always one that the API takes (SPEC §5.9)', () => {
  const each = Object.entries(monsters);

  it.each(each)('%s as an output', (_, make) => {
    expectValid(blockOf(make()));
  });

  it.each(each)('%s as what mapResult gives', (_, make) => {
    const answer = answerMapped(make());
    expectValid(answer);
    expectHonest(answer);
  });

  it.each(each)('%s among the blocks that mapResult gives', (_, make) => {
    const answer = answerMapped([{ type: 'text', text: 'x' }, make()]);
    expectValid(answer);
    expectHonest(answer);
  });

  it.each(each)('%s as what mapResult throws', (_, make) => {
    const thrown = make();
    const answer = answerOf({
      mapResult: () => {
        throw thrown;
      },
    });
    expectValid(answer);
    expectHonest(answer);
    expect(answer.outcome.code).toBe('infrastructure');
  });

  it('promises among the blocks are taken in: their failure is nobody else’s', async () => {
    const { block, outcome } = answerMapped([Promise.reject(new Error('x')), Promise.reject(new Error('y'))]);
    expect(outcome).toMatchObject({ code: 'infrastructure', executed: 'yes' });
    expect(block.content).toMatch(/promises/);
    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('any output', () => {
    fc.assert(
      fc.property(value, (given) => expectValid(blockOf(awake(given)))),
      { numRuns: 1000 },
    );
  });

  it('anything that mapResult gives', () => {
    const mapped = fc.oneof(value, { weight: 3, arbitrary: blocks });
    const seen = { ok: 0, blocks: 0, infrastructure: 0 };
    fc.assert(
      fc.property(mapped, (given) => {
        const answer = answerMapped(awake(given));
        expectValid(answer);
        expectHonest(answer);
        if (typeof answer.block.content !== 'string') seen.blocks += 1;
        seen[answer.outcome.code as 'ok' | 'infrastructure'] += 1;
      }),
      { numRuns: 3000 },
    );
    // The generator reaches what it is for.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
  });
});
