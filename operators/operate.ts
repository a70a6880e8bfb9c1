import { Observable, type Subscriber } from 'rxjs';
import { Consumer } from './consumer.js';

/** What an operator does with each notification; what it leaves out goes straight to the subscriber. */
export interface Handlers<T> {
  next(value: T): void;
  error?(error: unknown): void;
  complete?(): void;
  /** Runs once, when either side has ended, whatever ended it. */
  finalize?(): void;
}

class Operation<T> extends Consumer<T> {
  #finalizing = false;

  constructor(
    private readonly subscriber: Subscriber<unknown>,
    private readonly handlers: Handlers<T>,
  ) {
    super();
  }

  override unsubscribe(): void {
    if (this.closed || this.#finalizing) return;
    this.#finalizing = true;
    try {
      this.handlers.finalize?.();
    } finally {
      super.unsubscribe();
    }
  }

  /** Written out, as in every class that each value passes: one call less. */
  override next(value: T): void {
    if (this.stopped || this.closed) return;
    // A throw of the user's function is the stream's error, as everywhere in RxJS.
    try {
      this.handlers.next(value);
    } catch (error) {
      this.error(error);
    }
  }

  protected onNext(): void {}

  protected onError(error: unknown): void {
    if (this.handlers.error) this.handlers.error(error);
    else this.subscriber.error(error);
  }

  protected onComplete(): void {
    if (this.handlers.complete) this.handlers.complete();
    else this.subscriber.complete();
  }
}

/** Builds the result of an operator: `init` makes the state of one subscription and its handlers. Internal. */
export const operate = <T, R>(
  source: Observable<T>,
  init: (subscriber: Subscriber<R>) => Handlers<T>,
): Observable<R> =>
  new Observable<R>((subscriber) => {
    const operation = new Operation<T>(subscriber, init(subscriber));
    subscriber.add(operation);
    // Over before it began (a latch that was tripped already): the source is left alone.
    if (!operation.closed) source.subscribe(operation);
  });
