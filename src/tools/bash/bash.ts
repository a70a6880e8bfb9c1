import { existsSync } from 'node:fs';
import { defer, map, merge, type Observable, take, tap, timer } from 'rxjs';
import { z } from 'zod';
import {
  type CallContext,
  defineTool,
  type Output,
  type Progress,
  progress,
  type ToolFailure,
} from '../../contract/index.js';
import { processGroup } from '../../node/index.js';
import { workingDirectory } from '../workingDirectory.js';
import { type BashOutput, bashText, type StopReason } from './bashResult.js';
import { CommandRun } from './commandRun.js';
import { shellSettings } from './exitCode.js';
import { isReadOnlyCommand } from './readOnly.js';

/** A piece of output while a command runs. */
export interface BashProgress {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Where and how `Bash` runs its commands. */
export interface BashOptions {
  /** Absolute folder every command starts in. */
  readonly cwd: string;
  /** Default: the environment of this program. */
  readonly env?: NodeJS.ProcessEnv;
  /** Program that gets `-c` and the command. Default `/bin/bash` where it exists, else `/bin/sh`. */
  readonly shell?: string;
  /** Milliseconds, where the call names none. Default 120,000. */
  readonly defaultTimeoutMs?: number;
  /** Milliseconds a call may name at most; a longer one is shortened to it. Default 600,000. */
  readonly maxTimeoutMs?: number;
  /** Milliseconds from TERM to KILL when a command is stopped. Default 2,000. */
  readonly killAfterMs?: number;
}

const inputSchema = z.strictObject({
  command: z.string().min(1).describe('The shell command to run.'),
  timeout: z.number().positive().optional().describe('Milliseconds after which the command is stopped.'),
  description: z.string().optional().describe('What the command does, in five to ten words, for the user.'),
});
type BashInput = z.infer<typeof inputSchema>;
type Settings = Required<BashOptions>;

const description = (maxTimeoutMs: number, defaultTimeoutMs: number): string =>
  `Runs a shell command and returns what it printed on stdout and stderr, and its exit code when that is not 0.

- Each command starts in a new shell in the working directory: \`cd\` and variables do not carry over, so chain what belongs together with \`&&\`.
- Nobody can answer prompts: standard input is empty. Use flags such as \`--yes\`.
- The command is stopped after \`timeout\` milliseconds (default ${defaultTimeoutMs}, at most ${maxTimeoutMs}).
- A process left in the background is ended with the command, unless its output is redirected: \`server > server.log 2>&1 &\`.
- To find, read and change files use Glob, Grep, Read, Edit and Write instead.`;

/**
 * The tool `Bash`: runs shell commands in process groups of their own.
 *
 * A command is safe to overlap only if it is certain to read; all others run alone, and their failure cancels the
 * siblings. When asked to stop, the whole group gets TERM, then KILL, and the call ends when it has gone.
 */
export const bash = (options: BashOptions) => {
  const settings = withDefaults(options);
  return defineTool({
    name: 'Bash',
    description: description(settings.maxTimeoutMs, settings.defaultTimeoutMs),
    inputSchema,
    kind: 'shell',
    call: (input, ctx) => runCommand(input, ctx, settings),
    isConcurrencySafe: ({ command }) => isReadOnlyCommand(command),
    isReadOnly: ({ command }) => isReadOnlyCommand(command),
    isDestructive: ({ command }) => !isReadOnlyCommand(command),
    mapResult: bashText,
    maxResultSizeChars: 30_000,
    // Its own timeout comes first; this one is for a system that does not end what is killed.
    timeoutMs: settings.maxTimeoutMs + 2 * graceMs(settings),
    graceMs: graceMs(settings),
    abortsSiblings: (_, { input }) => {
      const parsed = inputSchema.safeParse(input);
      return parsed.success && !isReadOnlyCommand(parsed.data.command);
    },
  });
};

const withDefaults = (options: BashOptions): Settings => ({
  env: process.env,
  shell: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
  defaultTimeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  killAfterMs: 2000,
  ...options,
  cwd: workingDirectory(options.cwd),
});

/** Room for TERM, KILL and a look whether they worked. */
const graceMs = ({ killAfterMs }: Settings): number => killAfterMs + 500;

type StopContext = Pick<CallContext, 'abort$' | 'scheduler'>;
type Emitted = Progress<BashProgress> | Output<BashOutput> | ToolFailure;

const runCommand = (input: BashInput, ctx: StopContext, settings: Settings): Observable<Emitted> =>
  defer(() => {
    const run = new CommandRun(input.command, shellSettings(settings.env));
    const ms = Math.min(input.timeout ?? settings.defaultTimeoutMs, settings.maxTimeoutMs);
    const stop$ = merge(
      ctx.abort$.pipe(map((cause): StopReason => ({ type: 'asked', cause }))),
      timer(ms, ctx.scheduler).pipe(map((): StopReason => ({ type: 'timeout', ms }))),
    ).pipe(
      take(1),
      tap((why) => run.stoppedBy(why)),
    );
    const { shell, cwd, env, killAfterMs } = settings;
    return processGroup({ command: shell, args: ['-c', input.command], cwd, env, killAfterMs, stop$ }).pipe(
      map((event): Emitted => {
        if (event.type !== 'chunk') return run.end(event);
        run.kept[event.stream].add(event.text);
        return progress({ stream: event.stream, text: event.text });
      }),
    );
  });
