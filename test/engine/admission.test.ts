import { NEVER, Subject, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { executeTools, type StandardSchema, type Tool, type ToolUse } from '../../src/index.js';
import { settled, unhandledIn } from '../interop/receiver.js';
import {
  anything,
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  textOf,
  turnOf,
  unsafeTool,
  use,
} from './turns.js';

const read = safeTool('read', () => 'done');

const schemaThat = (validate: () => never | Promise<never>): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

describe('an id that comes twice', () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ['with the same input', { a: 1, b: [2] }, { a: 1, b: [2] }, /with the same input/],
    ['with the same input, its keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, /with the same input/],
    ['with another input', { a: 1 }, { a: 2 }, /with another input/],
    ['with an input that has more', { a: 1 }, { a: 1, b: undefined }, /with another input/],
    ['with a list for an object', [], {}, /with another input/],
  ])('%s: is run once, answered once, and told', (_name, first, second, message) => {
    let called = 0;
    const tool = safeTool('tool', () => ++called);
    const seen = new Seen(
      turnOf([use('a', 'tool', first), use('a', 'tool', second), use('b', 'tool')], [tool]),
    );
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
    expect(called).toBe(2);
    expect(eventsOf(seen.values, 'anomaly')).toMatchObject([
      { code: 'duplicate_id', toolUseId: 'a', message: expect.stringMatching(message) },
    ]);
    expect(eventsOf(seen.values, 'queued').map(({ index }) => index)).toEqual([0, 1]);
  });

  it('of another tool: inputs differ', () => {
    const seen = new Seen(turnOf([use('a', 'read'), use('a', 'other')], [read, safeTool('other', () => 1)]));
    expect(eventsOf(seen.values, 'anomaly')[0]?.message).toMatch(/another input/);
  });

  it('while the first still runs', () => {
    const source = new Subject<ToolUse>();
    const seen = new Seen(source.pipe(executeTools({ tools: [safeTool('slow', () => NEVER)] })));
    source.next(use('a', 'slow'));
    source.next(use('a', 'slow'));
    expect(eventsOf(seen.values, 'started')).toHaveLength(1);
    expect(eventsOf(seen.values, 'anomaly')).toHaveLength(1);
    seen.leave();
  });
});

it.each([undefined, null, {}, { id: 1, name: 'read' }, { id: 'a' }])(
  'what can not be answered is not taken in, and told: %j',
  (rubbish) => {
    const seen = new Seen(turnOf([rubbish as never, use('b', 'read')], [read]));
    expect(codes(seen.values)).toEqual(['b ok']);
    expect(eventsOf(seen.values, 'anomaly').map(({ code }) => code)).toEqual(['invalid_tool_use']);
  },
);

const schemaOf = (validate: () => unknown): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate: validate as never },
});

describe('a schema that answers later', () => {
  it('holds the calls behind it, in their order', async () => {
    const slow = safeTool('slow', (input) => input, { inputSchema: schemaOf(async () => ({ value: 1 })) });
    const seen = new Seen(turnOf([use('a', 'slow'), use('b', 'read')], [slow, read]));
    expect(
      eventsOf(seen.values, 'waiting').map(({ toolUseId, reason, on }) => [toolUseId, reason, on]),
    ).toEqual([
      ['a', 'validation', []],
      ['b', 'validation', ['a']],
    ]);
    await settled();
    expect(codes(seen.values)).toEqual(['a ok', 'b ok']);
  });

  it.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('the directory is down'))],
    ['answers no result', async () => undefined],
    ['answers issues that are none', async () => ({ issues: [null, { message: 1, path: [null] }] })],
  ])('and %s answers its call alone', async (_name, validate) => {
    const unhandled = await unhandledIn(async () => {
      const bad = safeTool('bad', () => 1, { inputSchema: schemaOf(validate) });
      const seen = new Seen(turnOf([use('a', 'bad'), use('b', 'read')], [bad, read]));
      await settled();
      expect(codes(seen.values)).toEqual(['a invalid_input', 'b ok']);
      expect(seen.ended).toBe('completed');
    });
    expect(unhandled).toEqual([]);
  });

  it('through a thenable whose `then` throws answers its call alone', async () => {
    const bad = safeTool('bad', () => 1, {
      inputSchema: schemaOf(() => ({
        then: () => {
          throw new Error('no promise after all');
        },
      })),
    });
    const seen = new Seen(turnOf([use('a', 'bad'), use('b', 'read')], [bad, read]));
    await settled();
    expect(codes(seen.values)).toEqual(['a invalid_input', 'b ok']);
  });

  it('with a result that can not be read answers its call alone', async () => {
    const trap = Object.defineProperty({}, 'issues', {
      get: () => {
        throw new Error('a trap');
      },
    });
    const unhandled = await unhandledIn(async () => {
      const bad = safeTool('bad', () => 1, { inputSchema: schemaOf(async () => trap) });
      const seen = new Seen(turnOf([use('a', 'bad'), use('b', 'read')], [bad, read]));
      await settled();
      expect(codes(seen.values)).toEqual(['a invalid_input', 'b ok']);
    });
    expect(unhandled).toEqual([]);
  });
});

describe('an input that a tool changes', () => {
  const change = (input: never): string => {
    const { inner } = input as { readonly inner: { at: number } };
    inner.at = 2;
    return 'done';
  };

  it.each<[string, StandardSchema]>([
    ['any()', z.object({ inner: z.any() })],
    ['a loose object', z.looseObject({})],
    ['a record', z.record(z.string(), z.unknown())],
    ['a foreign schema', anything],
    ['an asynchronous check', z.object({ inner: z.any() }).refine(async () => true)],
  ])('leaves what the model wrote alone: %s', async (_name, inputSchema) => {
    const written = { inner: { at: 1 } };
    const seen = new Seen(turnOf([use('a', 'tool', written)], [unsafeTool('tool', change, { inputSchema })]));
    await settled();
    expect(codes(seen.values)).toEqual(['a ok']);
    expect(written).toEqual({ inner: { at: 1 } });
    expect(eventsOf(seen.values, 'queued')[0]?.toolUse.input).toEqual({ inner: { at: 1 } });
  });

  it('in a check is refused: what was checked is what runs', () => {
    const got: unknown[] = [];
    const tool = unsafeTool('tool', (input) => got.push(input), { validateInput: (input) => change(input) });
    const seen = new Seen(turnOf([use('a', 'tool', { inner: { at: 1 } })], [tool]));
    expect(codes(seen.values)).toEqual(['a infrastructure']);
    expect(textOf(seen.values, 'a')).toMatch(
      /validateInput failed: Cannot assign to read only property 'at'/,
    );
    expect(got).toEqual([]);
  });

  it('is copied also where it is nested deeper than the stack reaches', () => {
    let deep: unknown = 0;
    for (let i = 0; i < 100_000; i++) deep = { deep };
    const tool = safeTool('tool', () => 'done', { validateInput: () => undefined });
    expect(codes(new Seen(turnOf([use('a', 'tool', deep)], [tool])).values)).toEqual(['a ok']);
  });

  it('keeps a member named __proto__', () => {
    const got: unknown[] = [];
    const written: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    new Seen(turnOf([use('a', 'tool', written)], [safeTool('tool', (input) => got.push(input))]));
    expect(JSON.stringify(got)).toBe('[{"__proto__":{"admin":true}}]');
    expect((got[0] as { readonly admin?: unknown }).admin).toBeUndefined();
  });
});

describe('a check that never answers', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it.each<[string, Partial<Tool>, RegExp]>([
    ['schema', { inputSchema: schemaThat(never) }, /its schema has not answered within 50 ms/],
    ['validateInput', { validateInput: never }, /its validateInput has not answered within 50 ms/],
  ])(
    '%s: the call ends after the limit of the turn, and the ones behind it go on',
    (_name, members, text) => {
      const scheduler = new VirtualTimeScheduler();
      let called = 0;
      const stuck = unsafeTool('stuck', () => called++, members);
      const options = { scheduler, timeoutMs: 50 };
      const seen = new Seen(turnOf([use('a', 'stuck'), use('b', 'read')], [stuck, read], options));
      expect(codes(seen.values)).toEqual([]);
      scheduler.flush();
      expect(codes(seen.values)).toEqual(['a infrastructure', 'b ok']);
      expect(textOf(seen.values, 'a')).toMatch(text);
      expect(outcomeOf(seen.values, 'a').executed).toBe('no');
      expect([seen.ended, called, scheduler.frame]).toEqual(['completed', 0, 50]);
    },
  );
});

describe('a fault that is none', () => {
  it.each([{}, null, { code: 'cut_off' }, { code: 1, text: 2 }])(
    '%j: the call is answered, not run',
    (fault) => {
      const faulty = { ...use('a', 'read'), fault } as unknown as ToolUse;
      const seen = new Seen(turnOf([faulty], [read]));
      expect(codes(seen.values)).toEqual(['a invalid_json']);
      expect(textOf(seen.values, 'a')).not.toMatch(/undefined|null/);
    },
  );
});

it('says once that the start rule holds a call', () => {
  const source = new Subject<ToolUse>();
  const seen = new Seen(source.pipe(executeTools({ tools: [read], start: 'after-message' })));
  for (const id of ['a', 'b']) source.next(use(id, 'read'));
  expect(eventsOf(seen.values, 'waiting').map((event) => `${event.toolUseId} ${event.reason}`)).toEqual([
    'a message',
    'b message',
  ]);
});

it('does not repeat a name that is a megabyte long', () => {
  const seen = new Seen(turnOf([use('a', 'x'.repeat(1_000_000))], [read]));
  expect(textOf(seen.values, 'a').length).toBeLessThan(1_000);
});
