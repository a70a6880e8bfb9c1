import { Latch } from '../../operators/latch.js';
import type { Cause } from '../contract/outcome.js';
import { callSignal } from '../interop/callSignal.js';
import { firstAnswer } from '../interop/firstAnswer.js';
import type { PendingAnswer } from '../interop/fromAnswer.js';

/** Where hooks get their time from. The deadlines of a turn are one. */
export interface HookClock {
  /** Calls `fire` in so many milliseconds unless it is cancelled; `Infinity` is never. */
  after(ms: number, fire: () => void): { cancel(): void } | undefined;
}

/** How an inquiry ended: with an answer, or with why there is none. */
export type Reply =
  | { readonly type: 'answer'; readonly value: unknown }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'timeout'; readonly ms: number };

/**
 * One question put to someone else's code, with a clock and a signal of its own.
 *
 * What is answered at once is told at once, without a timer. After the end, whatever it was, nothing is told any
 * more: a late answer is dropped, and a late rejection is nobody's unhandled one.
 */
export class Inquiry {
  #stop: Latch<Cause> | undefined;
  #signal: AbortSignal | undefined;
  #cause: Cause | undefined;
  #pending: PendingAnswer | undefined;
  #deadline: { cancel(): void } | undefined;
  #isOver = false;

  constructor(
    private readonly clock: HookClock,
    private readonly ms: number,
    private readonly tell: (reply: Reply) => void,
  ) {}

  /** Made on first use; aborted where the answer is not wanted any more, never by the answer itself. */
  get signal(): AbortSignal {
    if (this.#stop === undefined) {
      this.#stop = new Latch();
      // Who asks for the first time after the end of the question hears of it too.
      if (this.#cause !== undefined) this.#stop.trip(this.#cause);
    }
    this.#signal ??= callSignal(this.#stop);
    return this.#signal;
  }

  ask(question: () => unknown): void {
    try {
      this.#pending = firstAnswer(
        question(),
        (value) => this.#end({ type: 'answer', value }),
        (error) => this.#end({ type: 'error', error }),
      );
    } catch (error) {
      this.#end({ type: 'error', error });
    }
    // Whoever was asked may have had the turn stopped, and then answers for nothing.
    if (this.#isOver) this.#pending?.cancel();
    else this.#deadline = this.clock.after(this.ms, () => this.#lapse());
  }

  /** Nobody waits for the answer any more. */
  cancel(cause: Cause): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cause = cause;
    this.#deadline?.cancel();
    // The signal first: whoever is told to stop may want to know why.
    this.#stop?.trip(cause);
    this.#pending?.cancel();
  }

  #lapse(): void {
    const { ms } = this;
    this.cancel({ type: 'limit', limit: 'timeout', ms });
    this.tell({ type: 'timeout', ms });
  }

  #end(reply: Reply): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline?.cancel();
    this.tell(reply);
  }
}

/**
 * What is asked, with the signal of its inquiry, made when somebody looks at it.
 *
 * A class, for an object literal with a getter costs several microseconds: the engine keeps such objects as tables.
 */
export class Question {
  readonly #inquiry: Inquiry;

  protected constructor(inquiry: Inquiry) {
    this.#inquiry = inquiry;
  }

  get signal(): AbortSignal {
    return this.#inquiry.signal;
  }

  static of<T extends object>(inquiry: Inquiry, about: T): T & { readonly signal: AbortSignal } {
    return Object.assign(new Question(inquiry), about);
  }
}
