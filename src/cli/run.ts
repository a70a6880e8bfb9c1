import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { harmless } from '../../marbles/draw/harmless.js';
import { CliError } from './cliError.js';
import { readReply } from './reply/readReply.js';
import { addRunOptions, type RunOptions, speedOf, viewOf } from './runOptions.js';
import { performRun } from './session/performRun.js';
import type { Terminal } from './terminal.js';

/** `millrace run`: plays a recorded reply against real tools. */
export const addRun = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('run')
    .description('run the tool calls of a recorded reply with real tools, while it is played')
    .argument('<reply>', 'server-sent events of the Messages API; a line ": +120" delays the next by 120 ms')
    .option('--cwd <folder>', 'folder the tools work in', '.');
  addRunOptions(command).action(async (path: string, options: RunOptions & { readonly cwd: string }) => {
    const cwd = existingFolder(options.cwd);
    process.exitCode = await runFile(path, cwd, options, terminal);
  });
};

/** Runs a reply in a folder as the options say; returns the exit code. */
export const runFile = (
  path: string,
  cwd: string,
  options: RunOptions,
  terminal: Terminal,
): Promise<number> => {
  const reply = readReply(path);
  const { record } = options;
  const view = viewOf(options, terminal);
  return performRun(reply, { cwd, speed: speedOf(options, reply), record, terminal, view });
};

const existingFolder = (path: string): string => {
  const cwd = resolve(path);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return cwd;
  throw new CliError(`--cwd ${harmless(path)}: no such folder`);
};
