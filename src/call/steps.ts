import type { WaitReason } from '../contract/events.js';
import type { Cause } from '../contract/outcome.js';

/** A step that has not ended. */
export interface PendingStep {
  /** Its end is not wanted any more. */
  cancel(cause: Cause): void;
}

/**
 * The steps of a call before its tool, one after another: at most one is pending.
 *
 * A step may end at once, and then the one after it begins inside it; who asks "is it still pending?" when the call
 * returns must not mistake the later one for its own.
 */
export class Steps {
  #pending: PendingStep | undefined;
  #count = 0;
  #cancelled: Cause | undefined;

  constructor(private readonly onWait: (reason: WaitReason) => void) {}

  get cancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  /** Begins a step: `start` gives what is left of it, nothing where it has ended at once. */
  begin(reason: WaitReason | undefined, start: () => PendingStep | undefined): void {
    if (this.#cancelled !== undefined) return;
    const own = ++this.#count;
    this.#pending = undefined;
    const pending = start();
    if (pending === undefined || own !== this.#count) return;
    if (this.#cancelled === undefined) this.#pending = pending;
    else pending.cancel(this.#cancelled);
    if (reason !== undefined && this.#cancelled === undefined) this.onWait(reason);
  }

  /** What is pending is not wanted any more; other steps may follow. */
  drop(cause: Cause): void {
    this.#count++;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.cancel(cause);
  }

  cancel(cause: Cause): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = cause;
    this.drop(cause);
  }
}
