import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExecuteToolsOptions } from '../../src/index.js';
import { ownProcess } from '../../src/node/processTable.js';
import { bash } from '../../src/tools/index.js';
import { codes, eventsOf, Seen, textOf, turnOf, use } from '../engine/turns.js';
import { eventually, temporaryFolder } from '../node/processes.js';

/** Writes a line every 20 ms, and does not hear TERM. */
const survivor = `sh -c 'trap "" TERM; while :; do echo alive >> log; sleep 0.02; done' &`;

/** Runs a command of which a child writes on, until it has a result. */
const run = async (input: object, options: Partial<ExecuteToolsOptions> = {}) => {
  const cwd = temporaryFolder();
  const log = join(cwd, 'log');
  const size = (): number => (existsSync(log) ? statSync(log).size : 0);
  const tool = bash({ cwd, killAfterMs: 100 });
  const seen = new Seen(turnOf([use('a', 'Bash', input)], [tool], options));
  const ended = async () => {
    expect(await eventually(() => eventsOf(seen.values, 'result').length === 1)).toBe(true);
    return seen.values;
  };
  return { seen, size, ended };
};

const expectStill = async (size: () => number): Promise<void> => {
  const before = size();
  expect(before).toBeGreaterThan(0);
  await sleep(150);
  expect(size()).toBe(before);
};

describe.skipIf(process.platform === 'win32')(
  'B31: when the result is out, the whole process group is gone',
  () => {
    it('after its timeout, a child that ignores TERM writes no more', async () => {
      const { size, ended } = await run({ command: `${survivor} wait`, timeout: 200 });
      const events = await ended();
      expect(codes(events)).toEqual(['a tool_error']);
      expect(textOf(events, 'a')).toContain('timeout of 200 ms');
      await expectStill(size);
    });

    it('after an interruption too', async () => {
      const interrupt$ = new Subject<string>();
      const { size, ended } = await run({ command: `${survivor} wait` }, { interrupt$ });
      expect(await eventually(() => size() > 0)).toBe(true);
      interrupt$.next('stop');
      expect(codes(await ended())).toEqual(['a interrupted']);
      await expectStill(size);
    });

    it('what made a session of its own is told of plainly, where it can be seen', async () => {
      if (process.platform !== 'linux') return;
      const command = `setsid sh -c 'echo $$; exec sleep 30' & wait`;
      const { ended } = await run({ command, timeout: 300 });
      const events = await ended();
      const text = textOf(events, 'a');
      const pid = Number(/^\d+$/m.exec(text)?.[0]);
      onTestFinished(() => void process.kill(pid, 'SIGKILL'));
      expect(process.kill(pid, 0)).toBe(true);
      expect(text).toContain('left the session of the command');
    });

    it('no signal goes to the group of the program itself', async () => {
      const kill = vi.spyOn(process, 'kill');
      onTestFinished(() => kill.mockRestore());
      const { ended } = await run({ command: `${survivor} wait`, timeout: 200 });
      await ended();
      const groups = kill.mock.calls.filter(([, signal]) => signal !== 0).map(([pid]) => pid);
      expect(groups.length).toBeGreaterThan(0);
      const own = [process.pid, ownProcess()?.group ?? process.pid, ownProcess()?.session ?? process.pid];
      for (const id of groups) expect([0, 1, ...own]).not.toContain(Math.abs(id));
    });
  },
);
