import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work before others get their turn. */
const SLICE_MS = 4;
/** Steps between two looks at the clock: a look costs as much as a short line takes to search. */
const STEPS = 16;

/**
 * Lets long work give way to the event loop now and then, or else no stop request would reach it (law 8).
 *
 * One for each search; ask it in every loop whose length a stranger's files decide:
 * `if (slice.isOver() && !(await slice.next())) return;`
 */
export class TimeSlice {
  readonly #signal: AbortSignal;
  #until = performance.now() + SLICE_MS;
  #steps = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Whether it is time to give way.
   *
   * @param steps what the work done since the last question weighs; default 1, a few microseconds at most. Work
   * that may take longer weighs 16 or more, and the clock is looked at
   */
  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < STEPS) return false;
    this.#steps = 0;
    return performance.now() >= this.#until;
  }

  /** Gives way; afterwards, whether to go on. */
  async next(): Promise<boolean> {
    await nextTurn();
    this.#until = performance.now() + SLICE_MS;
    return !this.#signal.aborted;
  }
}
