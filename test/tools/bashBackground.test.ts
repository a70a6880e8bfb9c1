import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstValueFrom, of } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isGroupAlive } from '../../src/node/groupSignals.js';
import {
  type BackgroundCommands,
  bash,
  createBackgroundCommands,
  type NewBackgroundCommand,
} from '../../src/tools/index.js';
import { eventually, temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const registry = (): BackgroundCommands => {
  const background = createBackgroundCommands();
  onTestFinished(() => firstValueFrom(background.endAll()).then(() => undefined));
  return background;
};
const inBackground = (background: BackgroundCommands, cwd = temporaryFolder(), killAfterMs = 200) =>
  bash({ cwd, background, onTimeout: 'background', killAfterMs });
const listenersAtEnd = () => process.listenerCount('exit');

describe('Bash, where a command may outlive its timeout', () => {
  it('ends the call well, says that the command goes on, and where its output goes', async () => {
    const background = registry();
    const command = 'echo first; sleep 0.4; echo second; echo third >&2; sleep 0.2; exit 7';
    const { output, text } = await callTool(inBackground(background), { command, timeout: 200 });
    const { id = '', pid = 0, outputPath = '' } = output?.background ?? {};
    expect(output).toMatchObject({ stdout: 'first\n', exitCode: null });
    expect(text).toBe(
      `first\n[the command ran into its timeout of 200 ms and goes on in the background as bash_1, until the program ends; all it prints, from the beginning, goes to ${outputPath}]`,
    );
    const entry = { id: 'bash_1', toolUseId: 'toolu_1', command, pid, why: 'timeout', outputPath };
    expect(background.list()).toEqual([entry]);
    expect(await eventually(() => background.get(id)?.end !== undefined)).toBe(true);
    expect(background.get(id)).toEqual({ ...entry, end: { exitCode: 7, signal: null } });
    expect(readFileSync(outputPath, 'utf8')).toBe('first\nsecond\nthird\n');
  });

  it('keeps the output where nobody else may read it', async () => {
    const { output } = await callTool(inBackground(registry()), { command: 'sleep 30', timeout: 50 });
    const { outputPath = '' } = output?.background ?? {};
    expect([outputPath, dirname(outputPath)].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o700,
    ]);
  });

  it('ends nothing that ends in time, and stops at once when it is asked to', async () => {
    const background = registry();
    const tool = inBackground(background);
    expect((await callTool(tool, { command: 'echo a', timeout: 5000 })).output?.exitCode).toBe(0);
    const stopWhen = (progress: readonly unknown[]) => progress.length > 0;
    const stopped = await callTool(tool, { command: 'echo a; sleep 30' }, { stopWhen });
    expect(stopped.failure?.data).toMatchObject({ reason: 'stopped', stdout: 'a\n' });
    expect(background.list()).toEqual([]);
  });

  it('ends the command where there is no place for its output', async () => {
    const temporary = process.env.TMPDIR;
    const cwd = temporaryFolder();
    process.env.TMPDIR = '/no/such/folder';
    onTestFinished(() => {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    });
    const { failure } = await callTool(inBackground(createBackgroundCommands(), cwd), {
      command: 'echo a; sleep 30',
      timeout: 100,
    });
    expect(failure?.data).toMatchObject({ reason: 'timeout', stdout: 'a\n' });
  });

  it('refuses a way that there is not', () => {
    expect(() => bash({ cwd: '/', onTimeout: 'forget' as 'end' })).toThrow("'end' or 'background'");
  });
});

describe('the registry of commands in the background', () => {
  it('ends one, a command that ignores TERM too, and keeps its output', async () => {
    const background = registry();
    const tool = inBackground(background);
    const deaf = 'trap "" TERM; echo deaf; while :; do sleep 0.05; done';
    const [one, two] = [
      await callTool(tool, { command: deaf, timeout: 100 }),
      await callTool(tool, { command: 'sleep 30', timeout: 50 }),
    ];
    const { pid = 0, outputPath = '' } = one.output?.background ?? {};
    expect(await firstValueFrom(background.end('bash_1'))).toBe(true);
    expect(isGroupAlive(pid)).toBe(false);
    expect(background.get('bash_1')?.end).toEqual({ exitCode: null, signal: 'SIGKILL' });
    expect(readFileSync(outputPath, 'utf8')).toBe('deaf\n');
    expect(isGroupAlive(two.output?.background?.pid ?? 0)).toBe(true);
    expect(await firstValueFrom(background.end('bash_99'))).toBe(true);
  });

  it('ends all, removes their files, and leaves no listener on the program', async () => {
    const before = listenersAtEnd();
    const background = createBackgroundCommands();
    const tool = inBackground(background);
    const timedOut = await callTool(tool, { command: 'sleep 30', timeout: 50 });
    const left = await callTool(tool, { command: 'sleep 30 >/dev/null 2>&1 &' });
    const ended = await callTool(tool, { command: 'sleep 0.2', timeout: 50 });
    expect(background.list().map(({ id, why }) => [id, why])).toEqual([
      ['bash_1', 'timeout'],
      ['bash_2', 'left-running'],
      ['bash_3', 'timeout'],
    ]);
    expect(listenersAtEnd()).toBeGreaterThan(before);
    expect(await firstValueFrom(background.endAll())).toBe(true);
    for (const { output } of [timedOut, left, ended]) {
      expect(isGroupAlive(output?.background?.pid ?? 0)).toBe(false);
      expect(existsSync(dirname(output?.background?.outputPath ?? '/no/such'))).toBe(false);
    }
    expect(background.list()).toEqual([]);
    expect(listenersAtEnd()).toBe(before);
  });

  it('lists what a command left running until that has gone', async () => {
    const background = registry();
    const { output, text } = await callTool(bash({ cwd: '/', background }), {
      command: 'sleep 0.5 >/dev/null 2>&1 & echo started',
    });
    expect(output).toMatchObject({ exitCode: 0, background: { id: 'bash_1' } });
    expect(text).toContain('[a process of it goes on in the background as bash_1, until the program ends]');
    expect(background.list()).toMatchObject([{ why: 'left-running' }]);
    expect(background.list()[0]?.end).toBeUndefined();
    expect(await eventually(() => background.list()[0]?.end !== undefined)).toBe(true);
  });

  it('remembers the last 100 that have ended, and never asks one again', () => {
    const background = createBackgroundCommands();
    let asked = 0;
    const command: NewBackgroundCommand = {
      ...{ toolUseId: 't', command: 'c', pid: 2, why: 'left-running' },
      ended: () => {
        asked += 1;
        return {};
      },
      stop: () => of(true),
    };
    for (let n = 0; n < 150; n++) background.add(command);
    expect(background.list().map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, n) => `bash_${n + 51}`),
    );
    expect(asked).toBe(150);
  });
});

describe('a program with a command in the background', () => {
  it('ends when it has nothing else to do, and takes command and file along', async () => {
    const temporary = temporaryFolder();
    const program = `
      import { of } from 'rxjs';
      import { executeTools } from './src/index.ts';
      import { builtinTools } from './src/tools/index.ts';
      const input = { command: 'echo $$; sleep 30', timeout: 300 };
      of({ type: 'tool_use', id: '1', name: 'Bash', input })
        .pipe(executeTools({ tools: builtinTools({ cwd: '/', onTimeout: 'background' }) }))
        .subscribe((event) => { if (event.type === 'completed') console.log(JSON.stringify(event.output)); });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [[text], [code]] = await Promise.all([
      once(child.stdout.setEncoding('utf8'), 'data'),
      once(child, 'exit'),
    ]);
    const { pid } = JSON.parse(text).background;
    expect(code).toBe(0);
    expect(await eventually(() => !isGroupAlive(pid))).toBe(true);
    expect(readdirSync(temporary).filter((name) => name.startsWith('millrace-bash-'))).toEqual([]);
  });
});
