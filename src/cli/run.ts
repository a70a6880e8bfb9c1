import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { harmless } from '../permissions/index.js';
import { askInTerminal } from './guard/askInTerminal.js';
import { addGuardOptions, type GuardOptions } from './guard/guardOptions.js';
import { existingFolder, readGuard } from './guard/readGuard.js';
import { readReply } from './reply/readReply.js';
import { addRunOptions, type RunOptions, speedOf, viewOf } from './runOptions.js';
import { performRun } from './session/performRun.js';
import { StopSignals } from './session/stopSignals.js';
import type { Terminal } from './terminal.js';

/** `millrace run`: plays a recorded reply against real tools. */
export const addRun = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('run')
    .description('run the tool calls of a recorded reply with real tools, while it is played')
    .argument('<reply>', 'server-sent events of the Messages API; a line ": +120" delays the next by 120 ms')
    .option('--cwd <folder>', 'folder the tools work in (default: that of --settings, else ".")');
  addGuardOptions(addRunOptions(command)).action(async (path: string, options: RunFileOptions) => {
    const { cwd: given, settings } = options;
    const option = given === undefined && settings !== undefined ? '--settings' : '--cwd';
    const cwd = existingFolder(option, given ?? settings ?? '.');
    process.exitCode = await runFile(path, cwd, options, terminal);
  });
};

type RunFileOptions = RunOptions & GuardOptions & { readonly cwd?: string };

/** Runs a reply in a folder as the options say; returns the exit code. */
export const runFile = (
  path: string,
  cwd: string,
  options: RunOptions & GuardOptions,
  terminal: Terminal,
): Promise<number> => {
  const reply = readReply(path);
  const { record } = options;
  const view = viewOf(options, terminal);
  const signals = new StopSignals();
  const ask = options.ask && askInTerminal(options, terminal, view, () => signals.interrupt());
  const warn = (warning: string): void => terminal.problem(`millrace: ${harmless(warning)}`);
  // Rules compare real paths.
  const guard = readGuard(options, realpathSync(cwd), ask, warn);
  if (options.ask === true && ask === undefined) {
    warn('--ask needs a terminal to ask in: nobody can be asked, so what would be asked is denied');
  }
  const folder = guard.permissions === undefined ? cwd : realpathSync(cwd);
  const speed = speedOf(options, reply);
  return performRun(reply, { cwd: folder, speed, record, guard, signals, terminal, view });
};
