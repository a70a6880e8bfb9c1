import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/contract/index.js';
import { globPattern } from '../../src/tools/search/globPattern.js';

const matches = (pattern: string, path: string): boolean => {
  const test = globPattern(pattern);
  if (isFailure(test)) throw test;
  return test(path);
};
const refusal = (pattern: string): string | undefined => {
  const test = globPattern(pattern);
  return isFailure(test) ? test.message : undefined;
};

describe('globPattern', () => {
  it.each([
    ['*.ts', ['a.ts', '.ts', '.a.ts'], ['a/b.ts', 'a.tsx']],
    ['**', ['a', 'a/b', '.a/.b'], []],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
    ['**/b', ['b', 'a/b', 'a/c/b'], ['ab', 'a/ab']],
    ['a/**/b', ['a/b', 'a/c/b', 'a/c/d/b'], ['ab', 'a/cb']],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['{src,test}/**/*.{ts,js}', ['src/a.ts', 'test/b/c.js'], ['lib/a.ts', 'src/a.md']],
    ['{a,{b,c}d}e', ['ae', 'bde', 'cde'], ['be', 'ade']],
    ['{**/a,b}', ['a', 'x/a', 'b'], ['x/b']],
    ['{a}', ['{a}'], ['a']],
    ['{a,b', ['{a,b'], ['a']],
    ['a},b', ['a},b'], []],
    ['{8..11}', ['8', '9', '10', '11'], ['7', '1', '12']],
    ['{08..10..2}', ['08', '10'], ['8', '09']],
    ['{c..a}', ['a', 'b', 'c'], ['d']],
    ['[a-c]?', ['ax', 'cy'], ['dx', 'a/', 'a']],
    ['[!a-c]', ['d', '!'], ['a', '/']],
    ['[]x]', [']', 'x'], ['[]x]']],
    ['a[+-9]b', ['a+b', 'a9b'], ['a/b']],
    ['[[:digit:]_]', ['5', '_'], ['a', ':']],
    ['[', ['['], []],
    ['\\*\\{a\\}', ['*{a}'], ['x{a}']],
    ['(a|b)', ['(a|b)'], ['a']],
    ['@(a|b)c', ['ac', 'bc'], ['c', 'abc']],
    ['+(a|b)', ['a', 'abba'], ['', 'c']],
    ['x?(a)*(b)', ['x', 'xa', 'xabb', 'xb'], ['xaa']],
    ['*(', ['(', 'a('], ['a']],
    ['?', ['😀', 'a'], ['', 'ab']],
    ['a.b', ['a.b'], ['axb']],
    ['a\nb*', ['a\nb\n'], ['ab']],
  ])('%s', (pattern, yes, no) => {
    expect(yes.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(no.filter((path) => matches(pattern, path))).toEqual([]);
  });

  it('agrees with picomatch on common patterns', () => {
    const part = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '{a,b}', '[ab]', '{a,b.}'), {
      minLength: 1,
      maxLength: 4,
    });
    const parts = fc.oneof({ weight: 3, arbitrary: part.map((all) => all.join('')) }, fc.constant('**'));
    const patterns = fc
      .array(parts, { minLength: 1, maxLength: 4 })
      // Two stars or dots in a row, and two `**`, mean other things to it; so does a dot before a star where a name
      // ends in a dot, as here none does.
      .map((all) => all.map((each) => (each === '**' ? each : each.replace(/\*+/g, '*'))).join('/'))
      .filter((text) => !/\.\.|\*\*\/\*\*|(^|\/)\.(\/|$)|\*\*$/.test(text));
    const name = fc
      .string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 })
      .filter((text) => !text.endsWith('.'));
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(matches(pattern, path)).toBe(picomatch(pattern, { dot: true, strictSlashes: true })(path));
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses in words what has no end or can not be had in linear time', () => {
    expect(refusal('!(a).ts')).toContain('negated group "!(…)" is not supported');
    expect(refusal('{1..1000000}')).toContain('more than 1000 values');
    expect(refusal('{1..900}{1..900}')).toContain('more than 1000 values');
    expect(refusal('a'.repeat(1001))).toContain('longer than 1000 characters');
  });

  it.each([
    ['many stars', `${'*a'.repeat(300)}b`, 'a'.repeat(4000)],
    ['many folders', `${'**/a/'.repeat(150)}b`, 'a/'.repeat(2000)],
    ['nested repetitions', `${'+(*('.repeat(100)}a${'))'.repeat(100)}`, `${'a'.repeat(4000)}b`],
    ['many choices', `${'{a,b,}'.repeat(160)}c`, 'ab'.repeat(2000)],
    ['a choice within another', `${'{a,'.repeat(250)}b${'}'.repeat(250)}c`, 'ab'],
    ['braces that do not end', '{'.repeat(1000), 'a'],
    ['groups that do not end', '@('.repeat(500), 'a'],
    ['classes that do not end', '[a'.repeat(500), 'a'],
    ['a class that remembers', `*a${'?'.repeat(300)}b`, 'ab'.repeat(2000)],
  ])('answers soon whatever the pattern: %s', (_, pattern, path) => {
    const begun = performance.now();
    const test = globPattern(pattern);
    if (!isFailure(test)) for (let times = 0; times < 3; times++) test(path);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
