import { type MonoTypeOperatorFunction, Observable, type Subscriber, type Unsubscribable } from 'rxjs';
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

class SharedRun<T> {
  /** Copied when it changes, never when it is read: one event goes to those who were there when it came. */
  #observers: readonly Subscriber<T>[] = [];
  #source: Unsubscribable | undefined;
  #state: 'new' | 'running' | 'over' = 'new';
  #queue: T[] = [];
  #ending: ((subscriber: Subscriber<T>) => void) | undefined;
  #delivering = false;

  constructor(private readonly source: Observable<T>) {}

  get over(): boolean {
    return this.#state === 'over';
  }

  join(subscriber: Subscriber<T>): void {
    this.#observers = [...this.#observers, subscriber];
    if (this.#state !== 'new') return;
    this.#state = 'running';
    const consumer = new SharedConsumer<T>(this);
    this.#source = consumer;
    this.source.subscribe(consumer);
  }

  leave(subscriber: Subscriber<T>): void {
    this.#observers = this.#observers.filter((each) => each !== subscriber);
    if (this.#observers.length > 0 || this.#state === 'over') return;
    this.#state = 'over';
    this.#queue = [];
    this.#source?.unsubscribe();
  }

  emit(value: T): void {
    if (this.#delivering) {
      this.#queue.push(value);
      return;
    }
    this.#delivering = true;
    this.#hand(value);
    if (this.#queue.length > 0) this.#handQueued();
    this.#delivering = false;
    if (this.#ending !== undefined) this.#end(this.#ending);
  }

  end(end: (subscriber: Subscriber<T>) => void): void {
    if (this.#delivering) this.#ending = end;
    else this.#end(end);
  }

  #handQueued(): void {
    // The queue grows while it is walked; it is dropped when all is delivered.
    for (let i = 0; i < this.#queue.length; i++) this.#hand(this.#queue[i] as T);
    this.#queue = [];
  }

  #hand(value: T): void {
    const observers = this.#observers;
    for (let i = 0; i < observers.length; i++) observers[i]?.next(value);
  }

  #end(end: (subscriber: Subscriber<T>) => void): void {
    this.#state = 'over';
    this.#ending = undefined;
    for (const observer of this.#observers) end(observer);
  }
}

class SharedConsumer<T> extends Consumer<T> {
  constructor(private readonly run: SharedRun<T>) {
    super();
  }

  override next(value: T): void {
    if (!this.stopped && !this.closed) this.run.emit(value);
  }

  protected onNext(): void {}

  protected onError(error: unknown): void {
    this.run.end((subscriber) => subscriber.error(error));
  }

  protected onComplete(): void {
    this.run.end((subscriber) => subscriber.complete());
  }
}
