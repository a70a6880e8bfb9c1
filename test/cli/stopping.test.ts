import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { LawChecker } from '../../src/engine/checkLaws.js';
import { isGroupAlive } from '../../src/node/groupSignals.js';
import { eventually } from '../node/processes.js';
import { bash, type Ended, eventsOf, millrace, replyFile, replyText } from './command.js';

/** Stubborn: it has to be killed, so that there is time between being asked and being gone. */
const stubborn = bash(`trap '' TERM; echo "group $$."; while true; do sleep 30; done`);

interface Stopped extends Ended {
  readonly group: number;
}

/** Runs a slow command and another behind it; `act` is called when the slow one runs, and for what comes then. */
const stopWith = async (
  act: (child: ChildProcess, stdout: string) => void,
  ...options: string[]
): Promise<Stopped> => {
  const { path, folder } = replyFile(replyText([stubborn, bash('echo later')]));
  let group = 0;
  const ended = await millrace(['run', path, '--cwd', folder, ...options], {
    see: (stdout, child) => {
      group ||= Number(/group (\d+)\./.exec(stdout)?.[1] ?? 0);
      if (group !== 0) act(child, stdout);
    },
  });
  expect(group).toBeGreaterThan(1);
  return { ...ended, group };
};

const once = (act: (child: ChildProcess) => void): ((child: ChildProcess) => void) => {
  let done = false;
  return (child) => {
    if (!done) act(child);
    done = true;
  };
};

describe('millrace run, stopped', () => {
  it('answers every call after Ctrl-C, tells it, and leaves no process', async () => {
    const { code, stdout, stderr, group } = await stopWith(once((child) => child.kill('SIGINT')));
    expect(code).toBe(130);
    expect(isGroupAlive(group)).toBe(false);
    expect(stderr).toBe('millrace: stopping; Ctrl-C again leaves at once\n');
    expect(stdout).toMatch(/turn +stop +interrupted by Ctrl-C/);
    expect(stdout).toMatch(/#1 Bash +stopping +asked to stop: the user stopped the run/);
    expect(stdout).toMatch(/#2 Bash +completed +interrupted +not run/);
    expect(stdout).toContain('[The user stopped the run: Ctrl-C.');
    expect(stdout).toMatch(/\n {3}1 Bash trap.*s!/);
  });

  it('keeps the laws when it is interrupted, in JSON too', async () => {
    const { code, stdout } = await stopWith(
      once((child) => child.kill('SIGINT')),
      '--json',
    );
    expect(code).toBe(130);
    const events = eventsOf(stdout);
    const laws = new LawChecker();
    for (const event of events) laws.see(event);
    laws.end();
    const codes = events.flatMap((event) => (event.type === 'result' ? [event.outcome.code] : []));
    expect(codes).toEqual(['interrupted', 'interrupted']);
  });

  it('leaves at once on a second Ctrl-C, and takes its processes along', async () => {
    let asked = 0;
    const { code, stdout, group } = await stopWith((child, stdout) => {
      if (asked === 0) child.kill('SIGINT');
      // The same key, as npm hands it on: not yet a second one.
      else if (asked === 1 && stdout.includes('stopping')) child.kill('SIGINT');
      else return;
      if (++asked === 2) setTimeout(() => child.kill('SIGINT'), 400);
    });
    expect(code).toBe(130);
    expect(asked).toBe(2);
    expect(stdout).not.toContain('message for the model');
    expect(await eventually(() => !isGroupAlive(group))).toBe(true);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('answers every call after %s', async (signal, expected) => {
    const { code, stdout, group } = await stopWith(once((child) => child.kill(signal)));
    expect(code).toBe(expected);
    expect(isGroupAlive(group)).toBe(false);
    expect(stdout).toMatch(new RegExp(`turn +stop +aborted by ${signal}`));
    expect(stdout).toMatch(/#2 Bash +completed +interrupted +not run\n/);
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const noisy = bash('echo "group $$."; while true; do echo more; sleep 0.2; done');
    const { path, folder } = replyFile(replyText([noisy]));
    let group = 0;
    const { code, stderr } = await millrace(['run', path, '--cwd', folder], {
      see: (stdout, child) => {
        group ||= Number(/group (\d+)\./.exec(stdout)?.[1] ?? 0);
        if (group !== 0) child.stdout?.destroy();
      },
    });
    expect([code, stderr]).toEqual([141, '']);
    expect(isGroupAlive(group)).toBe(false);
  });

  it('removes the folder of the example when it is stopped', async () => {
    const { code, stdout } = await millrace(['example'], {
      see: (stdout, child) => {
        if (stdout.includes('#7 Bash      started')) child.kill('SIGTERM');
      },
    });
    expect(code).toBe(143);
    const folder = /tools work in \S+\/(\S+)/.exec(stdout)?.[1] ?? '';
    expect(folder).toContain('millrace-example-');
    expect(readdirSync(tmpdir())).not.toContain(folder);
  });
});
