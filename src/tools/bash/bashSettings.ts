import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { InvalidOptionError } from '../../contract/index.js';
import { limitsFromEnv } from '../../node/env.js';
import { workingDirectory } from '../workingDirectory.js';
import { type BackgroundCommands, createBackgroundCommands } from './backgroundCommands.js';
import { type ShellSettings, shellSettings } from './shellSettings.js';

/** Where and how `Bash` runs its commands. */
export interface BashOptions {
  /** Absolute folder every command starts in. */
  readonly cwd: string;
  /** Environment of the commands. Default: that of this program. */
  readonly env?: NodeJS.ProcessEnv;
  /** Program that gets `-c` and the command. Default `/bin/bash` where it exists, else `/bin/sh`. */
  readonly shell?: string;
  /** Milliseconds, where the call names none. Default this program's `BASH_DEFAULT_TIMEOUT_MS`, else 120,000. */
  readonly defaultTimeoutMs?: number;
  /** Milliseconds a call may name at most; a longer one is shortened to it. Default `BASH_MAX_TIMEOUT_MS`, else 600,000. */
  readonly maxTimeoutMs?: number;
  /** Characters of its output a result shows. Default `BASH_MAX_OUTPUT_LENGTH`, else 30,000. */
  readonly maxOutputChars?: number;
  /** Milliseconds from TERM to KILL when a command is stopped. Default 2,000. */
  readonly killAfterMs?: number;
  /**
   * What becomes of a command that runs into its timeout: it is ended (`end`, the default), or its call ends well and
   * it goes on (`background`), with what it prints in a file.
   */
  readonly onTimeout?: 'end' | 'background';
  /** Lists what goes on in the background, and ends it. Default: one that only the end of the program ends. */
  readonly background?: BackgroundCommands;
}

/** The options with their defaults. */
export interface BashSettings extends Required<BashOptions> {
  readonly reading: ShellSettings;
  /** What `~` stands for. */
  readonly home: string;
}

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws InvalidOptionError for a folder that is not absolute, or a way that there is not */
export const bashSettings = (options: BashOptions): BashSettings => {
  const {
    defaultTimeoutMs = 120_000,
    maxTimeoutMs = 600_000,
    maxOutputChars = 30_000,
  } = limitsFromEnv().bash ?? {};
  const shell = options.shell ?? (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh');
  const env = options.env ?? process.env;
  const onTimeout = options.onTimeout ?? 'end';
  if (onTimeout !== 'end' && onTimeout !== 'background')
    throw new InvalidOptionError('onTimeout', "'end' or 'background'", onTimeout);
  return {
    defaultTimeoutMs: options.defaultTimeoutMs ?? defaultTimeoutMs,
    maxTimeoutMs: Math.min(options.maxTimeoutMs ?? maxTimeoutMs, LONGEST_TIMER_MS),
    maxOutputChars: options.maxOutputChars ?? maxOutputChars,
    killAfterMs: options.killAfterMs ?? 2000,
    background: options.background ?? createBackgroundCommands(),
    ...{ shell, env, onTimeout, reading: shellSettings(env, shell), home: env.HOME || homedir() },
    cwd: workingDirectory(options.cwd),
  };
};
