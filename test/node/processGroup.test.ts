import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, firstValueFrom, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isGroupAlive } from '../../src/node/groupSignals.js';
import type { ProcessEvent } from '../../src/node/index.js';
import { processGroup } from '../../src/node/index.js';
import { forgetGoneGroups } from '../../src/node/liveGroups.js';
import { eventually, groupExists, runToEnd, shell, temporaryFolder, textOf } from './processes.js';

const exit = {
  ...{ type: 'exit', exitCode: 0, signal: null },
  ...{ leftOpen: false, leftRunning: false, escaped: false, survives: false },
};
/** Stops when the process has said that it is ready, and gives back all that came. */
const stopWhenReady = async (script: string, killAfterMs = 2000): Promise<ProcessEvent[]> => {
  const stop$ = new Subject<void>();
  const events$ = shell(script, { stop$, killAfterMs });
  const events: ProcessEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    events$.subscribe({
      next: (event) => {
        events.push(event);
        if (textOf(events, 'stdout').includes('ready')) stop$.next();
      },
      error: reject,
      complete: resolve,
    });
  });
  return events;
};

describe('processGroup', () => {
  it('tells stdout and stderr apart, then the exit, then completes', async () => {
    const events = await runToEnd(shell('echo out; echo err >&2; exit 3'));
    expect(textOf(events, 'stdout')).toBe('out\n');
    expect(textOf(events, 'stderr')).toBe('err\n');
    expect(events.at(-1)).toEqual({ ...exit, exitCode: 3 });
    expect(events.filter(({ type }) => type === 'exit')).toHaveLength(1);
  });

  it('starts nothing before it is subscribed to, and one process a subscription', async () => {
    const cwd = temporaryFolder();
    const events$ = shell('echo x >> runs', { cwd });
    expect(existsSync(join(cwd, 'runs'))).toBe(false);
    await runToEnd(events$);
    await runToEnd(events$);
    expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('x\nx\n');
  });

  it('keeps a character whole that the pipe cuts in two, for each stream', async () => {
    const halves = (to: string) => `printf '\\342\\202'${to}; sleep 0.05; printf '\\254'${to};`;
    const events = await runToEnd(shell(`${halves('')} ${halves(' >&2')}`));
    expect([textOf(events, 'stdout'), textOf(events, 'stderr')]).toEqual(['€', '€']);
    expect(events.some((event) => event.type === 'chunk' && event.text.includes('�'))).toBe(false);
  });

  it('reads nothing from the terminal: standard input is empty', async () => {
    expect(await runToEnd(shell('cat'))).toEqual([exit]);
  });

  it('does not hang on a child in the background that holds the pipe, and ends it', async () => {
    const events = await runToEnd(shell('sleep 30 & echo $$; exit 0', { drainMs: 100 }));
    expect(events.at(-1)).toEqual({ ...exit, leftOpen: true });
    const group = Number(textOf(events, 'stdout'));
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('says so when the holder of its output has left the group, and leaves it alone', async () => {
    const cwd = temporaryFolder();
    const daemon =
      'setsid sh -c "echo \\$\\$ > pid; exec sleep 30" & while [ ! -s pid ]; do sleep 0.01; done';
    const events = await runToEnd(shell(daemon, { cwd, drainMs: 50 }));
    expect(events.at(-1)).toEqual({ ...exit, leftOpen: true, escaped: true });
    const daemonGroup = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    expect(groupExists(daemonGroup)).toBe(true);
    process.kill(-daemonGroup, 'SIGKILL');
  });

  it('leaves a child in the background alone that has redirected its output', async () => {
    const events = await runToEnd(shell('sleep 30 >/dev/null 2>&1 & echo $$'));
    const group = Number(textOf(events, 'stdout'));
    expect(events.at(-1)).toEqual({ ...exit, leftRunning: true });
    expect(groupExists(group)).toBe(true);
    process.kill(-group, 'SIGKILL');
    expect(await eventually(() => !isGroupAlive(group))).toBe(true);
    forgetGoneGroups();
  });

  it('tells of a signal that came from elsewhere', async () => {
    expect(await runToEnd(shell('kill -9 $$'))).toEqual([{ ...exit, exitCode: null, signal: 'SIGKILL' }]);
  });
});

describe('stopping a process group', () => {
  it('sends TERM, and keeps what the process prints on its way out', async () => {
    const events = await stopWhenReady(
      'trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.02; done',
    );
    expect(textOf(events, 'stdout')).toBe('ready\nbye\n');
    expect(events.at(-1)).toEqual({ ...exit, exitCode: 7 });
  });

  it('sends KILL to a process that ignores TERM', async () => {
    const events = await stopWhenReady('trap "" TERM; echo ready; while :; do sleep 0.02; done', 100);
    expect(events.at(-1)).toEqual({ ...exit, exitCode: null, signal: 'SIGKILL' });
  });

  it('tells the exit only when a grandchild that ignores TERM has gone too', async () => {
    const cwd = temporaryFolder();
    const log = join(cwd, 'log');
    const grandchild = `(trap "" TERM; while :; do echo x >> ${log}; sleep 0.02; done) >/dev/null 2>&1 &`;
    const events = await stopWhenReady(`${grandchild} sleep 0.1; echo ready; sleep 30`, 200);
    expect(events.at(-1)).toMatchObject({ type: 'exit', signal: 'SIGTERM', survives: false });
    const size = statSync(log).size;
    expect(size).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(statSync(log).size).toBe(size);
  });

  it('is what unsubscribing does, KILL included', async () => {
    const first$ = shell('trap "" TERM; echo $$; while :; do sleep 0.02; done', { killAfterMs: 100 }).pipe(
      filter((event) => event.type === 'chunk'),
      take(1),
    );
    const group = Number((await firstValueFrom(first$)).text);
    expect(groupExists(group)).toBe(true);
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('leaves no listener on the program', async () => {
    const count = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
    // Groups that tests before this one left may still be ending.
    expect(await eventually(() => process.listenerCount('SIGHUP') === 0)).toBe(true);
    const before = count();
    const running = runToEnd(shell('sleep 0.1'));
    expect(count()).toEqual(before.map((n) => n + 1));
    await running;
    expect(count()).toEqual(before);
  });
});

describe('a process that cannot be started', () => {
  const cwd = tmpdir();
  it.each([
    ['a missing program', { command: 'no-such-program', cwd }, 'ENOENT', 'no-such-program was not found'],
    [
      'a missing folder',
      { command: 'true', cwd: '/no/such/folder' },
      'ENOENT',
      '/no/such/folder does not exist',
    ],
    ['a folder that may not be run', { command: '/', cwd }, 'EACCES', 'permission denied'],
    [
      'too long a command',
      { command: 'true', args: ['x'.repeat(5e6)], cwd },
      'E2BIG',
      'longer than the system',
    ],
    ['a NUL character', { command: 'true', args: ['a\0b'], cwd }, 'ERR_INVALID_ARG_VALUE', 'NUL character'],
  ])('is a value: %s', async (_, options, code, text) => {
    const events = await runToEnd(processGroup(options));
    expect(events).toEqual([{ type: 'not-started', code, message: expect.stringContaining(text) }]);
  });
});
