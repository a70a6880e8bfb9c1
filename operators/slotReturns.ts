import type { Inner } from './inner.js';

/** Why a value waits: for a slot of its own operator, for a shared one, or because another must run alone. */
export type SlotReason = 'limit' | 'pool' | 'alone';

/**
 * The slot a running value holds, in the hands of who runs it.
 *
 * Work that waits for a person or for time gives its slot back meanwhile; work that turns out to be unsafe has to
 * run alone although it was started beside others.
 */
export interface Slot {
  /** Others may have it. Does nothing where it is given back already. */
  giveBack(): void;
  /** `then` is called when it has a slot again: at once where one is free, and before all that have not started. */
  takeAgain(then: () => void, onWait?: (reason: SlotReason) => void): void;
  /**
   * Gives the slot back; `then` is called, with a slot, when all others that had started have ended. Nothing starts
   * until this value has ended too. Several go one after the other, in the order they asked.
   */
  alone(then: () => void, onWait?: (reason: SlotReason) => void): void;
}

/** One that has started and wants a slot again. */
export interface Returning {
  readonly inner: Inner<unknown>;
  readonly then: () => void;
  readonly onWait: ((reason: SlotReason) => void) | undefined;
}

/** Those that have started and wait for a slot, or to run alone, in the order they asked. Internal. */
export class SlotReturns {
  readonly #returning = new Map<Inner<unknown>, Returning>();
  readonly #alone = new Map<Inner<unknown>, Returning>();
  /** The first of those, where it has been given its turn. */
  #running: Inner<unknown> | undefined;

  /** Somebody must run alone: nothing starts. */
  get holds(): boolean {
    return this.#alone.size > 0;
  }

  /** Somebody who had started waits for a slot. */
  get returning(): boolean {
    return this.#returning.size > 0;
  }

  takeAgain(returning: Returning): void {
    this.#returning.set(returning.inner, returning);
  }

  alone(returning: Returning): void {
    this.#alone.set(returning.inner, returning);
  }

  /** The first that can have a slot, taken out; `running` is how many have started and not ended. */
  next(running: number, hasSlot: (kind: string) => boolean): Returning | undefined {
    if (this.#running === undefined && this.holds && running === this.#alone.size) this.#letFirstRun();
    for (const returning of this.#returning.values()) {
      if (!hasSlot(returning.inner.kind)) continue;
      this.#returning.delete(returning.inner);
      return returning;
    }
    return undefined;
  }

  #letFirstRun(): void {
    for (const [inner, returning] of this.#alone) {
      this.#running = inner;
      this.#returning.set(inner, returning);
      return;
    }
  }

  /** It has ended, whatever it was waiting for. */
  forget(inner: Inner<unknown>): void {
    this.#returning.delete(inner);
    this.#alone.delete(inner);
    if (this.#running === inner) this.#running = undefined;
  }

  /** Still waiting: to be told why. */
  waits({ inner }: Returning): boolean {
    return this.#returning.has(inner) || (this.#alone.has(inner) && this.#running !== inner);
  }
}
