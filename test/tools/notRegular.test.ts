import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRegularFile, readRegularFile } from '../../src/tools/files/regularFile.js';
import { edit, glob, grep, read, write } from '../../src/tools/index.js';
import { temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

/** A folder with a pipe nobody writes to, a socket, and links to both and to a device. */
const folderOfOthers = async (): Promise<string> => {
  const cwd = temporaryFolder();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const server = createServer().listen(join(cwd, 'socket'));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  symlinkSync('pipe', join(cwd, 'link'));
  symlinkSync('/dev/zero', join(cwd, 'device'));
  return cwd;
};
const others = ['pipe', 'socket', 'link', 'device', '/dev/zero', '/dev/null'];

describe('a path that is no regular file', () => {
  it.each(others)('is refused at once by every tool: %s', async (path) => {
    const cwd = await folderOfOthers();
    const ends = await Promise.all([
      callTool(read({ cwd }), { file_path: path }),
      callTool(edit({ cwd }), { file_path: path, old_string: 'a', new_string: 'b' }),
      callTool(write({ cwd }), { file_path: path, content: 'a' }),
      callTool(grep({ cwd }), { pattern: 'a', path }),
      callTool(glob({ cwd }), { pattern: '*', path }),
    ]);
    for (const { failure } of ends) expect(failure?.message).toContain('a device, a pipe or a socket');
  });

  it('is left out of what is found in its folder', async () => {
    const cwd = await folderOfOthers();
    writeFileSync(join(cwd, 'file'), 'a\n');
    expect((await callTool(glob({ cwd }), { pattern: '**' })).text).toBe('file');
    expect((await callTool(glob({ cwd }), { pattern: 'pipe' })).text).toBe('No files found.');
    expect((await callTool(grep({ cwd }), { pattern: '.' })).text).toBe('file');
  });

  it('does not hang a search as its ignore file, in the folder or above it', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'in'));
    writeFileSync(join(cwd, 'in/file'), 'a\n');
    execFileSync('mkfifo', [join(cwd, '.gitignore'), join(cwd, 'in/.gitignore')]);
    expect((await callTool(glob({ cwd }), { pattern: '**' })).text).toBe('in/file');
    expect((await callTool(grep({ cwd }), { pattern: 'a', path: 'in' })).text).toBe('in/file');
  });

  it('is noticed when it took the place of a file after a first look', async () => {
    const cwd = await folderOfOthers();
    expect(await openRegularFile(join(cwd, 'pipe'))).toBeUndefined();
    expect(await readRegularFile(join(cwd, 'device'), 10)).toBe('not-regular');
    expect(lstatSync(join(cwd, 'pipe')).isFIFO()).toBe(true);
  });

  it('is told from a folder that is a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), '');
    const { failure } = await callTool(glob({ cwd }), { pattern: '*', path: 'file' });
    expect(failure?.message).toContain('is a file, not a folder');
  });
});

describe('readRegularFile', () => {
  it('reads a file that says it is empty, and counts what it reads', async () => {
    const text = await readRegularFile('/proc/self/status', 1_000_000);
    expect(String(text)).toContain('Name:');
    expect(await readRegularFile('/proc/self/status', 10)).toBe('large');
  });

  it('reads to the end, and stops when asked to', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'x'.repeat(2_500_000));
    expect(await readRegularFile(path, 2_500_000)).toHaveLength(2_500_000);
    expect(await readRegularFile(path, 2_499_999)).toBe('large');
    await expect(readRegularFile(path, 3_000_000, AbortSignal.abort())).rejects.toMatchObject({
      code: 'ABORT_ERR',
    });
  });
});
