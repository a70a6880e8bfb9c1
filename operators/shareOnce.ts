import { type MonoTypeOperatorFunction, Observable, type Subscriber, type Subscription } from 'rxjs';
import { Consumer } from './consumer.js';

/**
 * Runs the source once, however many observers there are: those that join share it from then on, without
 * replay; the last one leaving ends it; whoever comes after the end is refused with an error.
 *
 * ```marbles
 * source a-b-c|
 * first  a-b-c|
 * second  -b-c|
 * third          #  after the end
 * ```
 * **Gotchas** What an observer causes while it handles a value is delivered after all observers have that
 * value: all see one order. (A `Subject` shows the second observer the consequence before the cause.)
 *
 * @param refusal makes the error for whoever comes too late
 */
export const shareOnce =
  <T>(refusal: () => Error): MonoTypeOperatorFunction<T> =>
  (source) => {
    const run = new SharedRun<T>(source);
    return new Observable<T>((subscriber) => {
      if (run.over) {
        subscriber.error(refusal());
        return;
      }
      // Before the source is subscribed to: one that emits everything at once must see that all have left.
      subscriber.add(() => run.leave(subscriber));
      run.join(subscriber);
    });
  };

type Notification<T> = { readonly value: T } | { readonly end: (subscriber: Subscriber<T>) => void };

class SharedRun<T> {
  readonly #observers = new Set<Subscriber<T>>();
  #source: Subscription | undefined;
  #state: 'new' | 'running' | 'over' = 'new';
  #queue: Notification<T>[] = [];
  #delivering = false;

  constructor(private readonly source: Observable<T>) {}

  get over(): boolean {
    return this.#state === 'over';
  }

  join(subscriber: Subscriber<T>): void {
    this.#observers.add(subscriber);
    if (this.#state !== 'new') return;
    this.#state = 'running';
    const consumer = new SharedConsumer<T>(this);
    this.#source = consumer;
    this.source.subscribe(consumer);
  }

  leave(subscriber: Subscriber<T>): void {
    this.#observers.delete(subscriber);
    if (this.#observers.size > 0 || this.#state === 'over') return;
    this.#state = 'over';
    this.#queue = [];
    this.#source?.unsubscribe();
  }

  emit(value: T): void {
    if (this.#delivering) this.#queue.push({ value });
    else this.#deliver({ value });
  }

  end(end: (subscriber: Subscriber<T>) => void): void {
    if (this.#delivering) this.#queue.push({ end });
    else this.#deliver({ end });
  }

  #deliver(first: Notification<T>): void {
    this.#delivering = true;
    this.#hand(first);
    // The array grows while it is walked; it is dropped when all is delivered.
    for (let i = 0; i < this.#queue.length; i++) this.#hand(this.#queue[i] as Notification<T>);
    this.#queue = [];
    this.#delivering = false;
  }

  #hand(notification: Notification<T>): void {
    if ('value' in notification) {
      // Who joins while a value is handed round gets the next one: a Set's own walk would include it.
      const [only] = this.#observers;
      if (this.#observers.size === 1) only?.next(notification.value);
      else for (const observer of [...this.#observers]) observer.next(notification.value);
      return;
    }
    this.#state = 'over';
    for (const observer of [...this.#observers]) notification.end(observer);
  }
}

class SharedConsumer<T> extends Consumer<T> {
  constructor(private readonly run: SharedRun<T>) {
    super();
  }

  protected onNext(value: T): void {
    this.run.emit(value);
  }

  protected onError(error: unknown): void {
    this.run.end((subscriber) => subscriber.error(error));
  }

  protected onComplete(): void {
    this.run.end((subscriber) => subscriber.complete());
  }
}
