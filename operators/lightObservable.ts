import { Observable, type TeardownLogic } from 'rxjs';
import type { Slot } from './slotReturns.js';

/** What a light Observable hands its values to: a `Subscriber`, or the observer of the operator that runs it. */
export interface LightSubscriber<R> {
  readonly closed: boolean;
  /** The slot it runs on, where it was started on one that may be given back. */
  readonly slot?: Slot | undefined;
  next(value: R): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * An Observable that `mergeSafe` and `concatUnsafe` start by itself, without RxJS's way around each subscription. Internal.
 *
 * For the one that is made for each call of a turn: there `subscribe` would cost as much as starting the call does.
 * To everyone else it is an Observable like any other.
 */
export abstract class LightObservable<R> extends Observable<R> {
  constructor() {
    super((subscriber) => this.begin(subscriber));
  }

  abstract begin(subscriber: LightSubscriber<R>): TeardownLogic;
}
