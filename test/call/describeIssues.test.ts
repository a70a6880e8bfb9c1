import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues } from '../../src/call/describeIssues.js';
import { type ParseResult, parseInput } from '../../src/call/schema.js';
import type { StandardSchema } from '../../src/index.js';

const told = (schema: StandardSchema, input: unknown): readonly string[] => {
  const result = parseInput(schema, input) as ParseResult;
  return describeIssues(result.issues ?? [], input);
};

const ids = z.object({ ids: z.array(z.string()), n: z.number() });

describe('B52: issues tell the model path, what was expected, what came, and a little of it', () => {
  it.each<[unknown, readonly string[]]>([
    [
      { ids: '["a"]', n: '3' },
      [
        '`ids`: Invalid input: expected array, received string "[\\"a\\"]"',
        '`n`: Invalid input: expected number, received string "3"',
      ],
    ],
    [[1], ['the input: Invalid input: expected object, received array [1]']],
    ['x', ['the input: Invalid input: expected object, received string "x"']],
    [null, ['the input: Invalid input: expected object, received null']],
    [{ ids: ['a'] }, ['`n`: Invalid input: expected number, received undefined']],
    [{ ids: ['a', 2], n: 3 }, ['`ids[1]`: Invalid input: expected string, received number 2']],
  ])('%j', (input, lines) => {
    expect(told(ids, input)).toEqual(lines);
  });

  it('names keys that a strict schema does not know', () => {
    const [line] = told(z.strictObject({ ids: z.array(z.string()) }), { ids: ['a'], extra: 1 });
    expect(line).toContain('extra');
    expect(line).toContain('got object {"ids":["a"],"extra":1}');
  });

  it('coerces nothing that the tool did not ask for', () => {
    expect(told(z.object({ yes: z.boolean() }), { yes: 'false' })).toHaveLength(1);
  });

  it('shows at most 80 characters of a value, whole ones', () => {
    const [line = ''] = told(z.number(), `${'a'.repeat(75)}😀${'b'.repeat(100)}`);
    const shown = line.slice(line.indexOf('received string ') + 'received string '.length);
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.endsWith('...')).toBe(true);
  });

  it('shows ten issues, and how many more there are', () => {
    const lines = told(
      z.array(z.string()),
      Array.from({ length: 25 }, (_, n) => n),
    );
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('and 15 more');
  });

  it('reads path steps as the Standard Schema allows them', () => {
    const issue = { message: 'no', path: [{ key: 'a' }, 0, Symbol('s')] };
    expect(describeIssues([issue], { a: [{}] })).toEqual(['`a[0].Symbol(s)`: no']);
  });

  it('takes nothing from prototypes for the value', () => {
    expect(describeIssues([{ message: 'no', path: ['constructor'] }], {})).toEqual(['`constructor`: no']);
  });
});

describe('issues of a foreign schema that are no issues are told as well as can be, never a throw', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'wrong'],
    ['one without a message', {}],
    ['one whose path holds null', { message: 'no', path: [null] }],
    ['one whose path is no list', { message: 'no', path: 'a' }],
    ['one whose message is no text', { message: { de: 'nein' } }],
    [
      'one that can not be read',
      {
        get message() {
          throw new Error('a trap');
        },
      },
    ],
  ])('%s', (_name, issue) => {
    const lines = describeIssues([issue as never], { a: 1 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/\S/);
    expect(lines[0]).not.toContain('undefined');
  });
});
