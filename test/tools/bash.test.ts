import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bash } from '../../src/tools/bash/bash.js';
import { eventually, groupExists, temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const run = (command: string, more: { timeout?: number; killAfterMs?: number } = {}) =>
  callTool(bash({ cwd: temporaryFolder(), killAfterMs: more.killAfterMs ?? 2000 }), {
    command,
    ...(more.timeout === undefined ? {} : { timeout: more.timeout }),
  });
const printed = (progress: readonly unknown[]): string =>
  progress.map((piece) => (piece as { text: string }).text).join('');

describe('Bash', () => {
  it('tells output as it comes, and both streams apart at the end', async () => {
    const { progress, output, text } = await run('echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three');
    expect(progress).toEqual([
      { stream: 'stdout', text: 'one\n' },
      { stream: 'stderr', text: 'two\n' },
      { stream: 'stdout', text: 'three\n' },
    ]);
    expect(output).toEqual({ stdout: 'one\nthree\n', stderr: 'two\n', exitCode: 0, notes: [] });
    expect(text).toBe('one\nthree\n[stderr]\ntwo');
  });

  it('says so when a command prints nothing', async () => {
    expect((await run('true')).text).toBe('[no output]');
  });

  it('runs in its working directory', async () => {
    const cwd = temporaryFolder();
    expect((await callTool(bash({ cwd }), { command: 'pwd' })).text).toBe(cwd);
  });

  it('fails with the exit code, what was printed, and the same as data', async () => {
    const { failure, text } = await run('echo built; echo broken >&2; exit 2');
    expect(text).toBe('Exit code 2\nbuilt\n[stderr]\nbroken');
    expect(failure?.data).toEqual({
      reason: 'exit-code',
      exitCode: 2,
      signal: null,
      stdout: 'built\n',
      stderr: 'broken\n',
    });
  });

  it.each([
    ['grep x /dev/null', 'grep'],
    ['cat /dev/null | grep -n "a|b"', 'grep'],
    ['echo a > a; echo b > b; diff a b', undefined],
    ['cmp /dev/null /etc/passwd', 'cmp'],
    ['test 1 = 2', 'test'],
    ['[ 1 = 2 ]', undefined],
    ['grep x /dev/null 2>/dev/null', 'grep'],
    ['false', undefined],
    ['false && grep x /dev/null', undefined],
    ['grep x /dev/null | false', undefined],
    ['grep x /no/such/file', undefined],
    ['echo a; grep x /dev/null', 'grep'],
    ['exit 1 | grep x /dev/null', undefined],
    ['set -e; false; grep x /dev/null', undefined],
    ['set -o pipefail; false | grep root /etc/passwd', undefined],
    ["'set' -e; false; grep x /dev/null", undefined],
    ['exit 1; grep x /dev/null', undefined],
    ['eval "exit 1"; grep x /dev/null', undefined],
    ['exec false; grep x /dev/null', undefined],
    ['trap "exit 1" EXIT; grep root /etc/passwd', undefined],
    ['grep root /etc/passwd && false', undefined],
    ['if true; then exit 1; fi; grep x /dev/null', undefined],
    ['(exit 1); grep x /dev/null', undefined],
    ['grep x $(false)', undefined],
    ['grep root /etc/passwd >&9', undefined],
    ['grep root /etc/passwd > /no/such/file', undefined],
  ])('takes exit code 1 of %s for what it is', async (command, program) => {
    const { output, failure } = await run(command);
    if (program === undefined) expect(failure?.message).toContain('Exit code');
    else expect(output).toMatchObject({ exitCode: 1, notes: [expect.stringContaining(program)] });
  });

  it('takes nothing for an answer that a shell with settings of its own may have ended with', async () => {
    const command = 'false | grep root /etc/passwd';
    const env = { ...process.env, SHELLOPTS: 'pipefail' };
    const { failure } = await callTool(bash({ cwd: temporaryFolder(), env, shell: '/bin/bash' }), {
      command,
    });
    expect(failure?.message).toContain('Exit code 1');
    const alone = await callTool(bash({ cwd: '/', env }), { command: 'grep x /dev/null' });
    expect(alone.output).toMatchObject({ exitCode: 1 });
  });

  it('says of a process that left its group only what is known', async () => {
    const cwd = temporaryFolder();
    const command =
      'setsid sh -c "echo \\$\\$ > pid; exec sleep 30" & while [ ! -s pid ]; do sleep 0.01; done';
    const { output } = await callTool(bash({ cwd }), { command });
    expect(output?.notes).toEqual([expect.stringContaining('was not ended and may still run')]);
    process.kill(-Number(readFileSync(`${cwd}/pid`, 'utf8')), 'SIGKILL');
  });

  it('does not hang on a child in the background, and tells the model of its end', async () => {
    const { output } = await run('sleep 30 & echo started');
    expect(output?.stdout).toBe('started\n');
    expect(output?.notes).toEqual([expect.stringContaining('background process')]);
  });

  it('stops at its timeout, names the limit, and keeps what was printed', async () => {
    const { failure, text } = await run('echo $$; exec sleep 30', { timeout: 150 });
    expect(text).toMatch(/^The command ran into its timeout of 150 ms and was stopped\.\n\d+$/);
    expect(failure?.data).toMatchObject({ reason: 'timeout', signal: 'SIGTERM' });
  });

  it('shortens a timeout above the limit to the limit', async () => {
    const tool = bash({ cwd: temporaryFolder(), maxTimeoutMs: 100 });
    const { text } = await callTool(tool, { command: 'sleep 30', timeout: 60_000 });
    expect(text).toContain('timeout of 100 ms');
  });

  it('bounds what it keeps of a command that prints for ever', async () => {
    const { failure } = await run('yes millrace', { timeout: 300 });
    const { stdout = '' } = (failure?.data ?? {}) as { stdout?: string };
    expect(stdout.length).toBeLessThan(1_100_000);
    expect(stdout).toMatch(/^millrace\n.*characters left out.*millrace\n/s);
  });

  it('shows the model the beginning and the end of what a failed command printed, and counts what lies between', async () => {
    const tool = bash({ cwd: temporaryFolder(), maxOutputChars: 1000 });
    const command = 'seq 1 200000; echo why >&2; exit 3';
    const { failure, text } = await callTool(tool, { command });
    const { stdout } = (failure?.data ?? {}) as { stdout?: string };
    // 1,288,895 characters in all, of which the data keep the first and last 500,000.
    expect(stdout).toContain('[… 288895 characters left out …]');
    expect(text).toMatch(
      /^Exit code 3\n1\n2\n.*\[… 1287899 characters left out …\].*\n200000\n\[stderr\]\nwhy$/s,
    );
    expect(text.length).toBeLessThan(1100);
  });

  it('tells a kill from outside from a failure of the command', async () => {
    const { failure, text } = await run('echo half; kill -9 $$');
    expect(text).toBe('The command was killed from outside by SIGKILL, not by this tool.\nhalf');
    expect(failure?.data).toMatchObject({ reason: 'killed', signal: 'SIGKILL' });
    expect(failure?.infrastructure).toBe(true);
    expect((await run('exit 137')).failure?.infrastructure).toBe(false);
  });

  it('says why it could not run a command', async () => {
    const { text } = await callTool(bash({ cwd: '/no/such/folder' }), { command: 'true' });
    expect(text).toContain('/no/such/folder does not exist');
    const nowhere = bash({ cwd: temporaryFolder(), shell: '/no/such/shell' });
    const notStarted = await callTool(nowhere, { command: 'true' });
    expect(notStarted.text).toContain('/no/such/shell was not found');
    expect(notStarted.failure).toMatchObject({ infrastructure: true, data: { reason: 'not-started' } });
    expect((await run(`echo ${'x'.repeat(5e6)}`)).text).toContain('longer than the system allows');
    expect((await run('echo a\0b')).text).toContain('NUL character');
  });
});

describe('Bash, asked to stop', () => {
  const stopWhen = (progress: readonly unknown[]) => printed(progress).includes('ready');

  it('ends the whole group and keeps what was printed', async () => {
    const tool = bash({ cwd: temporaryFolder() });
    const command = 'echo $$; sleep 30 & echo ready; wait';
    const { failure, progress, text } = await callTool(tool, { command }, { stopWhen });
    expect(text).toMatch(
      /^The command was asked to stop before it had ended, and was stopped\.\n\d+\nready$/,
    );
    expect(failure?.data).toMatchObject({ reason: 'stopped' });
    const group = Number.parseInt(printed(progress), 10);
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('kills a command that ignores TERM, and ends only when that has stopped writing', async () => {
    const cwd = temporaryFolder();
    const tool = bash({ cwd, killAfterMs: 100 });
    const command = 'trap "" TERM; echo ready; while :; do echo x >> log; sleep 0.01; done';
    const { failure } = await callTool(tool, { command }, { stopWhen });
    expect(failure?.data).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
    const written = readFileSync(`${cwd}/log`, 'utf8').length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(`${cwd}/log`, 'utf8').length).toBe(written);
  });

  it('stops at once where it was asked before it began', async () => {
    const { failure } = await callTool(
      bash({ cwd: temporaryFolder() }),
      { command: 'sleep 30' },
      { stopped: true },
    );
    expect(failure?.data).toMatchObject({ reason: 'stopped', stdout: '' });
  });

  it('has a grace that TERM and KILL fit into', () => {
    expect(bash({ cwd: '/' }).graceMs).toBe(3000);
    expect(bash({ cwd: '/', killAfterMs: 5000 }).graceMs).toBe(6000);
  });
});

describe('what rules compare of a command', () => {
  const targets = (command: string, shell = '/bin/bash', cwd = '/') =>
    bash({ cwd, shell, env: { HOME: '/home/me' } }).ruleTargets?.({ command }, undefined as never);

  it('is each command of it and each file, also behind a link and in the home folder', () => {
    const cwd = temporaryFolder();
    mkdirSync(`${cwd}/real`);
    symlinkSync('real', `${cwd}/link`);
    const found = targets('rm -r ~/a && echo x > link/new', '/bin/bash', cwd);
    expect(found).toContainEqual(expect.objectContaining({ type: 'command', allowText: 'rm -r ~/a' }));
    expect(found).toContainEqual(expect.objectContaining({ type: 'path', paths: ['/home/me/a'] }));
    const paths = [`${cwd}/link/new`, `${cwd}/real/new`];
    expect(found).toContainEqual({ type: 'path', access: 'edit', paths });
  });

  it('says so where another shell may read it otherwise', () => {
    const doubt = expect.objectContaining({ type: 'unparsed', reason: expect.stringContaining('not Bash') });
    expect(targets('cat a &> b', '/bin/dash')).toContainEqual(doubt);
    expect(targets('cat a &> b')).not.toContainEqual(doubt);
    expect(targets('ls -l', '/bin/dash')).not.toContainEqual(doubt);
  });
});

describe('the safety of a command', () => {
  const tool = bash({ cwd: '/' });
  const cascades = (command: string) => {
    const call = { type: 'tool_use', id: '1', name: 'Bash', input: { command } } as const;
    return typeof tool.abortsSiblings === 'function' && tool.abortsSiblings(undefined, call);
  };

  it.each([
    'ls -la src',
    '  cat a.txt ',
    'grep -rn "TODO|FIXME" src',
    "rg 'a && b' .",
    'git log --oneline -5',
    'git diff HEAD -- src/a.ts',
    'date +%s',
    'file -b a.png',
    'wc -l a b',
    'echo hello',
    'cat a | wc -l',
    'cd src && ls # all of them',
    'ls \\; rm a',
    'cat $FILE',
  ])('is safe, read-only, and never cascades: %s', (command) => {
    expect(tool.isConcurrencySafe?.({ command })).toBe(true);
    expect(tool.isReadOnly?.({ command })).toBe(true);
    expect(cascades(command)).toBe(false);
  });

  it.each([
    ['a program that is not listed', 'npm test'],
    ['a redirection', 'echo x > a'],
    ['a redirection without spaces', 'cat a>b'],
    ['a second command', 'ls; rm a'],
    ['a second line', 'ls\nrm a'],
    ['a job', 'ls & rm a'],
    ['a pipe', 'cat a | sh'],
    ['a substitution', 'echo $(rm a)'],
    ['a substitution in quotes', 'echo "$(rm a)"'],
    ['a substitution in back quotes', 'echo "`rm a`"'],
    ['a quote that does not end', "echo 'a"],
    ['a pattern, which may expand to a flag', 'git diff *'],
    ['a brace expansion', 'git diff {--output=a,b}'],
    ['a variable set for one command', 'GIT_EXTERNAL_DIFF=x git diff'],
    ['git that writes a file', 'git diff --output=a'],
    ['the same, shortened', 'git log --outp a'],
    ['the same, in quotes', 'git diff "--out"put=a'],
    ['git that runs a program', 'git log -p --ext-diff'],
    ['git with settings', 'git -c core.pager=x log'],
    ['git that changes things', 'git checkout .'],
    ['rg that runs a program', 'rg --pre ./x a'],
    ['date that sets the clock', 'date 010100002030'],
    ['file that writes', 'file -bC -m a'],
    ['find, which may delete', 'find . -delete'],
    ['nothing', '   '],
  ])('is not safe and cascades: %s', (_, command) => {
    expect(tool.isConcurrencySafe?.({ command })).toBe(false);
    expect(tool.isReadOnly?.({ command })).toBe(false);
    expect(cascades(command)).toBe(true);
  });

  it.each([
    ['a file that is run first', { BASH_ENV: '/some/file' }, '/bin/bash', 'ls'],
    ['a function of that name', { 'BASH_FUNC_ls%%': '() { rm a; }' }, '/bin/bash', 'ls'],
    ['a shell that reads it otherwise', {}, '/bin/dash', '[[ a > b ]]'],
    ['a shell that may read it otherwise', {}, '/bin/dash', 'cat a | wc -l'],
  ])('is not certain with %s', (_, env, shell, command) => {
    expect(bash({ cwd: '/', env, shell }).isConcurrencySafe?.({ command })).toBe(false);
    expect(bash({ cwd: '/', env: {}, shell }).isConcurrencySafe?.({ command: 'ls -l' })).toBe(true);
  });

  it('does not cascade for input it cannot read', () => {
    const call = { type: 'tool_use', id: '1', name: 'Bash', input: { cmd: 'rm a' } } as const;
    expect(typeof tool.abortsSiblings === 'function' && tool.abortsSiblings(undefined, call)).toBe(false);
  });
});
