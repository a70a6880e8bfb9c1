import type { Cause } from '../../contract/index.js';
import type { ProcessExit } from '../../node/index.js';

/** What a command printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What `Bash` ends with when the command did what it should. */
export interface BashOutput extends Printed {
  /** 0, or 1 from a program that answers with it (`grep`, `diff`, `test`, …); `null` where it goes on. */
  readonly exitCode: number | null;
  /** Why an exit code other than 0 is no failure, and what became of processes left behind; for the model. */
  readonly notes: readonly string[];
  /** What goes on in the background after this call: the command itself, or what it started. */
  readonly background?: { readonly id: string; readonly pid: number; readonly outputPath?: string };
}

/** `data` of a failure of `Bash`. */
export interface BashFailureData extends Printed {
  readonly reason: 'exit-code' | 'timeout' | 'stopped' | 'killed' | 'not-started';
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Why the tool stopped a command. */
export type StopReason =
  | { readonly type: 'asked'; readonly cause: Cause }
  | { readonly type: 'timeout'; readonly ms: number };

/** The result's text: stdout as it is, stderr under a line of its own, then the notes. */
export const bashText = ({
  stdout,
  stderr,
  notes,
}: Printed & { readonly notes: readonly string[] }): string => {
  const parts = [stdout.trimEnd()];
  if (stderr.trimEnd() !== '') parts.push(`[stderr]\n${stderr.trimEnd()}`);
  const printed = parts.filter((part) => part !== '').join('\n');
  return [printed === '' ? '[no output]' : printed, ...notes.map((note) => `[${note}]`)].join('\n');
};

/** What the model must know about processes that did not end with the command. */
export const leftBehind = (exit: ProcessExit, background: string | undefined): string[] => {
  const notes = [];
  if (background !== undefined) {
    notes.push(`a process of it goes on in the background as ${background}, until the program ends`);
  }
  if (exit.escaped) {
    notes.push('a process that left the session of the command was not ended and may still run');
  } else if (exit.leftOpen) {
    notes.push(
      'a background process still held the output and was ended; redirect its output to let it run on',
    );
  }
  if (exit.survives) notes.push('some of its processes could not be ended and may still run');
  return notes;
};

/** What the model must know of a command that goes on although its call ends here. */
export const goesOn = (ms: number, id: string, outputPath: string): string =>
  `the command ran into its timeout of ${ms} ms and goes on in the background as ${id}, until the program ends; all it prints, from the beginning, goes to ${outputPath}`;

/** How a command that was stopped is told of; limits only, no measured times (law 2). */
export const stopText = (why: StopReason): string =>
  why.type === 'timeout'
    ? `The command ran into its timeout of ${why.ms} ms and was stopped.`
    : 'The command was asked to stop before it had ended, and was stopped.';
