import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { glob, grep } from '../../src/tools/index.js';
import { temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const treeWith = (files: Record<string, string>): string => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
};
const project = {
  '.git/config': 'TODO',
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  '.env': 'TODO dot\n',
  'dist/a.js': 'TODO built\n',
  'src/b.js': 'one\n// TODO b\ntwo\nthree\n// todo b2\nfour\n',
  'src/a.js': '// TODO a\n',
  'src/gen/.gitignore': 'out.js\n',
  'src/gen/out.js': 'TODO out\n',
  'src/gen/in.js': 'x\n',
  'x.log': 'TODO log\n',
  'keep.log': 'x\n',
};

describe('Glob', () => {
  const find = async (cwd: string, pattern: string, path?: string) =>
    (await callTool(glob({ cwd }), { pattern, ...(path === undefined ? {} : { path }) })).text.split('\n');

  it.each([
    ['**/*.js', ['src/a.js', 'src/b.js', 'src/gen/in.js']],
    ['*.js', ['No files found.']],
    ['src/*.js', ['src/a.js', 'src/b.js']],
    ['./src/{b,c}.js', ['src/b.js']],
    ['!**/*.js', ['.env', '.gitignore', 'keep.log', 'src/gen/.gitignore']],
    ['src/[a-b].js', ['src/a.js', 'src/b.js']],
    ['src/a.js', ['src/a.js']],
    ['src/no/*.js', ['No files found.']],
    ['s*/', ['src/a.js', 'src/b.js', 'src/gen/.gitignore', 'src/gen/in.js']],
    ['*', ['.env', '.gitignore', 'keep.log']],
    ['src', ['src/a.js', 'src/b.js', 'src/gen/.gitignore', 'src/gen/in.js']],
    ['dist/**', ['dist/a.js']],
  ])('finds by %s, in the order of names, without what is ignored', async (pattern, paths) => {
    expect(await find(treeWith(project), pattern)).toEqual(paths);
  });

  it('searches the folder it is given, with the ignore files above it', async () => {
    const cwd = treeWith({ ...project, 'src/gen/y.log': '' });
    expect(await find(cwd, '*', 'src/gen')).toEqual(['src/gen/.gitignore', 'src/gen/in.js']);
  });

  it('finds links to files, and does not follow links to folders', async () => {
    const cwd = treeWith({ 'a/x.js': '' });
    symlinkSync('x.js', join(cwd, 'a/link.js'));
    symlinkSync('..', join(cwd, 'a/up'));
    symlinkSync('nowhere', join(cwd, 'a/broken.js'));
    expect(await find(cwd, '**/*.js')).toEqual(['a/link.js', 'a/x.js']);
  });

  it('says how many more there are than it tells', async () => {
    const cwd = treeWith(Object.fromEntries(Array.from({ length: 203 }, (_, i) => [`${1000 + i}.txt`, ''])));
    const lines = await find(cwd, '*.txt');
    expect(lines).toHaveLength(201);
    expect(lines.slice(-2)).toEqual(['1199.txt', '[3 more files found; use a narrower pattern or path]']);
  });

  it('fails for a folder that is missing, and stops when asked to', async () => {
    const cwd = treeWith({ 'src/a.js': '' });
    expect(await find(cwd, '*', 'srx')).toEqual([
      expect.stringContaining(`Did you mean ${join(cwd, 'src')}?`),
    ]);
    const stopped = await callTool(glob({ cwd }), { pattern: '**' }, { stopped: true });
    expect(stopped.failure?.message).toContain('asked to stop');
  });
});

describe('Grep', () => {
  const search = async (input: Record<string, unknown>, files: Record<string, string> = project) =>
    (await callTool(grep({ cwd: treeWith(files) }), { pattern: 'TODO', ...input })).text.split('\n');

  it('tells the files that match, without what is ignored', async () => {
    expect(await search({})).toEqual(['.env', 'src/a.js', 'src/b.js']);
  });

  it('tells lines with their numbers, or without', async () => {
    const input = { output_mode: 'content', path: 'src' };
    expect(await search(input)).toEqual(['src/a.js:1:// TODO a', 'src/b.js:2:// TODO b']);
    expect(await search({ ...input, '-n': false })).toEqual(['src/a.js:// TODO a', 'src/b.js:// TODO b']);
  });

  it('counts the lines of each file, ignoring case where asked to', async () => {
    expect(await search({ output_mode: 'count', '-i': true, glob: '*.js' })).toEqual([
      'src/a.js:1',
      'src/b.js:2',
    ]);
  });

  it('shows lines around matches, joined where they touch and marked where not', async () => {
    const b = { output_mode: 'content', path: 'src/b.js', '-i': true };
    expect(await search({ ...b, '-C': 1 })).toEqual([
      ...['src/b.js-1-one', 'src/b.js:2:// TODO b', 'src/b.js-3-two'],
      ...['src/b.js-4-three', 'src/b.js:5:// todo b2', 'src/b.js-6-four'],
    ]);
    expect(await search({ ...b, '-A': 1 })).toEqual([
      ...['src/b.js:2:// TODO b', 'src/b.js-3-two', '--', 'src/b.js:5:// todo b2', 'src/b.js-6-four'],
    ]);
    expect(await search({ ...b, '-B': 1 })).toHaveLength(5);
  });

  it.each([
    ['*.js', ['src/a.js', 'src/b.js']],
    ['src/a*', ['src/a.js']],
    ['!*.js', ['.env']],
    ['*.{md,env}', ['.env']],
  ])('narrows the files by glob %s', async (pattern, files) => {
    expect(await search({ glob: pattern })).toEqual(files);
  });

  it('ends at head_limit and says so, and not where nothing is left', async () => {
    expect(await search({ head_limit: 2 })).toEqual([
      '.env',
      'src/a.js',
      expect.stringContaining('more matches'),
    ]);
    expect(await search({ head_limit: 3 })).toHaveLength(3);
    const many = { a: 'TODO\n'.repeat(300) };
    expect(await search({ output_mode: 'content' }, many)).toHaveLength(251);
    expect(await search({ output_mode: 'content', head_limit: 0 }, many)).toHaveLength(300);
  });

  it('skips binary files, cuts long lines, and reads line ends of Windows', async () => {
    const files = { a: 'TODO\0', b: `TODO${'x'.repeat(600)}`, c: 'a TODO\r\nb\r\n' };
    expect(await search({ pattern: 'TODO(x|$)', output_mode: 'content' }, files)).toEqual([
      `b:1:TODO${'x'.repeat(496)} [line cut at 500 characters]`,
      'c:1:a TODO',
    ]);
  });

  it('counts what it leaves out for its size', async () => {
    expect(await search({}, { a: 'TODO\n'.repeat(2_100_000) })).toEqual([
      'No matches found.',
      expect.stringContaining('1 file or folder left out'),
    ]);
  });

  it('has an output, and no failure, where nothing matches', async () => {
    const { output, text } = await callTool(grep({ cwd: treeWith(project) }), { pattern: 'nowhere' });
    expect(text).toBe('No matches found.');
    expect(output).toEqual({ lines: [], more: false, skipped: 0, untested: 0 });
  });

  it('explains a pattern that is none, and a path that is missing', async () => {
    expect(await search({ pattern: 'a(' })).toEqual(["The pattern can't be used: missing closing ): `a(`."]);
    expect(await search({ path: 'sr' })).toEqual([expect.stringMatching(/Path does not exist.*src\?$/)]);
  });

  it('stops when asked to', async () => {
    const { failure } = await callTool(grep({ cwd: treeWith(project) }), { pattern: 'x' }, { stopped: true });
    expect(failure?.message).toContain('asked to stop');
  });
});
