import { failure, type Output, output, type ToolFailure } from '../../contract/index.js';
import type { ProcessExit, ProcessNotStarted } from '../../node/index.js';
import {
  type BashFailureData,
  type BashOutput,
  bashText,
  goesOn,
  leftBehind,
  type Printed,
  type StopReason,
  stopText,
} from './bashResult.js';
import type { BashSettings } from './bashSettings.js';
import { answeringProgram } from './exitCode.js';
import { KeptOutput } from './keptOutput.js';

type Background = NonNullable<BashOutput['background']>;
type Exit = Pick<ProcessExit, 'exitCode' | 'signal'>;

/** What a command has printed, and what its end means; `why` it was stopped, if it was. */
export class CommandRun {
  readonly kept = { stdout: new KeptOutput(), stderr: new KeptOutput() };
  readonly #command: string;
  readonly #settings: BashSettings;

  constructor(command: string, settings: BashSettings) {
    this.#command = command;
    this.#settings = settings;
  }

  notStarted(event: ProcessNotStarted): ToolFailure {
    const data = this.#data('not-started', { exitCode: null, signal: null });
    return failure(event.message, { data, infrastructure: true, executed: 'no' });
  }

  /** It was asked to stop before it was started. */
  notBegun(why: StopReason): ToolFailure {
    const text = `${stopText(why)}\n${bashText({ ...this.#printed(), notes: [] })}`;
    return failure(text, { data: this.#data('stopped', { exitCode: null, signal: null }) });
  }

  ended(
    event: ProcessExit,
    why: StopReason | undefined,
    left: Background | undefined,
  ): Output<BashOutput> | ToolFailure {
    const notes = leftBehind(event, left?.id);
    if (why !== undefined) {
      return this.#failed(stopText(why), why.type === 'timeout' ? 'timeout' : 'stopped', event, notes);
    }
    if (event.exitCode === null) {
      const what = `The command was killed from outside by ${event.signal}, not by this tool.`;
      return this.#failed(what, 'killed', event, notes);
    }
    return this.#exited(event.exitCode, event, notes, left);
  }

  /** Its call ends, the command does not. */
  goesOn(ms: number, background: Background & { readonly outputPath: string }): Output<BashOutput> {
    const notes = [goesOn(ms, background.id, background.outputPath)];
    return output({ ...this.#printed(), exitCode: null, notes, background });
  }

  #exited(
    exitCode: number,
    exit: Exit,
    notes: readonly string[],
    left: Background | undefined,
  ): Output<BashOutput> | ToolFailure {
    const background = left === undefined ? undefined : { background: left };
    if (exitCode === 0) return output({ ...this.#printed(), exitCode, notes, ...background });
    const program = exitCode === 1 ? answeringProgram(this.#command, this.#settings.reading) : undefined;
    if (program === undefined) return this.#failed(`Exit code ${exitCode}`, 'exit-code', exit, notes);
    const note = `exit code 1, which is an answer of ${program} and no error`;
    return output({ ...this.#printed(), exitCode, notes: [note, ...notes], ...background });
  }

  #failed(
    what: string,
    reason: BashFailureData['reason'],
    exit: Exit,
    notes: readonly string[],
  ): ToolFailure {
    const text = `${what}\n${bashText({ ...this.#excerpts(), notes })}`;
    // A kill from outside says nothing about the call: the model must not look for a fault in its command.
    const infrastructure = reason === 'killed';
    return failure(text, { data: this.#data(reason, exit), infrastructure });
  }

  #printed(): Printed {
    return { stdout: this.kept.stdout.text, stderr: this.kept.stderr.text };
  }

  /** A failure's text goes to the model as it is: a stream may take more than its half where the other leaves room. */
  #excerpts(): Printed {
    const { stdout, stderr } = this.kept;
    const chars = this.#settings.maxOutputChars;
    const half = Math.floor(chars / 2);
    return {
      stdout: stdout.excerpt(Math.max(half, chars - stderr.length)),
      stderr: stderr.excerpt(Math.max(half, chars - stdout.length)),
    };
  }

  #data(reason: BashFailureData['reason'], { exitCode, signal }: Exit): BashFailureData {
    return { reason, exitCode, signal, ...this.#printed() };
  }
}
