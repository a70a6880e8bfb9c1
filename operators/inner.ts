import type { Subscriber } from 'rxjs';
import { LightSubscription } from './lightSubscription.js';
import type { Linked } from './linkedList.js';
import type { Returning, Slot, SlotReason } from './slotReturns.js';

/** Who runs an inner Observable: gets its values, and is told when it has ended. Internal. */
export interface Outer<R> {
  readonly subscriber: Subscriber<R>;
  /** Whether its slots may be given back and taken again. */
  readonly lendsSlots: boolean;
  fail(error: unknown): void;
  ended(inner: Inner<R>): void;
  giveBack(inner: Inner<R>): void;
  takeAgain(returning: Returning): void;
  alone(returning: Returning): void;
}

/** One projected Observable while it runs: observer, subscription and member of a list in one. Internal. */
export class Inner<R> extends LightSubscription implements Linked<Inner<R>>, Slot {
  before: Inner<R> | undefined = undefined;
  after: Inner<R> | undefined = undefined;
  /** Whether it holds its slot now. */
  holds = true;
  /** It has asked for a slot again, or to run alone. */
  returns = false;
  #stopped = false;

  constructor(
    private readonly outer: Outer<R>,
    readonly kind: string,
  ) {
    super();
  }

  next(value: R): void {
    if (!this.#stopped) this.outer.subscriber.next(value);
  }

  error(error: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.outer.fail(error);
    this.unsubscribe();
  }

  complete(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.unsubscribe();
  }

  get slot(): Slot | undefined {
    return this.outer.lendsSlots ? this : undefined;
  }

  giveBack(): void {
    if (this.holds && !this.closed) this.outer.giveBack(this);
  }

  takeAgain(then: () => void, onWait?: (reason: SlotReason) => void): void {
    if (this.holds || this.closed) then();
    else this.outer.takeAgain({ inner: this, then, onWait });
  }

  alone(then: () => void, onWait?: (reason: SlotReason) => void): void {
    if (!this.closed) this.outer.alone({ inner: this, then, onWait });
  }

  /** Its own teardown first, then the slot: what follows an unsafe value starts over nothing of it. */
  override unsubscribe(): void {
    if (this.closed) return;
    this.#stopped = true;
    try {
      super.unsubscribe();
    } finally {
      this.outer.ended(this);
    }
  }
}
