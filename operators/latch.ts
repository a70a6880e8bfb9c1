import { Observable } from 'rxjs';

/**
 * A notifier that stays tripped: who asks late gets the same answer as who asked before.
 *
 * A `Subject` given to `takeUntil` misses everyone who subscribes after it has fired; a latch does not.
 *
 * ```marbles
 * trips ----r-s
 * early ----(r|)
 * late        (r|)  tripped already: told when it comes
 * ```
 * **Gotchas** The first reason wins; later ones are ignored. Listeners are told in the order they came.
 *
 * @example
 * ```ts
 * const abort = new Latch<string>();
 * work$.pipe(takeUntil(abort.tripped$));
 * abort.trip('sibling failed'); // true
 * abort.trip('timeout');        // false: it is tripped already
 * ```
 */
export class Latch<R> {
  #tripped = false;
  #reason: R | undefined;
  #listeners: Set<(reason: R) => void> | undefined;

  get tripped(): boolean {
    return this.#tripped;
  }

  /** Why it was tripped; `undefined` before. */
  get reason(): R | undefined {
    return this.#reason;
  }

  /** How many wait for it: the probe for leaks. */
  get listeners(): number {
    return this.#listeners?.size ?? 0;
  }

  /** Emits the reason once, at once where it is tripped already, then completes. */
  get tripped$(): Observable<R> {
    return new Observable<R>((subscriber) => {
      const listener = (reason: R): void => {
        subscriber.next(reason);
        subscriber.complete();
      };
      this.onTrip(listener);
      return () => this.off(listener);
    });
  }

  /** Trips it; returns whether this was the first time. */
  trip(reason: R): boolean {
    if (this.#tripped) return false;
    this.#tripped = true;
    this.#reason = reason;
    // Deleted as they are told: one who is taken off meanwhile is not told, and none is held afterwards.
    const listeners = this.#listeners;
    if (listeners !== undefined) {
      for (const listener of listeners) {
        listeners.delete(listener);
        listener(reason);
      }
    }
    return true;
  }

  /** The cheap form of `tripped$` for hot paths: the listener is called once, at once where it is tripped. */
  onTrip(listener: (reason: R) => void): void {
    if (this.#tripped) {
      listener(this.#reason as R);
      return;
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  off(listener: (reason: R) => void): void {
    this.#listeners?.delete(listener);
  }
}
