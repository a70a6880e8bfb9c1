import { describe, expect, it } from 'vitest';
import { readTargets } from '../../src/permissions/index.js';
import { command, editing, host, reading, unparsed } from './calls.js';

const isUnparsed = (answer: unknown): boolean => readTargets(answer).some(({ type }) => type === 'unparsed');

describe('what a tool offers to compare', () => {
  it('is taken as it is where rules can trust it', () => {
    const sudo = { type: 'command', forms: ['sudo x'], isReadOnly: false } as const;
    const targets = [
      command('ls'),
      sudo,
      reading('/a/b', 'C:/x'),
      editing('/'),
      host('example.com'),
      unparsed,
    ];
    expect(readTargets(targets)).toEqual(targets);
    expect(readTargets(undefined)).toEqual([]);
  });

  it.each([
    ['a path that is relative', [reading('a/b')]],
    ['a path with `..`', [reading('/a/../b')]],
    ['a path with `.`', [editing('/a/./b')]],
    ['no path', [editing()]],
    ['a command without forms', [{ ...command('ls'), forms: [] }]],
    ['an unknown kind', [{ type: 'port', port: 80 }]],
    ['an access nobody knows', [{ ...reading('/a'), access: 'append' }]],
    ['no host', [host('')]],
    ['no list', { type: 'host', host: 'a' }],
    ['a hole', [null]],
    [
      'what throws when it is read',
      [
        {
          get type() {
            throw new Error('no');
          },
        },
      ],
    ],
  ])('counts as not looked into where it is %s', (_what, answer) => {
    expect(isUnparsed(answer)).toBe(true);
  });
});
