import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { modelEvents } from '../../../src/adapters/anthropic/index.js';
import type { ModelEvent } from '../../../src/contract/index.js';
import { B, call, D, E, END, J, K, MD, MS, sse, T, text, type Wire, X } from './wire.js';

const MANY = 100_000;

/** Far above what linear work takes, far below what it takes to copy with each delta all that has come. */
const ENOUGH_MS = 10_000;

const many = <V>(make: (n: number) => V, count = MANY): readonly V[] =>
  Array.from({ length: count }, (_, n) => make(n));

const endOf = (source: readonly Wire[] | string | readonly string[]) => {
  const begin = performance.now();
  let last: ModelEvent | undefined;
  modelEvents(source as readonly Wire[]).subscribe((event) => {
    last = event;
  });
  expect(performance.now() - begin).toBeLessThan(ENOUGH_MS);
  if (last?.type !== 'message-end') throw new Error(`the message ended with ${last?.type}`);
  return last;
};

describe('a message is assembled in linear time, whatever it is made of many of (law 13)', () => {
  it.each<[string, (n: number) => unknown, Wire, (block: Readonly<Record<string, unknown>>) => unknown]>([
    ['citations', (n) => ({ type: 'citations_delta', citation: { n } }), X(0), (b) => b.citations],
    ['pieces of text', () => ({ type: 'text_delta', text: 'x' }), X(0), (b) => b.text],
    ['pieces of thinking', () => ({ type: 'thinking_delta', thinking: 'x' }), K(0), (b) => b.thinking],
  ])('%s', (_, delta, start, member) => {
    const { message } = endOf([MS(), start, ...many((n) => D(0, delta(n))), E(0), MD('end_turn'), END]);
    expect(member(message.content[0] ?? { type: '' })).toHaveLength(MANY);
  });

  it('members of a compaction, of the message and of its usage that are ever new', () => {
    const count = 25_000;
    const { message, usage } = endOf([
      MS(),
      B(0, { type: 'compaction' }),
      ...many((n) => D(0, { type: 'compaction_delta', [`c${n}`]: n }), count),
      E(0),
      ...many((n) => ({
        type: 'message_delta',
        [`e${n}`]: n,
        delta: { [`d${n}`]: n },
        usage: { [`u${n}`]: n },
      })),
      END,
    ]);
    // Read one by one: to match or to print objects of that size takes longer than to make them.
    expect(Object.keys(message.content[0] ?? {}).length).toBe(count + 1);
    expect([message[`d${count - 1}`], message[`e${count - 1}`], message.id]).toEqual([
      count - 1,
      count - 1,
      'm1',
    ]);
    expect([usage[`u${count - 1}`], usage.input_tokens]).toEqual([count - 1, 10]);
  });

  it('changes of the model, in a message of many members', () => {
    const { message } = endOf([
      MS('m1', Object.fromEntries(many((n) => [`m${n}`, n], 3000))),
      ...many((n) => B(n, { type: 'fallback', to: { model: `model-${n}` } }), 30_000),
      END,
    ]);
    expect(message.model).toBe('model-29999');
  });

  it('blocks that came with the start, and come again in their places', () => {
    const count = 20_000;
    const given = many((n) => ({ type: 'tool_use', id: `t${n}`, name: 'read', input: {} }), count);
    const { message } = endOf([
      MS('m1', { content: given }),
      ...many((n) => T(n, `t${n}`), count),
      ...many((n) => J(n, `{"n":${n}}`), count),
      ...many((n) => E(n), count),
      MD('tool_use'),
      END,
    ]);
    expect(message.content.map(({ id }) => id)).toEqual(given.map(({ id }) => id));
    expect(message.content.at(-1)).toMatchObject({ input: { n: count - 1 } });
  });

  it('calls without arguments that all end at once', () => {
    const open = many((n) => T(n, `t${n}`));
    const { message } = endOf([MS(), ...open, ...many((n) => E(n)), MD('tool_use'), END]);
    expect(message.content).toHaveLength(MANY);
  });

  it('deltas that belong nowhere', () => {
    endOf([MS(), ...many((n) => D(n, { type: 'new_delta' })), ...call(0, 't1'), MD('tool_use'), END]);
  });

  it.each([
    ['\n', 'in one chunk'],
    ['\r', 'in one chunk'],
    ['\r\n', 'in one chunk'],
    ['\n', 'character by character'],
    ['\r', 'character by character'],
  ])('frames whose lines end with %j, %s', (lineEnd, how) => {
    const whole = how === 'in one chunk';
    const pieces = many(() => text(0, 'x'), whole ? MANY : 500);
    const long = text(0, 'y'.repeat(200_000));
    const body = sse([MS(), X(0), ...pieces, long, E(0), MD('end_turn'), END]).replaceAll('\n', lineEnd);
    const { message } = endOf(whole ? [`${body}:\n\r\n`] : Array.from(body));
    expect(message.content[0]?.text).toHaveLength(200_000 + pieces.length);
  });
});

it('a member named `__proto__` is a member like others', () => {
  const members: unknown = JSON.parse('{"__proto__":{"injected":true}}');
  const { message, usage } = endOf([
    MS(),
    B(0, { type: 'compaction' }),
    D(0, { ...JSON.parse('{"__proto__":{"injected":true}}'), type: 'compaction_delta' }),
    E(0),
    {
      ...JSON.parse('{"__proto__":{"injected":true}}'),
      type: 'message_delta',
      delta: members,
      usage: members,
    },
    END,
  ]);
  for (const record of [message, usage, message.content[0]]) {
    expect(record).not.toHaveProperty('injected');
    expect(Object.hasOwn(record ?? {}, '__proto__')).toBe(true);
  }
});

it('what has been handed out is not written into when more comes', () => {
  const citations: unknown[] = [{ n: 0 }];
  const starts: string[] = [];
  const seen: ModelEvent[] = [];
  modelEvents([
    MS(),
    B(0, { type: 'text', text: '', citations }),
    D(0, { type: 'citations_delta', citation: { n: 1 } }),
    E(0),
    MD('end_turn', { output_tokens: 99 }),
    END,
  ]).subscribe((event) => {
    seen.push(event);
    if (event.type === 'message-start') starts.push(JSON.stringify(event));
  });
  expect(citations).toEqual([{ n: 0 }]);
  expect(JSON.stringify(seen[0])).toBe(starts[0]);
});
