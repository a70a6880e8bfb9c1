import { Latch } from '../../../operators/latch.js';

/** A second Ctrl-C within this many milliseconds is the first once more: npm hands on what the terminal sent. */
const SAME_KEY_MS = 250;

/**
 * The signals that stop a run. The first Ctrl-C is the user's interruption, SIGTERM and SIGHUP are the program's;
 * a second one of a kind leaves at once, and whatever the run started is killed with it.
 */
export class StopSignals {
  readonly #interrupt = new Latch<string>();
  readonly #abort = new AbortController();
  readonly #leave: (code: number) => void;
  #onInterrupt: () => void = () => undefined;
  #interruptedAt = 0;
  #exitCode: number | undefined;

  /** @param leave ends the program at once */
  constructor(leave: (code: number) => void = (code) => process.exit(code)) {
    this.#leave = leave;
  }

  /** For `executeTools`: emits once, on the first Ctrl-C. */
  get interrupt$() {
    return this.#interrupt.tripped$;
  }

  /** For `executeTools`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** By the shells' convention; `undefined`: the run was not stopped. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Listens until what it returns is called. */
  listen(onInterrupt: () => void): () => void {
    this.#onInterrupt = onInterrupt;
    const onInt = (): void => this.interrupt();
    const onTerm = (): void => this.abort('SIGTERM', 143);
    const onHup = (): void => this.abort('SIGHUP', 129);
    process.on('SIGINT', onInt).on('SIGTERM', onTerm).on('SIGHUP', onHup);
    return () => process.off('SIGINT', onInt).off('SIGTERM', onTerm).off('SIGHUP', onHup);
  }

  /** Stops everything; the reason is shown. */
  abort(reason: string, exitCode: number): void {
    if (this.signal.aborted) this.#leave(exitCode);
    else {
      this.#exitCode = exitCode;
      this.#abort.abort(reason);
    }
  }

  /** What Ctrl-C does: it may also have been typed where a terminal takes it for a key. */
  interrupt(): void {
    const now = performance.now();
    if (!this.#interrupt.tripped) {
      this.#interruptedAt = now;
      this.#exitCode ??= 130;
      this.#onInterrupt();
      this.#interrupt.trip('Ctrl-C');
    } else if (now - this.#interruptedAt >= SAME_KEY_MS) this.#leave(130);
  }
}
