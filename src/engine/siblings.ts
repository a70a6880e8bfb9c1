import { Latch } from '../../operators/latch.js';
import type { Call, Stop } from '../call/call.js';
import type { Cause } from '../contract/outcome.js';
import type { BatchRecord } from './batches.js';

interface Watch {
  readonly latch: Latch<Cause>;
  readonly listener: (cause: Cause) => void;
}

/**
 * The sibling abort (SPEC §6): a latch for the turn, or one for each batch. Calls that are admitted after it
 * has tripped find it tripped; it never reaches the parent (law 6).
 */
export class Siblings {
  readonly #turn: Latch<Cause> | undefined;
  #listeners: Map<Call, Watch> | undefined;

  constructor(
    private readonly scope: 'turn' | 'batch' | 'off',
    /** What is done to a call when a sibling's failure reaches it. */
    private readonly abort: (call: Call, stop: Stop) => void,
  ) {
    if (scope === 'turn') this.#turn = new Latch();
  }

  /** From its admission on the call hears of it. */
  watch(call: Call, batch: BatchRecord): void {
    const latch = this.#latchOf(batch);
    if (latch === undefined || latch.tripped) return;
    const listener = (cause: Cause): void => this.abort(call, { code: 'sibling_aborted', cause });
    this.#listeners ??= new Map();
    this.#listeners.set(call, { latch, listener });
    latch.onTrip(listener);
  }

  unwatch(call: Call): void {
    const watched = this.#listeners?.get(call);
    if (watched === undefined) return;
    watched.latch.off(watched.listener);
    this.#listeners?.delete(call);
  }

  trip(by: Call, batch: BatchRecord): void {
    this.#latchOf(batch)?.trip({ type: 'call', toolUseId: by.id, name: by.name });
  }

  stopFor(batch: BatchRecord): Stop | undefined {
    const latch = this.#turn ?? batch.siblingAbort;
    return latch?.tripped === true ? { code: 'sibling_aborted', cause: latch.reason as Cause } : undefined;
  }

  #latchOf(batch: BatchRecord): Latch<Cause> | undefined {
    if (this.scope === 'off') return undefined;
    if (this.#turn !== undefined) return this.#turn;
    batch.siblingAbort ??= new Latch();
    return batch.siblingAbort;
  }
}
