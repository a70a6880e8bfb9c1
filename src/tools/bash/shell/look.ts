import { baseName, isOneWord, openWords, tailsOf } from './forms.js';
import { type GivenRun, givenRun } from './givenRuns.js';
import { isPlainProgram, runningSubcommands } from './names.js';
import { takesAnyWords } from './readers.js';
import type { ShellWord, SimpleCommand } from './syntax.js';
import { staticValue } from './values.js';
import { given, peelAll } from './wrappers.js';

/** Places among a command's words where another one is looked for, and wrappers around it: more is not looked into. */
const MAX_PLACES = 40;

/** A simple command, looked at: its words without wrappers, and what it runs of them. */
export interface Look {
  readonly command: SimpleCommand;
  /** Its words with each of its wrappers, the whole first. */
  readonly layers: readonly (readonly ShellWord[])[];
  readonly peeled: readonly ShellWord[];
  /** The program's name as it is called; `undefined` where it is only known when it runs. */
  readonly name: string | undefined;
  readonly open: ReturnType<typeof openWords>;
  /** Ends of its words that may be commands which it runs. */
  readonly tails: readonly (readonly ShellWord[])[];
  /** What it runs of what it is given, and what those ends would. */
  readonly runs: readonly GivenRun[];
  /** Why it can't be looked into any further. */
  readonly unknown: readonly string[];
}

const staticOf = (word: ShellWord | undefined): string | undefined =>
  word === undefined ? undefined : staticValue(word);

export const lookAt = (command: SimpleCommand): Look => {
  const { peeled, layers } = peelAll(command.words);
  const name = staticOf(peeled[0]);
  const base = baseName(name ?? '');
  const args = peeled.slice(1).map(staticValue);
  const run = givenRun(base, args, command.input?.text);
  // These give the commands they run more words than one can see.
  const words = /^(xargs|parallel|rush)$/.test(base) ? [...peeled, given] : peeled;
  const from = run.tailFrom ?? tailPlace(base, args);
  const tails = from === undefined ? [] : tailsOf(words, from, MAX_PLACES + 1);
  const open = openWords(peeled);
  return {
    command,
    layers: [...layers.slice(0, MAX_PLACES), peeled],
    peeled,
    name,
    open,
    tails,
    runs: [run, ...tails.flatMap((tail) => tailRun(tail, command))],
    unknown: [
      ...reasons(name, open, tails, layers.length),
      ...(isOpenRun(tails, run.tailFrom !== undefined) ? [unknownName] : []),
    ],
  };
};

/** Where the command begins that a program may run of its words; `undefined` for one that runs none of them. */
const tailPlace = (name: string, args: readonly (string | undefined)[]): number | undefined => {
  if (isPlainProgram(name)) return undefined;
  const running = runningSubcommands(name);
  if (running === undefined) return 1;
  const at = args.findIndex((arg) => arg !== undefined && running.test(arg));
  return at === -1 ? undefined : at + 2;
};

/** What a command behind another one would run in turn; builtins are no programs that others could run. */
const tailRun = ([first, ...others]: readonly ShellWord[], { input }: SimpleCommand): readonly GivenRun[] => {
  const name = staticOf(first);
  if (name === undefined || /^(\.|source|alias|trap|hash|enable|bind|eval)$/.test(name)) return [];
  const run = givenRun(baseName(name), others.map(staticValue), input?.text);
  // Its own ends are ends of the whole.
  return run.texts.length > 0 || run.opaque !== undefined ? [run] : [];
};

const unknownName = 'a command whose name is only known when it runs';

/** Whether the command that a program runs may be a word nobody knows: any of its words where it is certain to run one. */
const isOpenRun = (tails: Look['tails'], runsOne: boolean): boolean =>
  tails.slice(0, runsOne ? tails.length : 1).some(([word]) => {
    if (word === undefined || word === given || staticOf(word) !== undefined) return false;
    const [first] = word.pieces;
    // A setting or an option, whatever its value.
    return !(first?.type === 'literal' && /^(\w+=|-)/.test(first.value) && isOneWord(word));
  });

const reasons = (
  name: string | undefined,
  open: Look['open'],
  tails: Look['tails'],
  layers: number,
): readonly string[] => {
  const found: string[] = [];
  if (name === undefined || !/^[!-~]*$/.test(name) || name.includes('{}')) {
    found.push(unknownName);
  }
  const isOpen = open === 'subcommand' && !takesAnyWords(name ?? '');
  if (isOpen || tails.some((tail) => openWords(tail) === 'subcommand')) {
    found.push('a subcommand that is only known when it runs');
  }
  if (tails.length > MAX_PLACES || layers > MAX_PLACES) {
    found.push('a command with too many words to look for others in');
  }
  return found;
};
