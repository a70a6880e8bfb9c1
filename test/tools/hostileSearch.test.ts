import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/contract/index.js';
import { edit, glob, grep, read } from '../../src/tools/index.js';
import { linearPattern } from '../../src/tools/search/linearPattern.js';
import { sortedInTurns } from '../../src/tools/search/sortedInTurns.js';
import { TimeSlice } from '../../src/tools/search/timeSlice.js';
import { temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const folderWith = (files: Record<string, string>): string => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};

/** Longest time the event loop was held up while some work went on, in milliseconds. */
const longestPause = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await work();
  running = false;
  return longest;
};

// What these take in an engine that backtracks has no end; the limit is for a busy machine.
const SOON = 3000;

describe('a pattern that a backtracking engine never ends', () => {
  const line = `${'a'.repeat(5000)}b`;

  it.each([
    '^(a+)+$',
    '(a|a)*c',
    '(a*)*c',
    '(.*)*c',
    '([a-z]+)*[0-9]',
    `${'a?'.repeat(200)}${'a'.repeat(200)}c`,
  ])('is answered by Grep: %s', async (pattern) => {
    const cwd = folderWith({ file: `${line}\n${'a'.repeat(40)}b\n` });
    const pause = await longestPause(async () => {
      expect((await callTool(grep({ cwd }), { pattern })).text).toBe('No matches found.');
      const ignoringCase = await callTool(grep({ cwd }), { pattern, '-i': true });
      expect(ignoringCase.text).toBe('No matches found.');
    });
    expect(pause).toBeLessThan(SOON);
  });

  it('is answered by Glob, and as the `glob` of Grep', async () => {
    const cwd = folderWith({ ['a'.repeat(250)]: 'x', [`${'a'.repeat(249)}b`]: 'x' });
    const pattern = `${'*a'.repeat(14)}b`;
    const found = `${'a'.repeat(249)}b`;
    expect((await callTool(glob({ cwd }), { pattern })).text).toBe(found);
    expect((await callTool(grep({ cwd }), { pattern: 'x', glob: pattern })).text).toBe(found);
    const doubled = { pattern: `${'*a'.repeat(40)}*c` };
    expect((await callTool(glob({ cwd }), doubled)).text).toBe('No files found.');
  });

  it('is answered in an ignore file', async () => {
    const cwd = folderWith({ '.gitignore': `${'*a'.repeat(40)}c\nleft-out\n`, 'left-out': '' });
    writeFileSync(join(cwd, 'a'.repeat(250)), '');
    expect((await callTool(glob({ cwd }), { pattern: '**' })).text.split('\n')).toEqual([
      '.gitignore',
      'a'.repeat(250),
    ]);
  });

  it('is told in words where a tool does not take it', async () => {
    const cwd = temporaryFolder();
    const search = async (pattern: string) => (await callTool(grep({ cwd }), { pattern })).failure?.message;
    expect(await search('a(?=b)')).toContain('lookahead and lookbehind are not supported');
    expect(await search('(?<!a)b')).toContain('lookahead and lookbehind are not supported');
    expect(await search('(a)\\1')).toContain('back-references are not supported');
    expect(await search('(?<n>a)\\k<n>')).toContain('back-references are not supported');
    expect(await search('a++')).toContain('possessive');
    expect(await search('('.repeat(500) + ')'.repeat(499))).toContain('missing closing');
    expect(await search('x'.repeat(1001))).toContain('longer than 1000 characters');
    expect(await search('a{1000}'.repeat(100))).toContain('Use smaller counts');
    const found = (await callTool(glob({ cwd }), { pattern: '!(a)' })).failure?.message;
    expect(found).toContain('negated group');
    const braces = (await callTool(grep({ cwd }), { pattern: 'a', glob: '{1..1000000}' })).failure?.message;
    expect(braces).toContain('more than 1000 values');
  });
});

describe('a pattern', () => {
  const test = (source: string, text: string, ignoreCase = false): boolean => {
    const pattern = linearPattern(source, ignoreCase);
    if (isFailure(pattern)) throw pattern;
    return pattern.test(text);
  };

  it.each([
    ['a.c', 'a.c', 'b.d'],
    ['interface\\{\\}', 'interface{}', 'interface'],
    ['interface{', 'interface{', 'interface'],
    ['\\bfoo\\b', 'a foo b', 'afoob'],
    ['^\\s*//', '\t // x', 'x //'],
    ['caf\\u00e9|\\u{1F600}', 'café', 'cafe'],
    ['\\\\u00e9', '\\u00e9', 'é'],
    ['(?i)todo', 'ToDo', 'done'],
    ['^.$', '😀', '😀😀'],
    ['(?<year>\\d{4})', '2024', '24'],
    ['a,b', 'xa,by', 'ab'],
  ])('%s', (source, yes, no) => {
    expect([test(source, yes), test(source, no)]).toEqual([true, false]);
  });

  it('finds no half of a character', () => {
    expect([test('\ud83d', '😀'), test('😀', 'a😀')]).toEqual([false, true]);
  });
});

describe('a long search', () => {
  const stopAfter = { stop$: timer(25) };

  it('hears a stop within a file', async () => {
    const cwd = folderWith({ file: 'some line of text\n'.repeat(500_000) });
    const input = { pattern: 'l[a-z]*e.*(x|y)z', '-i': true };
    const begun = performance.now();
    const whole = callTool(grep({ cwd }), input);
    const { failure } = await callTool(grep({ cwd }), input, stopAfter);
    const stopped = performance.now() - begun;
    expect(failure?.message).toContain('asked to stop');
    await whole;
    expect(stopped).toBeLessThan((performance.now() - begun) / 2);
  });

  it('hears a stop while it tells matches, and makes no more of them than are wanted', async () => {
    const cwd = folderWith({ file: 'text\n'.repeat(1_000_000) });
    const input = { pattern: 'text', output_mode: 'content', '-A': 2_000_000 };
    const few = await callTool(grep({ cwd }), { ...input, head_limit: 2 });
    expect(few.output).toMatchObject({ lines: ['file:1:text', 'file:2:text'], more: true });
    const all = await callTool(grep({ cwd }), { ...input, head_limit: 0 }, stopAfter);
    expect(all.failure?.message).toContain('asked to stop');
  });

  it('gives way while it searches, sorts and walks', async () => {
    const cwd = folderWith({ file: `${'x'.repeat(50)}\n`.repeat(150_000) });
    mkdirSync(join(cwd, 'many'));
    for (let n = 0; n < 3000; n++) writeFileSync(join(cwd, 'many', `${(n * 7919) % 3000}`), '');
    let turns = 0;
    const turn = setInterval(() => turns++, 1);
    await callTool(grep({ cwd }), { pattern: 'y[a-z]', '-i': true, path: 'file' });
    const searching = turns;
    await callTool(glob({ cwd }), { pattern: '**' });
    clearInterval(turn);
    expect(searching).toBeGreaterThan(3);
    expect(turns).toBeGreaterThan(searching + 1);
  });

  it('leaves out lines too long for its pattern, says so, and finds plain text in any', async () => {
    const cwd = folderWith({ file: `short match\n${'x'.repeat(3_000_000)} long match\n` });
    const search = async (pattern: string) =>
      (await callTool(grep({ cwd }), { pattern, output_mode: 'count' })).text.split('\n');
    expect(await search('m[a]tch')).toEqual([
      'file:1',
      '[1 line left out: too long for this pattern; search for a plain text]',
    ]);
    expect(await search('match')).toEqual(['file:2']);
  });

  it('leaves nothing open, stopped or not', async () => {
    const cwd = folderWith({ a: 'x\n'.repeat(200_000), b: 'x' });
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const options of [{}, { stopped: true }, { stop$: timer(1) }]) {
      await callTool(grep({ cwd }), { pattern: 'x' }, options);
      await callTool(glob({ cwd }), { pattern: '*' }, options);
      await callTool(read({ cwd }), { file_path: 'a', limit: 1 }, options);
      await callTool(edit({ cwd }), { file_path: 'b', old_string: 'no', new_string: 'y' }, options);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(open()).toBeLessThanOrEqual(before);
  });
});

describe('sortedInTurns', () => {
  it('sorts any number by code unit, and gives up when stopped', async () => {
    const values = Array.from({ length: 20_000 }, (_, n) => ({ name: `${(n * 7919) % 20_000}é` }));
    const sorted = await sortedInTurns(values, new TimeSlice(new AbortController().signal));
    expect(sorted).toEqual([...values].sort((a, b) => (a.name < b.name ? -1 : 1)));
    expect(await sortedInTurns([], new TimeSlice(AbortSignal.abort()))).toEqual([]);
  });
});

describe('an edit that repeats itself', () => {
  it.each([
    ['text', 'x\n'.repeat(1_000_000), `y\n${'x\n'.repeat(50_000)}`],
    ['lines that differ in space', ' x\n'.repeat(500_000), `y\n${'x\n'.repeat(50_000)}`],
  ])('is answered soon: %s', async (_, text, old_string) => {
    const cwd = folderWith({ file: text });
    const pause = await longestPause(async () => {
      const { failure } = await callTool(edit({ cwd }), { file_path: 'file', old_string, new_string: '' });
      expect(failure?.message).toContain('was not found');
    });
    expect(pause).toBeLessThan(SOON);
  });

  it('is refused where it would change too many places', async () => {
    const cwd = folderWith({ file: 'x'.repeat(200_000) });
    const input = { file_path: 'file', old_string: 'x', new_string: 'yy', replace_all: true };
    expect((await callTool(edit({ cwd }), input)).failure?.message).toContain('more than 100000 times');
  });

  it('finds a long text wherever it stands, without overlaps', async () => {
    const part = `${'ab'.repeat(40)}a`;
    const cwd = folderWith({ file: `${'ab'.repeat(10)}${part}b${part}\n` });
    const input = { file_path: 'file', old_string: part, new_string: 'c', replace_all: true };
    expect((await callTool(edit({ cwd }), input)).output?.replacements).toBe(2);
    const missing = await callTool(read({ cwd }), { file_path: 'fil' });
    expect(missing.failure?.message).toContain('Did you mean');
  });
});
