import { type SharedSlots, SlotCounts, type SlotLimits } from '../../operators/slots.js';
import type { Call } from '../call/call.js';
import type { Limits, Pool } from '../contract/options.js';
import { readLimits } from './limits.js';

/**
 * Limits shared by all turns that are given the pool: sessions and agents of one process.
 *
 * Among turns that wait for a slot it goes round: whoever has waited longest gets the next one, for one call,
 * and then stands at the end. A call runs when both its turn's limits and the pool's have room.
 *
 * @param limits as for a turn: `concurrency` (default 10), `shell`, `file`, `network` (default `Infinity`)
 * @throws InvalidOptionError for anything but integers from 1 and `Infinity`
 * @example
 * ```ts
 * const pool = createPool({ concurrency: 8, shell: 2 });
 * calls$.pipe(executeTools({ tools, pool }));
 * ```
 */
export const createPool = (limits?: Limits): Pool => new TurnPool(readLimits(limits, 'limits'));

const limitsOf = ({ concurrency, kinds = {} }: SlotLimits): Required<Limits> => {
  const infinite = Number.POSITIVE_INFINITY;
  const { shell = infinite, file = infinite, network = infinite } = kinds;
  return { concurrency, shell, file, network };
};

export class TurnPool implements Pool {
  readonly slots: PoolSlots;
  readonly limits: Required<Limits>;

  constructor(limits: SlotLimits) {
    this.slots = new PoolSlots(limits);
    this.limits = limitsOf(limits);
  }

  get running(): number {
    return this.slots.running;
  }

  get waiting(): number {
    return this.slots.waiting;
  }
}

/** Slots whose kinds are counted apart too, for calls that ride on a lent slot. */
export interface LendableSlots extends SharedSlots {
  readonly running: number;
  readonly limits: SlotLimits;
  freeKind(kind: string): boolean;
  takeKind(kind: string, change: 1 | -1): void;
}

/** Who waits stands in one queue a kind, numbered through: the fairest of the first ones is found in few steps. */
export class PoolSlots implements LendableSlots {
  readonly #counts: SlotCounts;
  readonly #queues = new Map<string, Map<() => void, number>>();
  #arrivals = 0;
  #offering = false;

  constructor(readonly limits: SlotLimits) {
    this.#counts = new SlotCounts(limits);
  }

  get running(): number {
    return this.#counts.running;
  }

  get waiting(): number {
    return new Set([...this.#queues.values()].flatMap((queue) => [...queue.keys()])).size;
  }

  free(kind: string): boolean {
    return this.#counts.free(kind);
  }

  take(kind: string): void {
    this.#counts.add(kind, 1);
  }

  giveBack(kind: string): void {
    this.#counts.add(kind, -1);
    this.#offer();
  }

  /** Only a kind's own limit counts for who rides on a slot that is lent; see `LentSlots`. */
  freeKind(kind: string): boolean {
    return this.#counts.freeKind(kind);
  }

  takeKind(kind: string, change: 1 | -1): void {
    this.#counts.add(kind, 0, change);
    if (change < 0) this.#offer();
  }

  await(kind: string, offer: () => void): void {
    let queue = this.#queues.get(kind);
    if (queue === undefined) {
      queue = new Map();
      this.#queues.set(kind, queue);
    }
    // Who stands in the queue keeps the place.
    if (!queue.has(offer)) queue.set(offer, this.#arrivals++);
  }

  forget(offer: () => void): void {
    for (const queue of this.#queues.values()) queue.delete(offer);
  }

  #offer(): void {
    // A slot that is given back while one is offered is seen by the loop below.
    if (this.#offering) return;
    this.#offering = true;
    for (let offer = this.#first(); offer !== undefined; offer = this.#first()) offer();
    this.#offering = false;
  }

  /** Takes the one who has waited longest, among those whose kind has room, out of its queue. */
  #first(): (() => void) | undefined {
    let best:
      | { readonly offer: () => void; readonly arrival: number; readonly from: Map<() => void, number> }
      | undefined;
    for (const [kind, queue] of this.#queues) {
      if (queue.size === 0 || !this.#counts.free(kind)) continue;
      for (const [offer, arrival] of queue) {
        if (best === undefined || arrival < best.arrival) best = { offer, arrival, from: queue };
        break;
      }
    }
    best?.from.delete(best.offer);
    return best?.offer;
  }
}

/**
 * A running call's slot, lent to a turn inside it: the inner turn's first running call takes no slot of the
 * pool, so a full pool can't lock itself. Kinds that the outer calls hold are covered; others count as ever.
 */
export class LentSlots implements LendableSlots {
  #lent = false;
  /** What the call that rides on the lent slot took beside it. */
  #ridingKind: string | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly pool: LendableSlots,
    readonly covered: ReadonlySet<string>,
  ) {}

  get running(): number {
    return this.pool.running;
  }

  get limits(): SlotLimits {
    return this.pool.limits;
  }

  free(kind: string): boolean {
    return this.#canRide(kind) || this.pool.free(kind);
  }

  take(kind: string): void {
    if (!this.#canRide(kind)) {
      this.pool.take(kind);
      return;
    }
    this.#lent = true;
    this.#ridingKind = kind;
    this.takeKind(kind, 1);
  }

  giveBack(kind: string): void {
    // Which of two equal calls rides makes no difference: the first to end gives back the lent slot.
    if (!this.#lent || this.#ridingKind !== kind) {
      this.pool.giveBack(kind);
      return;
    }
    this.#lent = false;
    this.#ridingKind = undefined;
    this.takeKind(kind, -1);
    const offers = [...this.#waiting];
    this.#waiting.clear();
    for (const offer of offers) offer();
  }

  await(kind: string, offer: () => void): void {
    this.#waiting.add(offer);
    this.pool.await(kind, offer);
  }

  forget(offer: () => void): void {
    this.#waiting.delete(offer);
    this.pool.forget(offer);
  }

  freeKind(kind: string): boolean {
    return this.covered.has(kind) || this.pool.freeKind(kind);
  }

  takeKind(kind: string, change: 1 | -1): void {
    if (!this.covered.has(kind)) this.pool.takeKind(kind, change);
  }

  #canRide(kind: string): boolean {
    return !this.#lent && this.freeKind(kind);
  }
}

/** The slot a running call holds, as a pool for the turns inside it: one for all of them. */
export const lend = (slots: LendableSlots | undefined, call: Call): Pool | undefined => {
  if (slots === undefined) return undefined;
  const held = slots instanceof LentSlots ? slots.covered : new Set<string>();
  call.lent ??= new LentPool(slots, new Set([...held, call.kind]));
  return call.lent as LentPool;
};

/** The pool an inner turn is given. */
export class LentPool implements Pool {
  readonly slots: LentSlots;

  constructor(slots: LendableSlots, covered: ReadonlySet<string>) {
    this.slots = new LentSlots(slots, covered);
  }

  get limits(): Required<Limits> {
    return limitsOf(this.slots.limits);
  }

  get running(): number {
    return this.slots.running;
  }

  get waiting(): number {
    return 0;
  }
}
