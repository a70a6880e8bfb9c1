/** Slots shared by several `mergeSafe`: who takes one gives it back. */
export interface SharedSlots {
  /** Whether there is a slot for a value of this kind now. */
  free(kind: string): boolean;
  /** Takes a slot; only after `free`. */
  take(kind: string): void;
  giveBack(kind: string): void;
  /** Calls `offer` once, when a slot for this kind has become free: in fair turns, whoever waits longest first. */
  await(kind: string, offer: () => void): void;
  /** Takes back every `await` of this offer. */
  forget(offer: () => void): void;
}

/** How many may run at a time. */
export interface SlotLimits {
  /** In all: an integer from 1, or `Infinity`. */
  readonly concurrency: number;
  /** By kind; kinds that are not named have no limit of their own. */
  readonly kinds?: Readonly<Record<string, number>> | undefined;
}

/** Refuses what would hang or run everything at once: RxJS takes 0 and `NaN` and waits for ever. */
export const checkLimit = (name: string, limit: number): void => {
  if (limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 1)) return;
  throw new RangeError(`expected \`${name}\` to be an integer from 1 up or Infinity, got ${String(limit)}`);
};

/** Counts what runs, in all and by kind. Internal. */
export class SlotCounts {
  #running = 0;
  #byKind: Map<string, number> | undefined;

  constructor(readonly limits: SlotLimits) {}

  get running(): number {
    return this.#running;
  }

  /** Whether no kind can have a slot. */
  get full(): boolean {
    return this.#running >= this.limits.concurrency;
  }

  free(kind: string): boolean {
    return this.#running < this.limits.concurrency && this.freeKind(kind);
  }

  /** Whether the kind's own limit leaves room. */
  freeKind(kind: string): boolean {
    const limit = this.limits.kinds?.[kind];
    // Not `undefined`: a kind called `constructor` finds what every object has.
    return typeof limit !== 'number' || (this.#byKind?.get(kind) ?? 0) < limit;
  }

  add(kind: string, inAll: number, ofKind = inAll): void {
    this.#running += inAll;
    if (typeof this.limits.kinds?.[kind] !== 'number') return;
    this.#byKind ??= new Map();
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + ofKind);
  }
}
