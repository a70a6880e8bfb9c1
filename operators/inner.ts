import type { Subscriber } from 'rxjs';
import { LightSubscription } from './lightSubscription.js';
import type { Linked } from './linkedList.js';

/** Who runs an inner Observable: gets its values, and is told when it has ended. Internal. */
export interface Outer<R> {
  readonly subscriber: Subscriber<R>;
  fail(error: unknown): void;
  ended(inner: Inner<R>): void;
}

/** One projected Observable while it runs: observer, subscription and member of a list in one. Internal. */
export class Inner<R> extends LightSubscription implements Linked<Inner<R>> {
  before: Inner<R> | undefined = undefined;
  after: Inner<R> | undefined = undefined;
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
