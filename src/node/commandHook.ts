import { isAbsolute } from 'node:path';
import { map, type Observable } from 'rxjs';
import { InvalidOptionError } from '../contract/errors.js';
import type { Hook, HookAnswer, HookEventName, HookInput } from '../contract/hooks.js';
import { hookEvents } from '../hooks/index.js';
import { readExit } from './hookExit.js';
import { HookOutputError } from './hookJson.js';
import { type HookSession, hookPayload } from './hookPayload.js';
import { hookProcess } from './hookProcess.js';

export interface CommandHookOptions<E extends HookEventName = HookEventName>
  extends Omit<Hook<E>, 'run' | 'key'> {
  /** Shell text; with `args`, a program that is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The shell for `command` without `args`. Default `/bin/sh`. */
  readonly shell?: string;
  /** Absolute folder to run in, and that relative paths of inputs start from. Default: this program's. */
  readonly cwd?: string;
  /** Absolute; told as `CLAUDE_PROJECT_DIR`. Default `cwd`. */
  readonly projectDir?: string;
  /** Added to this program's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: HookSession;
  /** Milliseconds from TERM to KILL when it is stopped. Default 2,000. */
  readonly killAfterMs?: number;
}

/**
 * A hook that is a program: JSON on its standard input, a decision by exit code or JSON on its standard output, as
 * coding agents write them in their settings files.
 *
 * It runs in a process group of its own, without a terminal; the end of its time, or of the turn, ends the group.
 *
 * **Gotchas** As every hook that decides it fails closed: one that can't be started, crashes, is too late or prints
 * broken JSON blocks the call, unless `onFailure: 'continue'` says otherwise.
 *
 * @param options `timeoutMs` in milliseconds, default the turn's limit for hooks
 * @throws InvalidOptionError for a command that is empty, or a folder that is not absolute
 * @example
 * ```ts
 * const guard = commandHook('PreToolUse', { matcher: 'Bash', command: './guard.sh', timeoutMs: 5_000 });
 * ```
 */
export const commandHook = <E extends HookEventName>(event: E, options: CommandHookOptions<E>): Hook<E> => {
  const { command, args, shell, cwd, projectDir, env } = options;
  const { name, matcher, if: condition, timeoutMs, onFailure } = options;
  check(event, options);
  return {
    name: name ?? inOneLine([command, ...(args ?? [])].join(' ')),
    key: JSON.stringify([command, args, shell, cwd, projectDir, env]),
    ...(matcher === undefined ? undefined : { matcher }),
    ...(condition === undefined ? undefined : { if: condition }),
    ...(timeoutMs === undefined ? undefined : { timeoutMs }),
    ...(onFailure === undefined ? undefined : { onFailure }),
    // The output of its JSON is read by the event of this very input.
    run: (input) => runHook(input, options) as Observable<HookAnswer<E> | undefined>,
  };
};

/** A script as a name: its beginning says enough in an event or a message. */
const inOneLine = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
};

const check = (event: HookEventName, options: CommandHookOptions<never>): void => {
  const { command, args, cwd, projectDir } = options;
  if (!hookEvents.includes(event)) throw new InvalidOptionError('event', hookEvents.join(', '), event);
  if (typeof command !== 'string' || command.trim() === '') {
    throw new InvalidOptionError('command', 'a text that is not empty', command);
  }
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
    throw new InvalidOptionError('args', 'a list of texts', args);
  }
  for (const [where, folder] of Object.entries({ cwd, projectDir })) {
    if (folder === undefined || isAbsolute(folder)) continue;
    throw new InvalidOptionError(where, 'an absolute path', folder);
  }
};

const runHook = (input: HookInput, options: CommandHookOptions<never>): Observable<unknown> => {
  const { cwd = process.cwd(), projectDir = cwd, session = {}, killAfterMs = 2_000 } = options;
  return hookProcess({
    ...programOf(options, projectDir),
    cwd,
    env: { ...process.env, ...options.env, CLAUDE_PROJECT_DIR: projectDir },
    input: hookPayload(input, session, cwd),
    killAfterMs,
  }).pipe(
    map((end) => {
      if (end.type === 'exit') return readExit(end, input);
      throw new HookOutputError(`not started. ${end.message}`);
    }),
  );
};

/** Without a shell nobody else would put in where the project is. */
const programOf = ({ command, args, shell = '/bin/sh' }: CommandHookOptions<never>, projectDir: string) => {
  if (args === undefined) return { command: shell, args: ['-c', command] };
  const filled = (text: string): string => text.replaceAll(`\${CLAUDE_PROJECT_DIR}`, () => projectDir);
  return { command: filled(command), args: args.map(filled) };
};
