import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { addAskOptions, type GuardOptions } from './guard/guardOptions.js';
import { packageFolder } from './packageFolder.js';
import { runFile } from './run.js';
import { addRunOptions, type RunOptions } from './runOptions.js';
import type { Terminal } from './terminal.js';

/** `millrace example`: runs the reply that comes with the package in a copy of its workspace. */
export const addExample = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('example')
    .description('run an example: ten calls that mend, build and check a small program, in a temporary copy');
  addAskOptions(addRunOptions(command)).action(async (options: RunOptions & GuardOptions) => {
    const examples = join(packageFolder(), 'examples');
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-example-')));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    // Also when a second Ctrl-C leaves at once.
    process.once('exit', remove);
    cpSync(join(examples, 'workspace'), folder, { recursive: true });
    const reply = join(examples, 'replies', 'fix-the-build.sse');
    process.exitCode = await runFile(reply, folder, options, terminal);
    remove();
    if (options.json !== true) terminal.line(`\nremoved ${folder}`);
  });
};
