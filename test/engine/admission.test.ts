import { NEVER, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { executeTools, type StandardSchema, type ToolUse } from '../../src/index.js';
import { settled, unhandledIn } from '../interop/receiver.js';
import { codes, eventsOf, Seen, safeTool, turnOf, use } from './turns.js';

const read = safeTool('read', () => 'done');

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
