import { z } from 'zod';
import { defineTool, type RuleTarget, type ToolUse } from '../../contract/index.js';
import { bashText } from './bashResult.js';
import { type BashOptions, type BashSettings, bashSettings } from './bashSettings.js';
import { runCommand } from './commandCall.js';
import { readCommands } from './commands.js';
import { isReadOnlyIn } from './readOnly.js';
import { realPath } from './realPath.js';
import { shellTargets } from './shell/index.js';

const inputSchema = z.strictObject({
  command: z.string().min(1).describe('The shell command to run.'),
  timeout: z.number().positive().optional().describe('Milliseconds the command may take.'),
  description: z.string().optional().describe('What the command does, in five to ten words, for the user.'),
});

const description = ({ maxTimeoutMs, defaultTimeoutMs, onTimeout }: BashSettings): string => {
  const late =
    onTimeout === 'background'
      ? `After \`timeout\` milliseconds (default ${defaultTimeoutMs}, at most ${maxTimeoutMs}) the command goes on in the background, and the result names the file with what it prints.`
      : `The command is stopped after \`timeout\` milliseconds (default ${defaultTimeoutMs}, at most ${maxTimeoutMs}).`;
  return `Runs a shell command and returns what it printed on stdout and stderr, and its exit code when that is not 0.

- Each command starts in a new shell in the working directory: \`cd\` and variables do not carry over, so chain what belongs together with \`&&\`.
- Nobody can answer prompts: standard input is empty. Use flags such as \`--yes\`.
- ${late}
- A process left in the background is ended with the command, unless its output is redirected: \`server > server.log 2>&1 &\`.
- To find, read and change files use Glob, Grep, Read, Edit and Write instead.`;
};

/**
 * The tool `Bash`: runs shell commands in process groups of their own.
 *
 * A command is safe to overlap only if it is certain to read; all others run alone, and their failure cancels the
 * siblings. When asked to stop, the whole group gets TERM, then KILL, and the call ends when it has gone, with what
 * the command had printed. What goes on after a call ends with the program at the latest, or by `background`.
 *
 * @throws InvalidOptionError where `cwd` is not absolute
 */
export const bash = (options: BashOptions) => {
  const settings = bashSettings(options);
  const readsOnly = (command: string): boolean => isReadOnlyIn(settings.reading, command);
  return defineTool({
    name: 'Bash',
    description: description(settings),
    inputSchema,
    kind: 'shell',
    call: ({ command, timeout = settings.defaultTimeoutMs }, ctx) =>
      runCommand({ command, ms: Math.min(timeout, settings.maxTimeoutMs) }, ctx, settings),
    isConcurrencySafe: ({ command }) => readsOnly(command),
    isReadOnly: ({ command }) => readsOnly(command),
    isDestructive: ({ command }) => !readsOnly(command),
    ruleTargets: ({ command }) => targetsOf(command, settings),
    mapResult: bashText,
    maxResultSizeChars: settings.maxOutputChars,
    // Its own timeout comes first; this one is for a system that does not end what is killed.
    timeoutMs: settings.maxTimeoutMs + 2 * graceMs(settings),
    graceMs: graceMs(settings),
    abortsSiblings: (_: unknown, { input }: ToolUse) => {
      const parsed = inputSchema.safeParse(input);
      return parsed.success && !readsOnly(parsed.data.command);
    },
  });
};

/** Room for TERM, KILL, and looks whether they worked and what was still in the pipes. */
const graceMs = ({ killAfterMs }: BashSettings): number => killAfterMs + 1000;

const targetsOf = (command: string, { cwd, home, reading }: BashSettings): readonly RuleTarget[] => {
  const targets = shellTargets(command, { cwd, home, realPath });
  if (reading.isBash || readCommands(command) !== undefined) return targets;
  return [...targets, { type: 'unparsed', reason: 'the shell is not Bash and may read it otherwise' }];
};
