import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { readRules } from '../../src/tools/search/gitignoreRules.js';
import { IgnoreRules } from '../../src/tools/search/ignoreRules.js';
import { TimeSlice } from '../../src/tools/search/timeSlice.js';
import { temporaryFolder } from '../node/processes.js';

const slice = () => new TimeSlice(new AbortController().signal);
const rulesOf = async (text: string): Promise<IgnoreRules> => {
  const rules = await readRules(text, slice());
  return new IgnoreRules([{ folder: '/r', rules: rules ?? [] }]);
};
/** Asks as a walk does: of each folder on the way, until one is left out. */
const ignores = (rules: IgnoreRules, path: string): boolean => {
  const names = path.replace(/\/$/, '').split('/');
  return names.some((_, index) => {
    const isFolder = index < names.length - 1 || path.endsWith('/');
    return rules.ignores(join('/r', ...names.slice(0, index + 1)), isFolder);
  });
};

describe('the rules of an ignore file', () => {
  it.each([
    ['dist/', ['dist/', 'dist/a', 'a/dist/b'], ['dist', 'dist2/a']],
    ['/a', ['a', 'a/b'], ['b/a']],
    ['a/b', ['a/b', 'a/b/c'], ['c/a/b']],
    ['*.log\n!keep.log', ['x.log', 'a/x.log'], ['keep.log', 'a/keep.log', 'log']],
    ['a/*\n!a/b', ['a/c'], ['a/b', 'a/']],
    ['a/**', ['a/b', 'a/b/c'], ['a/']],
    ['**/a/b', ['a/b', 'x/a/b'], ['ab']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['a/xb']],
    ['# a\n\n\\#b\n\\!c', ['#b', '!c'], ['a', '# a']],
    ['a  \nb\\ \r', ['a', 'b '], ['a  ', 'b']],
    ['*.[oa]', ['x.o', 'x.a'], ['x.c']],
    ['{a,b}', ['{a,b}'], ['a']],
    ['a[', [], ['a[', 'a']],
    ['a\\', [], ['a', 'a\\']],
    ['\uFEFFa', ['a'], []],
    ['A', ['A'], ['a']],
  ])('%j', async (text, yes, no) => {
    const rules = await rulesOf(text);
    expect(yes.filter((path) => !ignores(rules, path))).toEqual([]);
    expect(no.filter((path) => ignores(rules, path))).toEqual([]);
  });

  it('agree with the package `ignore` about common ones', async () => {
    const part = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[!a]', '\\*'), {
      minLength: 1,
      maxLength: 3,
    });
    const parts = fc.oneof(
      { weight: 4, arbitrary: part.map((all) => all.join('').replace(/(?<!\\)\*+(?=\*)/g, '')) },
      fc.constant('**'),
    );
    const line = fc
      .tuple(
        fc.constantFrom('', '!', '/'),
        fc.array(parts, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/'),
      )
      .map(([before, all, after]) => before + all.join('/') + after)
      .filter((text) => !/\*\*\/\*\*|\\\*\*|\.\./.test(text));
    const name = fc
      .string({ unit: fc.constantFrom('a', 'b', '.', '*'), minLength: 1, maxLength: 3 })
      .filter((text) => !/^\.+$/.test(text));
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), path, async (lines, file) => {
        const text = lines.join('\n');
        const theirs = ignore({ ignorecase: false, allowRelativePaths: true }).add(text);
        expect(ignores(await rulesOf(text), file)).toBe(theirs.ignores(file));
      }),
      { numRuns: 3000 },
    );
  });

  it('are the nearest file, then those above it, and none above the top', async () => {
    const cwd = temporaryFolder();
    const files = { '.gitignore': 'x\n', 'top/.gitignore': '*.a\n', 'top/in/.gitignore': '!k.a\n' };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    const top = join(cwd, 'top');
    const above = await IgnoreRules.above(join(top, 'in'), top, slice());
    const rules = await above.within(join(top, 'in'), slice());
    const ask = (name: string) => rules.ignores(join(top, 'in', name), false);
    expect([ask('b.a'), ask('k.a'), ask('x')]).toEqual([true, false, false]);
  });
});

describe('an ignore file that a stranger wrote', () => {
  it.each([
    ['stars', `${'*a'.repeat(100)}b`, `${'a'.repeat(250)}`],
    ['folders', `${'**/a/'.repeat(100)}b`, 'a/'.repeat(1000)],
    ['spaces', `x${' '.repeat(500_000)}y`, 'x'],
    ['backslashes', `${'\\'.repeat(500_001)} `, 'x'],
    ['a long line', '*a'.repeat(250_000), 'x'],
    ['many lines', `${'*a*b*c\n'.repeat(100_000)}`, 'x'],
    ['many lines of stars', `${'*a'.repeat(100)}b\n`.repeat(2000), 'a'.repeat(250)],
  ])('costs no more than it may: %s', async (_, text, path) => {
    const begun = performance.now();
    const rules = await rulesOf(text);
    rules.ignores(join('/r', path), false);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('does not hold beyond its limits, where it would leave out more', async () => {
    const rules = await rulesOf(`first\n${'x\n'.repeat(5000)}last\n`);
    expect([ignores(rules, 'first'), ignores(rules, 'x'), ignores(rules, 'last')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is not read on after a stop', async () => {
    const stopped = new TimeSlice(AbortSignal.abort());
    expect(await readRules('*a*b?c\n'.repeat(100_000), stopped)).toBeUndefined();
  });
});
