import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { edit, read, write } from '../../src/tools/index.js';
import { temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const folderWith = (files: Record<string, string | Uint8Array>): string => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
};
const bytes = (cwd: string, name: string): string => readFileSync(join(cwd, name), 'utf8');

describe('Read', () => {
  const readIn = (cwd: string, input: { file_path: string; offset?: number; limit?: number }) =>
    callTool(read({ cwd }), input);

  it('numbers the lines, and starts no further one after the last line end', async () => {
    const cwd = folderWith({ a: 'one\n\nthree\n', b: 'no end' });
    expect((await readIn(cwd, { file_path: 'a' })).text).toBe('     1\tone\n     2\t\n     3\tthree');
    expect((await readIn(cwd, { file_path: join(cwd, 'b') })).text).toBe('     1\tno end');
  });

  it('shows line ends of Windows and a byte order mark as neither', async () => {
    const cwd = folderWith({ a: '\uFEFFone\r\ntwo\r\n' });
    expect((await readIn(cwd, { file_path: 'a' })).text).toBe('     1\tone\n     2\ttwo');
  });

  it('reads a part, and says where to go on', async () => {
    const cwd = folderWith({ a: Array.from({ length: 5000 }, (_, i) => `line ${i + 1}\n`).join('') });
    const part = await readIn(cwd, { file_path: 'a', offset: 10, limit: 2 });
    expect(part.text).toBe(
      '    10\tline 10\n    11\tline 11\n[the file goes on; read further with offset 12]',
    );
    const whole = await readIn(cwd, { file_path: 'a' });
    expect(whole.output).toMatchObject({ firstLine: 1, lineCount: 2000, more: true });
    const last = await readIn(cwd, { file_path: 'a', offset: 4999 });
    expect(last.output).toMatchObject({ lineCount: 2, more: false });
  });

  it('says how many lines there are where the part is after the end', async () => {
    const cwd = folderWith({ a: 'one\ntwo\n' });
    expect((await readIn(cwd, { file_path: 'a', offset: 3 })).failure?.message).toContain('has only 2 lines');
  });

  it('cuts a long line with a note, and never in the middle of a character', async () => {
    const cwd = folderWith({ a: `${'x'.repeat(1999)}😀${'y'.repeat(300_000)}\nnext\n` });
    const { text } = await readIn(cwd, { file_path: 'a' });
    expect(text).toBe(`     1\t${'x'.repeat(1999)} [line cut at 2000 characters]\n     2\tnext`);
  });

  it('keeps a character whole that two chunks of the file share', async () => {
    const cwd = folderWith({ a: `${'x\n'.repeat(32_767)}x€€\n` });
    expect((await readIn(cwd, { file_path: 'a', offset: 32_768 })).text).toBe(' 32768\tx€€');
  });

  it('bounds the whole text too', async () => {
    const cwd = folderWith({ a: `${'x'.repeat(1500)}\n`.repeat(1000) });
    const { output } = await readIn(cwd, { file_path: 'a' });
    expect(output?.lineCount).toBe(66);
    expect(output?.text).toContain('offset 67]');
  });

  it('says that an empty file is empty', async () => {
    expect((await readIn(folderWith({ a: '' }), { file_path: 'a' })).text).toBe('[the file is empty]');
  });

  it('names what is near a file that is missing', async () => {
    const cwd = folderWith({ 'cart.ts': '', 'card.js': '', 'README.md': '' });
    const { failure } = await readIn(cwd, { file_path: 'cart.js' });
    expect(failure?.message).toBe(
      `File does not exist: ${join(cwd, 'cart.js')}. Did you mean ${join(cwd, 'card.js')}, ${join(cwd, 'cart.ts')}?`,
    );
    expect((await readIn(cwd, { file_path: 'no/such/file' })).failure?.message).toContain(
      'folder does not exist',
    );
  });

  it('refuses a binary file, and a directory', async () => {
    const cwd = folderWith({ a: new Uint8Array([137, 80, 0, 1]) });
    expect((await readIn(cwd, { file_path: 'a' })).failure?.message).toContain('binary');
    expect((await readIn(cwd, { file_path: '.' })).failure?.message).toContain('is a directory');
    expect((await readIn(cwd, { file_path: 'a/b' })).failure?.message).toContain(
      'is a file, not a directory',
    );
    expect((await readIn(cwd, { file_path: 'a\0' })).failure?.message).toContain('NUL');
  });
});

describe('Write', () => {
  it('creates a file and its folders, then overwrites it, and says which', async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, 'x/y/a.txt');
    const first = await callTool(write({ cwd }), { file_path: 'x/y/a.txt', content: 'one\ntwo\n' });
    expect(first.text).toBe(`Created ${path} (2 lines).`);
    const second = await callTool(write({ cwd }), { file_path: path, content: 'one' });
    expect(second.text).toBe(`Overwrote ${path} (1 line).`);
    expect(bytes(cwd, 'x/y/a.txt')).toBe('one');
    expect(readdirSync(join(cwd, 'x/y'))).toEqual(['a.txt']);
  });

  it('keeps permissions, and writes through a symbolic link', async () => {
    const cwd = folderWith({ 'run.sh': 'old' });
    chmodSync(join(cwd, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(cwd, 'link'));
    await callTool(write({ cwd }), { file_path: 'link', content: 'new' });
    expect(bytes(cwd, 'run.sh')).toBe('new');
    expect(statSync(join(cwd, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('creates what a symbolic link leads to, also by way of other links and folders', async () => {
    const cwd = temporaryFolder();
    symlinkSync('second', join(cwd, 'first'));
    symlinkSync('new/file', join(cwd, 'second'));
    const { text } = await callTool(write({ cwd }), { file_path: 'first', content: 'x' });
    expect(text).toContain('Created');
    expect(bytes(cwd, 'new/file')).toBe('x');
    expect([readlinkSync(join(cwd, 'first')), readlinkSync(join(cwd, 'second'))]).toEqual([
      'second',
      'new/file',
    ]);
    symlinkSync('round', join(cwd, 'round'));
    const round = await callTool(write({ cwd }), { file_path: 'round', content: 'x' });
    expect(round.failure?.message).toContain('round in a circle');
  });

  it('changes a file of several names in all of them', async () => {
    const cwd = folderWith({ a: 'a longer old text' });
    linkSync(join(cwd, 'a'), join(cwd, 'b'));
    await callTool(write({ cwd }), { file_path: 'a', content: 'new' });
    expect([bytes(cwd, 'a'), bytes(cwd, 'b'), readdirSync(cwd)]).toEqual(['new', 'new', ['a', 'b']]);
  });

  it.runIf(process.getuid?.() === 0)(
    'keeps owner, group and permissions of a file it may give away',
    async () => {
      const cwd = folderWith({ a: 'old' });
      chownSync(join(cwd, 'a'), 1234, 2345);
      chmodSync(join(cwd, 'a'), 0o640);
      await callTool(write({ cwd }), { file_path: 'a', content: 'new' });
      await callTool(edit({ cwd }), { file_path: 'a', old_string: 'new', new_string: 'newer' });
      const { uid, gid, mode } = statSync(join(cwd, 'a'));
      expect([bytes(cwd, 'a'), uid, gid, mode & 0o777]).toEqual(['newer', 1234, 2345, 0o640]);
    },
  );

  it.skipIf(process.getuid?.() === 0)('overwrites a file where its folder takes no other', async () => {
    const cwd = folderWith({ a: 'old' });
    chmodSync(cwd, 0o555);
    onTestFinished(() => chmodSync(cwd, 0o755));
    await callTool(write({ cwd }), { file_path: 'a', content: 'new' });
    expect(bytes(cwd, 'a')).toBe('new');
  });

  it('leaves the file as it was when stopped', async () => {
    const cwd = folderWith({ a: 'old' });
    const { failure } = await callTool(write({ cwd }), { file_path: 'a', content: 'new' }, { stopped: true });
    expect(failure?.message).toContain('as it was');
    expect([bytes(cwd, 'a'), readdirSync(cwd)]).toEqual(['old', ['a']]);
    await callTool(write({ cwd }), { file_path: 'new/b', content: '' }, { stopped: true });
    expect(readdirSync(cwd)).toEqual(['a']);
  });

  it('says in words why a file cannot be written', async () => {
    const cwd = folderWith({ a: '' });
    mkdirSync(join(cwd, 'dir'));
    const text = async (file_path: string) =>
      (await callTool(write({ cwd }), { file_path, content: '' })).failure?.message;
    expect(await text('dir')).toContain('is a directory');
    expect(await text('a/b')).toContain('is a file, not a directory');
    expect(await text('x'.repeat(300))).toContain('the name is too long');
    expect(await text('/proc/millrace')).toMatch(/Could not write \/proc\/millrace: \w/);
  });

  it.skipIf(process.getuid?.() === 0)('does not get round the protection of a file', async () => {
    const cwd = folderWith({ a: 'old' });
    chmodSync(join(cwd, 'a'), 0o444);
    const { failure } = await callTool(write({ cwd }), { file_path: 'a', content: 'new' });
    expect(failure?.message).toContain('permission denied');
  });
});

describe('Edit', () => {
  const editIn = (cwd: string, old_string: string, new_string: string, replace_all?: boolean) =>
    callTool(edit({ cwd }), {
      file_path: 'a',
      old_string,
      new_string,
      ...(replace_all === undefined ? {} : { replace_all }),
    });

  it('replaces one text literally, and shows the lines around it', async () => {
    const cwd = folderWith({ a: '1\n2\n3\nfour\n5\n6\n7\n' });
    const { text } = await editIn(cwd, 'four', "$& $1 $'\n4b");
    expect(bytes(cwd, 'a')).toBe("1\n2\n3\n$& $1 $'\n4b\n5\n6\n7\n");
    expect(text).toBe(
      `Edited ${join(cwd, 'a')}: 1 replacement.\n     2\t2\n     3\t3\n     4\t$& $1 $'\n     5\t4b\n     6\t5\n     7\t6`,
    );
  });

  it('replaces all, and shows stretches that are apart as such', async () => {
    const cwd = folderWith({ a: `x\n${'-\n'.repeat(8)}x x\n` });
    const { text, output } = await editIn(cwd, 'x', 'yy', true);
    expect(bytes(cwd, 'a')).toBe(`yy\n${'-\n'.repeat(8)}yy yy\n`);
    expect(output?.replacements).toBe(3);
    expect(text.split('\n').slice(1)).toEqual([
      ...['     1\tyy', '     2\t-', '     3\t-', '   ...'],
      ...['     8\t-', '     9\t-', '    10\tyy yy'],
    ]);
  });

  it('keeps line ends of Windows, a byte order mark, and permissions', async () => {
    const cwd = folderWith({ a: '\uFEFFone\r\ntwo\r\nthree\r\n' });
    chmodSync(join(cwd, 'a'), 0o640);
    await editIn(cwd, 'one\ntwo', 'one\n1b\ntwo');
    expect(bytes(cwd, 'a')).toBe('\uFEFFone\r\n1b\r\ntwo\r\nthree\r\n');
    expect(statSync(join(cwd, 'a')).mode & 0o777).toBe(0o640);
  });

  it('takes a file of mixed line ends as it is', async () => {
    const cwd = folderWith({ a: 'one\r\ntwo\nthree\n' });
    await editIn(cwd, 'two\n', 'zwei\n');
    expect(bytes(cwd, 'a')).toBe('one\r\nzwei\nthree\n');
  });

  it.each([
    ['is found several times', 'x', 'y', 'found 3 times in'],
    ['is found several times, by line', 'x', 'y', 'on lines 1, 3, 5'],
    ['is not there', 'nothing', 'y', 'Read the file again'],
    ['differs in space', 'if (a)  {\n  x\n}', 'y', 'white space only from the text at line 2'],
    ['begins alike', 'if (a) {\n  z', 'y', 'Its first line is at line 2, but'],
    ['has line numbers', '     1\tx', 'y', 'line numbers and tabs'],
    ['is empty', '', 'y', 'old_string is empty'],
    ['is the new one', 'x', 'x', 'are equal'],
  ])('helps when the old text %s', async (_, old, replacement, text) => {
    const before = 'x\nif (a) {\n\tx\n}\nx\n';
    const cwd = folderWith({ a: before });
    expect((await editIn(cwd, old, replacement)).failure?.message).toContain(text);
    expect(bytes(cwd, 'a')).toBe(before);
  });

  it('refuses a file it would damage, and one that is missing', async () => {
    const latin1 = folderWith({ a: new Uint8Array([0x78, 0xe9]) });
    expect((await editIn(latin1, 'x', 'y')).failure?.message).toContain('no text in UTF-8');
    expect((await editIn(folderWith({}), 'x', 'y')).failure?.message).toContain('does not exist');
  });

  it('removes text, down to an empty file', async () => {
    const cwd = folderWith({ a: 'x\n' });
    expect((await editIn(cwd, 'x\n', '')).text).toContain('the file is empty now');
    expect(bytes(cwd, 'a')).toBe('');
  });
});
