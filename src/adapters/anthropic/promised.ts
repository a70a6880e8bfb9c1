import { Observable } from 'rxjs';

/**
 * Waits for a source, then reads it. One that comes when nobody waits any more is opened and left at once, so
 * that a request which could not be called back does not stay open.
 */
export const fromPromise = (
  promise: PromiseLike<unknown>,
  open: (source: unknown) => Observable<unknown>,
): Observable<unknown> =>
  new Observable((subscriber) => {
    const arrived = (source: unknown): void => {
      try {
        const items = open(source);
        if (subscriber.closed) items.subscribe({ error: () => undefined }).unsubscribe();
        else items.subscribe(subscriber);
      } catch (error) {
        subscriber.error(error);
      }
    };
    promise.then(arrived, (error: unknown) => subscriber.error(error));
  });
