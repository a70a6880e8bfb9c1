import { readCommands } from './commands.js';
import { isReadOnlyCommand } from './shell/index.js';
import type { ShellSettings } from './shellSettings.js';

type Arguments = readonly string[];
const any = (): boolean => true;
const only =
  (allowed: RegExp) =>
  (args: Arguments): boolean =>
    args.every((arg) => allowed.test(arg));
const none =
  (forbidden: RegExp) =>
  (args: Arguments): boolean =>
    !args.some((arg) => forbidden.test(arg));

/** Programs that only read, each with a check of its arguments: those that write or run others are not let through. */
const readers: ReadonlyMap<string, (args: Arguments) => boolean> = new Map([
  ['ls', any],
  ['cat', any],
  ['head', any],
  ['tail', any],
  ['wc', any],
  ['pwd', any],
  ['echo', any],
  ['which', any],
  ['stat', any],
  ['grep', any],
  // `--pre` and `--hostname-bin` run a program.
  ['rg', none(/^--(pre|hostname-bin)/)],
  // Anything else may set the clock.
  ['date', only(/^(\+.*|-u|--utc|-R|-I[a-z]*)$/)],
  // `-C` writes a compiled magic file, and may hide in a bundle of flags.
  ['file', only(/^([^-].*|-[biL]+|--mime(-type|-encoding)?|--brief)$/)],
  ['git', (args) => gitReaders.has(args[0] ?? '') && gitArguments(args.slice(1))],
]);

const gitReaders: ReadonlySet<string> = new Set(['status', 'log', 'diff', 'show']);
// `--output` writes a file and `--ext-diff` runs a program; git takes any unambiguous beginning of a long option.
const gitArguments = none(/^--(o(?!neline$)|ex)/);

/**
 * Whether a command is certain to read only.
 *
 * The parser knows Bash: for another shell only what all shells read alike counts, one simple command of a short list
 * with nothing in it that the shell expands. Where the environment may have renamed a program, nothing is certain.
 */
export const isReadOnlyIn = ({ isBash, renames }: ShellSettings, text: string): boolean =>
  !renames && isReadOnlyCommand(text) && (isBash || isPlainReader(text));

const isPlainReader = (text: string): boolean => {
  const list = readCommands(text);
  const [command, ...others] = list?.commands ?? [];
  if (list?.literal !== true || command === undefined || others.length > 0) return false;
  const [program = '', ...args] = command.words;
  return readers.get(program)?.(args) === true;
};
