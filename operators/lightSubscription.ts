import { Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';

type Teardown = (() => void) | Unsubscribable;

/**
 * A subscription that has one teardown as a rule: for that a `Subscription` would make an array. Internal.
 *
 * Whatever else comes goes into a real one. RxJS takes it for a subscription, since it has the members of one.
 */
export class LightSubscription implements Unsubscribable {
  closed: boolean;
  #teardown: Teardown | undefined;
  #others: Subscription | undefined;

  constructor() {
    // Assigned, not declared with a value: half of what such an object costs to make.
    this.closed = false;
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

  unsubscribe(): void {
    if (this.closed) return;
    this.closed = true;
    const teardown = this.#teardown;
    this.#teardown = undefined;
    try {
      if (typeof teardown === 'function') teardown();
      else teardown?.unsubscribe();
    } finally {
      this.#others?.unsubscribe();
    }
  }
}
