import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bash, millrace, replyFile, replyText } from './command.js';

describe('millrace, used wrongly', () => {
  it('names the file and the line that is no event, before anything is run', async () => {
    const reply = replyText([bash('touch ran')]);
    const line = reply.split('\n').findIndex((each) => each.includes('"message_delta"')) + 1;
    const { path, folder } = replyFile(reply.replace(/(data: \{"type":"message_delta".*)\}\n/, '$1\n'));
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`millrace: ${path}, line ${line}: data is no JSON: `);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('says which file or folder it can not use', async () => {
    const { path, folder } = replyFile(replyText([]));
    writeFileSync(join(folder, 'a.jsonl'), '{"type":"queued"}\n');
    const cases = [
      [['run', join(folder, 'none.sse')], `millrace: ${folder}/none.sse: not found\n`],
      [['run', folder], `millrace: ${folder}: it is a folder\n`],
      [['run', path, '--cwd', '/no/such/folder'], 'millrace: --cwd /no/such/folder: no such folder\n'],
      [['run', path, '--cwd', path], `millrace: --cwd ${path}: no such folder\n`],
      [['draw', join(folder, 'a.jsonl')], expect.stringContaining('a.jsonl, line 1: no recording')],
      [['draw', folder], `millrace: ${folder}: it is a folder\n`],
    ] as const;
    const ends = await Promise.all(cases.map(([args]) => millrace(args)));
    expect(ends).toMatchObject(cases.map(([, stderr]) => ({ code: 2, stdout: '', stderr })));
  });

  it('refuses options it does not know or can not mean, without a stack', async () => {
    const { path } = replyFile(replyText([]));
    const cases = [
      ['run'],
      ['run', path, '--pace', '0'],
      ['run', path, '--pace', 'slow'],
      ['run', path, '--width', '39'],
      ['run', path, '--nope'],
      ['run', path, 'another'],
      ['nope'],
      [],
    ];
    for (const { code, stdout, stderr } of await Promise.all(cases.map((args) => millrace(args)))) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toBe('');
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('is helped and named without an error', async () => {
    const [help, version] = await Promise.all([millrace(['run', '--help']), millrace(['--version'])]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--record <file>') });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});
