import { describe, expect, it } from 'vitest';
import { findTool, nearestNames, registerTools } from '../../src/call/find.js';
import { safeTool, unsafeTool } from '../engine/turns.js';

const call = (): string => 'done';
const all = (): boolean => true;
const none = (): boolean => false;

const read = safeTool('read', call, { aliases: ['Read', 'cat'] });
const search = safeTool('search_files', call);
const registry = registerTools([read, search]);

describe('a tool is found', () => {
  it('by its primary name', () => {
    expect(findTool(registry, 'read', all)).toBe(read);
  });

  it('by a former name', () => {
    expect(findTool(registry, 'Read', all)).toBe(read);
  });

  it('by a former name also where it is not offered, since an old conversation may use that', () => {
    expect(findTool(registry, 'cat', none)).toBe(read);
  });

  it('by a former name that is the primary one of a tool that is not offered any more', () => {
    const bash2 = unsafeTool('bash2', call, { aliases: ['bash'] });
    const both = registerTools([unsafeTool('bash', call), bash2]);
    expect(findTool(both, 'bash', (name) => name !== 'bash')).toBe(bash2);
    expect(findTool(both, 'bash', all)?.name).toBe('bash');
  });
});

describe('a tool is not found', () => {
  it('by its primary name where it is not offered', () => {
    expect(findTool(registry, 'read', none)).toBeUndefined();
    expect(findTool(registry, 'read', (name) => name !== 'read')).toBeUndefined();
  });

  it('by its primary name where it is not offered, though it has that as an alias too', () => {
    const odd = registerTools([safeTool('odd', call, { aliases: ['odd'] })]);
    expect(findTool(odd, 'odd', none)).toBeUndefined();
  });

  it.each([
    'serch_files',
    'READ',
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    '',
    ' read',
    're ad\u0000',
  ])('by %j (B53)', (name) => {
    expect(findTool(registry, name, all)).toBeUndefined();
  });
});

describe('registration refuses what can not be meant', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'two tools of a name',
      () => registerTools([read, safeTool('read', call)]),
      /tools\[1\].*a tool of a new name.*"read"/,
    ],
    [
      'two tools of an alias',
      () => registerTools([read, safeTool('x', call, { aliases: ['cat'] })]),
      /aliases.*"cat"/,
    ],
    ['a key that is not the name', () => registerTools({ other: read }), /tools\.other.*"other".*"read"/],
    ['no tool', () => registerTools({ x: undefined as never }), /tools\.x/],
    ['no tools', () => registerTools(undefined as never), /`tools`.*a plain object or a list/],
    [
      'a Map, which would offer nothing',
      () => registerTools(new Map() as never),
      /`tools`.*got an object \(Map\)/,
    ],
    [
      'a kind that is none',
      () => registerTools([{ ...safeTool('x', call), kind: 'disk' as never }]),
      /kind.*one of shell/,
    ],
    [
      'a member that is no function',
      () => registerTools([{ ...safeTool('x', call), mapResult: 1 as never }]),
      /mapResult.*a function/,
    ],
    [
      'a policy of no attempts',
      () => registerTools([{ ...safeTool('x', call), retry: { maxAttempts: 0 } }]),
      /retry\.maxAttempts.*integer from 1 up, got 0/,
    ],
    [
      'a back-off that shrinks',
      () =>
        registerTools([
          {
            ...safeTool('x', call),
            retry: { maxAttempts: 2, backoff: { initialMs: 1, factor: 0.5, maxMs: 1, jitter: 0 } },
          },
        ]),
      /backoff\.factor/,
    ],
    ['a tool without a schema', () => registerTools([{ name: 'x', call } as never]), /x.*inputSchema/],
  ])('%s', (_name, register, message) => {
    expect(register).toThrow(message);
  });

  it('of a tool that is called like a member of every object it makes an ordinary tool', () => {
    const odd = registerTools([safeTool('constructor', call)]);
    expect(findTool(odd, 'constructor', all)?.name).toBe('constructor');
  });
});

describe('the nearest names', () => {
  const names = ['read', 'write', 'search_files', 'search_text', 'web_fetch'];

  it.each<[string, readonly string[]]>([
    ['serch_files', ['search_files']],
    ['Read', ['read']],
    ['wirte', ['write']],
    ['constructor', []],
    ['zzzzzzzzzzzzzzzzzz', []],
  ])('of %j are %j', (name, expected) => {
    expect(nearestNames(name, names)).toEqual(expected);
  });

  it('are at most three, the nearest first', () => {
    expect(nearestNames('tool0', ['tool', 'tool1', 'tool2', 'tool3', 'tool0x'])).toHaveLength(3);
  });

  it('cost no more for a name as long as a book', () => {
    expect(nearestNames('x'.repeat(1_000_000), names)).toEqual([]);
  });
});
