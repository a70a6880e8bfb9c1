import { type Command, Option } from 'commander';
import type { PermissionMode } from '../../contract/index.js';
import { permissionModes } from '../../permissions/modes.js';

/** Who is asked before a call runs. */
export interface GuardOptions {
  /** Folder whose settings files hold. */
  readonly settings?: string;
  readonly trust?: true;
  readonly ask?: true;
  readonly permissionMode?: PermissionMode;
}

/** `--ask` and `--permission-mode`: what needs no settings. */
export const addAskOptions = (command: Command): Command =>
  command
    .option('--ask', 'ask in this terminal about calls that no rule decides')
    .addOption(
      new Option('--permission-mode <mode>', 'how far calls go without being asked about').choices(
        permissionModes,
      ),
    );

/** All of them. */
export const addGuardOptions = (command: Command): Command =>
  addAskOptions(
    command
      .option('--settings <folder>', 'use hooks, permissions and limits of .claude/settings.json there')
      .option('--trust', "let the folder's own settings run hooks and allow calls"),
  );
