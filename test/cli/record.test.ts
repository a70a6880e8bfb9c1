import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../../marbles/record/readRecording.js';
import { bash, collect, commandLine, eventsOf, millrace, replyFile, replyText, root } from './command.js';

describe('millrace run --record', () => {
  it('records the same events, for the user alone, and draws them again', async () => {
    const { path, folder } = replyFile(replyText([bash('echo 1')]));
    const record = join(folder, 'run.jsonl');
    const args = ['run', path, '--cwd', folder, '--record', record, '--json'];
    await millrace(args);
    const { stdout } = await millrace(args);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    const recording = readRecording(readFileSync(record, 'utf8'));
    expect(recording.events).toEqual(eventsOf(stdout));
    expect(recording).toMatchObject({ cut: false, header: { run: 'reply', limit: 10 } });
    const drawn = await millrace(['draw', record, '--ascii', '--width', '80']);
    expect(drawn.stdout).toMatch(/^run reply {2}1 call .*\n[\s\S]* {3}1 Bash echo 1.*\|/);
  });

  it('leaves a file alone that is no recording, and says so when it can not write', async () => {
    const text = replyText([bash('touch ran')]);
    const { path, folder } = replyFile(text);
    const record = async (file: string) => millrace(['run', path, '--cwd', folder, '--record', file]);
    expect(await record(path)).toMatchObject({ code: 2, stderr: expect.stringContaining('is no recording') });
    expect(readFileSync(path, 'utf8')).toBe(text);
    const none = await record(join(folder, 'none/run.jsonl'));
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('run.jsonl: not found') });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('runs on when the disk is full, and what was recorded is whole', async () => {
    const { path, folder } = replyFile(replyText([bash('echo 1'), bash('echo 2'), bash('echo 3')]));
    const record = join(folder, 'run.jsonl');
    const line = [...commandLine, 'run', path, '--cwd', folder, '--record', record].join(' ');
    // A limit on the size of files stands for a full disk: a part of a line is written, then no more.
    const child = spawn('/bin/bash', ['-c', `ulimit -f 2; exec ${line}`], { cwd: root });
    const { code, stdout, stderr } = await collect(child);
    expect(stderr).toMatch(/can't record to .*run\.jsonl: .*; the run goes on without/);
    expect(code).toBe(1);
    expect(stdout).toMatch(/#3 Bash +completed +ok/);
    const text = readFileSync(record, 'utf8');
    expect(text.length).toBeLessThanOrEqual(2048);
    expect(readRecording(text)).toMatchObject({ cut: false });
    expect(text.endsWith('}\n')).toBe(true);
  });
});
