import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesRule, parseRule } from '../../src/permissions/index.js';
import { bash, call, reading } from './calls.js';
import { naiveCommand, naivePathRule } from './naiveMatch.js';

const place = { option: 'rule', cwd: '/p', home: '/h', base: '/b' };
const kinds = fc.constantFrom('allow' as const, 'deny' as const);
const joined = (items: fc.Arbitrary<string>, by: string, maxLength: number) =>
  fc.array(items, { minLength: 1, maxLength }).map((parts) => parts.join(by));

describe('matching agrees with an independent naive matcher', () => {
  it('for commands', () => {
    const content = fc
      .tuple(joined(fc.constantFrom('a', 'b', 'ab', '*', ' ', ' *'), '', 8), fc.constantFrom('', ' *', ':*'))
      .map((parts) => parts.join('').trim())
      .filter((text) => text !== '' && text !== '*');
    const text = joined(fc.constantFrom('a', 'b', 'ab', ' '), '', 10);
    let matched = 0;
    fc.assert(
      fc.property(content, text, kinds, (pattern, command, kind) => {
        const expected = naiveCommand(pattern, command);
        if (expected) matched++;
        expect(matchesRule(parseRule(`Bash(${pattern})`, kind, place), bash(command)) === 'yes').toBe(
          expected,
        );
      }),
      { numRuns: 5_000 },
    );
    expect(matched).toBeGreaterThan(250);
  });

  it('for paths', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'p', '*', 'a*', '*b', '**');
    const pattern = fc
      .tuple(
        fc.constantFrom('', './', '/', '//', '//p/', '~/'),
        joined(name, '/', 4),
        fc.constantFrom('', '/'),
      )
      .map((parts) => parts.join(''))
      .filter((text) => text !== '*');
    const path = fc
      .tuple(fc.constantFrom('/p/', '/', '/b/', '/h/'), joined(fc.constantFrom('a', 'b', 'ab', 'p'), '/', 4))
      .map((parts) => parts.join(''));
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, kinds, (content, each, kind) => {
        const expected = naivePathRule(content, kind, each);
        if (expected) matched++;
        const rule = parseRule(`Read(${content})`, kind, place);
        expect(matchesRule(rule, call('Read', [reading(each)])) === 'yes').toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(matched).toBeGreaterThan(250);
  });
});
