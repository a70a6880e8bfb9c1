import { type Subscriber, Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';
import type { Linked } from './linkedList.js';

/** Who runs an inner Observable: gets its values, and is told when it has ended. Internal. */
export interface Outer<R> {
  readonly subscriber: Subscriber<R>;
  fail(error: unknown): void;
  ended(inner: Inner<R>): void;
}

type Teardown = (() => void) | Unsubscribable;

/**
 * One projected Observable while it runs: observer, subscription and member of a list in one. Internal.
 *
 * RxJS takes it as it stands, for it has the members of a `Subscriber`. As a rule it gets one teardown, for which
 * a `Subscription` would make an array; whatever else comes goes into a real one.
 */
export class Inner<R> implements Linked<Inner<R>>, Unsubscribable {
  before: Inner<R> | undefined;
  after: Inner<R> | undefined;
  closed = false;
  #stopped = false;
  #teardown: Teardown | undefined;
  #others: Subscription | undefined;

  constructor(
    private readonly outer: Outer<R>,
    readonly kind: string,
  ) {}

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

  add(teardown: TeardownLogic): void {
    if (!teardown || teardown === this) return;
    // A Subscription must know its parent, to leave it when it ends by itself.
    if (this.#teardown === undefined && !this.closed && !(teardown instanceof Subscription)) {
      this.#teardown = teardown;
      return;
    }
    this.#others ??= new Subscription();
    if (this.closed) this.#others.unsubscribe();
    this.#others.add(teardown);
  }

  remove(teardown: Exclude<TeardownLogic, void>): void {
    if (this.#teardown === teardown) this.#teardown = undefined;
    else this.#others?.remove(teardown);
  }

  /** Its own teardown first, then the slot: what follows an unsafe value starts over nothing of it. */
  unsubscribe(): void {
    if (this.closed) return;
    this.closed = true;
    this.#stopped = true;
    const teardown = this.#teardown;
    this.#teardown = undefined;
    try {
      if (typeof teardown === 'function') teardown();
      else teardown?.unsubscribe();
    } finally {
      this.#finish();
    }
  }

  #finish(): void {
    try {
      this.#others?.unsubscribe();
    } finally {
      this.outer.ended(this);
    }
  }
}
