import { failure, type Output, output, type ToolFailure } from '../../contract/index.js';
import type { ProcessExit, ProcessNotStarted } from '../../node/index.js';
import {
  type BashFailureData,
  type BashOutput,
  bashText,
  leftBehind,
  type Printed,
  type StopReason,
  stopText,
} from './bashResult.js';
import { answeringProgram, type ShellSettings } from './exitCode.js';
import { KeptOutput } from './keptOutput.js';

/** One run of a command: what it printed, whether it was stopped, and what its end means. */
export class CommandRun {
  readonly kept = { stdout: new KeptOutput(), stderr: new KeptOutput() };
  readonly #command: string;
  readonly #settings: ShellSettings;
  #why: StopReason | undefined;

  constructor(command: string, settings: ShellSettings) {
    this.#command = command;
    this.#settings = settings;
  }

  stoppedBy(why: StopReason): void {
    this.#why = why;
  }

  end(event: ProcessExit | ProcessNotStarted): Output<BashOutput> | ToolFailure {
    if (event.type === 'not-started') {
      const text = event.message;
      return failure(text, {
        data: this.#data('not-started', null, null),
        infrastructure: true,
        executed: 'no',
      });
    }
    const { exitCode, signal } = event;
    if (this.#why !== undefined) {
      return this.#failed(stopText(this.#why), this.#why.type === 'timeout' ? 'timeout' : 'stopped', event);
    }
    if (exitCode === null) {
      return this.#failed(
        `The command was killed from outside by ${signal}, not by this tool.`,
        'killed',
        event,
      );
    }
    return this.#exited(exitCode, event);
  }

  #exited(exitCode: number, event: ProcessExit): Output<BashOutput> | ToolFailure {
    const notes = leftBehind(event);
    if (exitCode === 0) return output({ ...this.#printed(), exitCode, notes });
    const program = exitCode === 1 ? answeringProgram(this.#command, this.#settings) : undefined;
    if (program === undefined) return this.#failed(`Exit code ${exitCode}`, 'exit-code', event);
    const note = `exit code 1, which is an answer of ${program} and no error`;
    return output({ ...this.#printed(), exitCode, notes: [note, ...notes] });
  }

  #failed(what: string, reason: BashFailureData['reason'], exit: ProcessExit): ToolFailure {
    const text = `${what}\n${bashText({ ...this.#printed(), notes: leftBehind(exit) })}`;
    // A kill from outside says nothing about the call: the model must not look for a fault in its command.
    const infrastructure = reason === 'killed';
    return failure(text, { data: this.#data(reason, exit.exitCode, exit.signal), infrastructure });
  }

  #printed(): Printed {
    return { stdout: this.kept.stdout.text, stderr: this.kept.stderr.text };
  }

  #data(
    reason: BashFailureData['reason'],
    exitCode: number | null,
    signal: NodeJS.Signals | null,
  ): BashFailureData {
    return { reason, exitCode, signal, ...this.#printed() };
  }
}
