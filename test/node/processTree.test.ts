import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isGroupAlive, reapedLeader, signalGroup } from '../../src/node/groupSignals.js';
import type { ProcessEvent } from '../../src/node/index.js';
import { ownProcess } from '../../src/node/processTable.js';
import { eventually, groupExists, runToEnd, shell, temporaryFolder, textOf } from './processes.js';

/** Runs a script that writes process ids into files, and stops it when they are there. */
const stopOnceWritten = async (script: string, cwd: string, names: readonly string[]) => {
  const stop$ = new Subject<void>();
  const end = runToEnd(shell(script, { cwd, stop$, killAfterMs: 300, drainMs: 50 }));
  const isWritten = (name: string) => existsSync(join(cwd, name)) && readFileSync(join(cwd, name)).length > 0;
  expect(await eventually(() => names.every(isWritten))).toBe(true);
  stop$.next();
  return (await end).at(-1);
};
const idIn = (file: string): number => Number(readFileSync(file, 'utf8'));
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const stranger = () => {
  const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

describe.runIf(process.platform === 'linux')('ending a process tree', () => {
  it('reaches the groups that `timeout` and job control make inside the session', async () => {
    const cwd = temporaryFolder();
    const script = `timeout 30 sh -c 'trap "" TERM; echo $$ > one; while :; do sleep 0.05; done' &
      exec 2>&1; set -m; sh -c 'echo $$ > two; exec sleep 30' & wait`;
    expect(await stopOnceWritten(script, cwd, ['one', 'two'])).toMatchObject({
      survives: false,
      escaped: false,
    });
    expect([idIn(`${cwd}/one`), idIn(`${cwd}/two`)].map(isRunning)).toEqual([false, false]);
  });

  it('says so where a descendant had made a session of its own, though it holds no output', async () => {
    const cwd = temporaryFolder();
    const script = `setsid sh -c 'echo $$ > pid; exec sleep 30' >/dev/null 2>&1 & wait`;
    expect(await stopOnceWritten(script, cwd, ['pid'])).toMatchObject({ survives: false, escaped: true });
    const pid = idIn(`${cwd}/pid`);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  it('sends nothing to who was given the id of a group that has gone', async () => {
    const { pid = 0, signalCode } = stranger();
    expect(signalGroup(pid, 'SIGKILL', reapedLeader)).toBe(false);
    expect(isGroupAlive(pid, reapedLeader)).toBe(false);
    await sleep(50);
    expect([isRunning(pid), signalCode]).toEqual([true, null]);
  });

  it('never sends a signal to the group or the session of the program itself', () => {
    const own = ownProcess();
    const sent = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => sent.mockRestore());
    for (const id of [process.pid, own?.group ?? 0, own?.session ?? 0, 0, 1, -1, 1.5, Number.NaN]) {
      expect(signalGroup(id, 'SIGTERM')).toBe(false);
    }
    expect(sent).not.toHaveBeenCalled();
  });

  it('tells of an end although the system does not end what is killed', async () => {
    const real = process.kill.bind(process);
    const kept = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => signal !== 0 || real(pid, 0));
    onTestFinished(() => kept.mockRestore());
    const stop$ = new Subject<void>();
    const events: ProcessEvent[] = [];
    const end = shell('echo $$; exec sleep 30', { stop$, killAfterMs: 50 }).forEach((event) => {
      events.push(event);
      if (event.type === 'chunk') stop$.next();
    });
    await end;
    expect(events.at(-1)).toMatchObject({ type: 'exit', exitCode: null, signal: null, survives: true });
    expect(kept).toHaveBeenCalledWith(expect.any(Number), 'SIGKILL');
    real(-Number(textOf(events, 'stdout')), 'SIGKILL');
  });
});

describe('a program too busy to look', () => {
  it('loses no output, and blames no background process, when its time is over before it has read', async () => {
    const events: ProcessEvent[] = [];
    await shell('echo first; sleep 0.1; seq 1 10000; echo last', { drainMs: 50 }).forEach((event) => {
      if (events.push(event) > 1) return;
      const until = Date.now() + 500;
      while (Date.now() < until);
    });
    expect(textOf(events, 'stdout').endsWith('10000\nlast\n')).toBe(true);
    expect(events.at(-1)).toMatchObject({ exitCode: 0, leftOpen: false });
  });
});

describe('the end of the program', () => {
  const start = (rest: string, script = 'trap "" TERM; echo $$; while :; do sleep 0.02; done') => {
    const program = `
      import { processGroup } from './src/node/index.ts';
      processGroup({ command: '/bin/sh', args: ['-c', ${JSON.stringify(script)}], cwd: '/' }).subscribe((event) => {
        if (event.type === 'chunk') console.log(event.text);
        ${rest}
      });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const groupOf = async (child: ReturnType<typeof start>): Promise<number> =>
    Number((await once(child.stdout.setEncoding('utf8'), 'data'))[0]);
  const isGone = (group: number) => eventually(() => !isGroupAlive(group));

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s takes its groups along, and is still by that signal',
    async (signal) => {
      const child = start('');
      const group = await groupOf(child);
      expect(groupExists(group)).toBe(true);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(await isGone(group)).toBe(true);
    },
  );

  it.each([
    ['process.exit', 'setTimeout(() => process.exit(3), 50);', 3],
    ['an exception that nobody catches', 'setTimeout(() => { throw new Error(); }, 50);', 1],
    ['a rejection that nobody catches', 'setTimeout(() => Promise.reject(new Error()), 50);', 1],
    [
      'a signal that it handles itself',
      'process.once("SIGTERM", () => process.exit(4)); process.kill(process.pid, "SIGTERM");',
      4,
    ],
  ])('by %s takes its groups along', async (_, rest, code) => {
    const child = start(rest);
    const [group, [exitCode]] = await Promise.all([groupOf(child), once(child, 'exit')]);
    expect(exitCode).toBe(code);
    expect(await isGone(group)).toBe(true);
  });

  it('takes along what was left running with its output elsewhere', async () => {
    const child = start('', 'echo $$; sleep 30 >/dev/null 2>&1 &');
    const [group, [exitCode]] = await Promise.all([groupOf(child), once(child, 'exit')]);
    expect(exitCode).toBe(0);
    expect(await isGone(group)).toBe(true);
  });
});
