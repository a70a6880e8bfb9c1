#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { CliError } from './cliError.js';
import { addDraw } from './draw.js';
import { addExample } from './example.js';
import { packageVersion } from './packageFolder.js';
import { addRun } from './run.js';
import { Terminal } from './terminal.js';

const USAGE = 2;

const terminal = new Terminal();
const program = new Command('millrace')
  .description('Executes the tool calls a language model writes, and shows how.')
  .version(packageVersion())
  // Commands take it over: wrong usage is a code of its own, told apart from a reply that failed.
  .exitOverride();

addRun(program, terminal);
addExample(program, terminal);
addDraw(program, terminal);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else if (error instanceof CliError) {
    terminal.problem(`millrace: ${error.message}`);
    process.exitCode = error.exitCode;
  } else throw error;
}
