import { LightSubscription } from './lightSubscription.js';

/**
 * The inside end of an operator: an observer that is its own subscription. Internal.
 *
 * RxJS takes an object that is both as it stands, without wrapping it. That makes one object where
 * `subscribe({ next, … })` makes four, and, since it exists before `subscribe` returns, closing it stops even
 * a source that emits everything at once.
 */
export abstract class Consumer<T> extends LightSubscription {
  /** True once the source has said its last word; nothing after it counts. */
  protected stopped = false;

  next(value: T): void {
    if (!this.stopped && !this.closed) this.onNext(value);
  }

  error(error: unknown): void {
    if (this.stopped || this.closed) return;
    this.stopped = true;
    this.onError(error);
    this.unsubscribe();
  }

  complete(): void {
    if (this.stopped || this.closed) return;
    this.stopped = true;
    this.onComplete();
    this.unsubscribe();
  }

  protected abstract onNext(value: T): void;
  protected abstract onError(error: unknown): void;
  protected abstract onComplete(): void;
}
