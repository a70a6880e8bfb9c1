import type { SharedSlots } from '../../operators/slots.js';

/** Whose time stands still until something comes from outside. */
interface Clock {
  tick(): void;
}

/** A shared pool, as one turn sees it: what it offers comes from another turn, and time may have passed since. */
export class TimedPool implements SharedSlots {
  readonly #offers = new WeakMap<() => void, () => void>();

  constructor(
    private readonly pool: SharedSlots,
    private readonly clock: Clock,
  ) {}

  free(kind: string): boolean {
    return this.pool.free(kind);
  }

  take(kind: string): void {
    this.pool.take(kind);
  }

  giveBack(kind: string): void {
    this.pool.giveBack(kind);
  }

  await(kind: string, offer: () => void): void {
    this.pool.await(kind, this.#timed(offer));
  }

  forget(offer: () => void): void {
    this.pool.forget(this.#timed(offer));
  }

  /** One for each offer: the pool knows who waits by what it calls. */
  #timed(offer: () => void): () => void {
    let timed = this.#offers.get(offer);
    if (timed === undefined) {
      timed = () => {
        this.clock.tick();
        offer();
      };
      this.#offers.set(offer, timed);
    }
    return timed;
  }
}
