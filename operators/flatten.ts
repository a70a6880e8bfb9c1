import { from, Observable, type ObservableInput, type Subscriber, Subscription } from 'rxjs';
import { Consumer } from './consumer.js';
import { type SharedSlots, SlotCounts, type SlotLimits } from './slots.js';
import { type Waiting, WaitingLine } from './waitingLine.js';

/** Why a value waits: for a slot of its own operator, or for a shared one. */
export type SlotReason = 'limit' | 'pool';

export interface FlattenOptions<T> extends SlotLimits {
  readonly kindOf?: ((value: T) => string) | undefined;
  readonly priority?: ((value: T) => number) | undefined;
  readonly pool?: SharedSlots | undefined;
  readonly onWait?: ((value: T, reason: SlotReason) => void) | undefined;
}

/** A value in the line, and what was said of its waiting. */
interface Entry<T> extends Waiting<T> {
  waits: boolean;
  told: SlotReason | undefined;
}

/** Applies the engine below `mergeSafe` and `concatUnsafe`. Internal. */
export const flatten = <T, R>(
  source: Observable<T>,
  project: (value: T) => ObservableInput<R>,
  options: FlattenOptions<T>,
): Observable<R> =>
  new Observable<R>((subscriber) => {
    const flattening = new Flattening(subscriber, project, options);
    subscriber.add(flattening);
    flattening.begin(source);
  });

/**
 * Starts what may start, in a loop, whoever asks; what runs stands in a set.
 *
 * RxJS's own flattening recurses when buffered inners answer synchronously (near 800 of them it overflows or
 * falls silent) and takes each ended inner out of an array, which is quadratic with thousands of them.
 */
class Flattening<T, R> extends Consumer<T> {
  readonly #counts: SlotCounts;
  readonly #running = new Set<Inner<T, R>>();
  #line: WaitingLine<Entry<T>> | undefined;
  #arrivals = 0;
  #draining = false;
  readonly #untold: Entry<T>[] = [];

  constructor(
    readonly subscriber: Subscriber<R>,
    private readonly project: (value: T) => ObservableInput<R>,
    private readonly options: FlattenOptions<T>,
  ) {
    super();
    this.#counts = new SlotCounts(options);
  }

  /**
   * What the source has ready when it is subscribed to has been waiting together: with priorities it is lined
   * up first, so that the first one does not take the slot of a more urgent one behind it.
   */
  begin(source: Observable<T>): void {
    this.#draining = this.options.priority !== undefined;
    source.subscribe(this);
    if (this.options.priority === undefined) return;
    this.#draining = false;
    this.#drain();
  }

  protected onNext(value: T): void {
    try {
      const kind = this.options.kindOf?.(value) ?? '';
      if (!this.#draining && (this.#line?.length ?? 0) === 0 && this.#hasSlot(kind)) {
        this.#draining = true;
        this.#start(value, kind);
        this.#draining = false;
      } else {
        this.#wait(value, kind);
      }
    } catch (error) {
      this.error(error);
    }
    this.#drain();
  }

  protected onError(error: unknown): void {
    this.fail(error);
  }

  protected onComplete(): void {
    this.#finish();
  }

  /** The source is over, but what runs goes on: only the downstream's end closes this. */
  override complete(): void {
    if (this.stopped || this.closed) return;
    this.stopped = true;
    this.onComplete();
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.#line = undefined;
    this.options.pool?.forget(this.#drain);
    // Children of this subscription, so that a teardown that throws keeps none of the others running.
    for (const inner of this.#running) this.add(inner);
    super.unsubscribe();
  }

  /** Over at once: whoever handles the error may feed the source or end what runs, and nothing must start. */
  fail(error: unknown): void {
    this.stopped = true;
    this.#line = undefined;
    this.subscriber.error(error);
  }

  /** An inner has ended and is torn down: its slot is free. */
  ended(inner: Inner<T, R>): void {
    this.#running.delete(inner);
    this.#counts.add(inner.kind, -1);
    this.options.pool?.giveBack(inner.kind);
    this.#drain();
  }

  #wait(value: T, kind: string): void {
    const priority = this.options.priority?.(value) ?? 0;
    const arrival = this.#arrivals++;
    const entry: Entry<T> = { value, kind, priority, arrival, waits: true, told: undefined };
    this.#line ??= new WaitingLine();
    this.#line.add(entry);
    if (this.options.onWait !== undefined) this.#untold.push(entry);
  }

  readonly #drain = (): void => {
    if (this.#draining || this.closed) return;
    if (this.#line !== undefined && this.#line.length > 0) {
      this.#draining = true;
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        next.waits = false;
        this.#start(next.value, next.kind);
        if (this.closed) return;
      }
      this.#draining = false;
      if (this.options.onWait !== undefined) this.#tellOrFail(this.options.onWait);
    }
    this.#finish();
  };

  #next(): Entry<T> | undefined {
    return this.#line?.take(this.#hasSlot);
  }

  readonly #hasSlot = (kind: string): boolean => {
    if (!this.#counts.free(kind)) return false;
    const { pool } = this.options;
    if (pool === undefined || pool.free(kind)) return true;
    pool.await(kind, this.#drain);
    return false;
  };

  #start(value: T, kind: string): void {
    this.#counts.add(kind, 1);
    this.options.pool?.take(kind);
    const inner = new Inner<T, R>(this, kind);
    this.#running.add(inner);
    try {
      const input = this.project(value);
      // `project` may have ended it all: nothing starts after that.
      if (inner.closed) return;
      (input instanceof Observable ? input : from(input)).subscribe(inner);
    } catch (error) {
      inner.error(error);
    }
  }

  #tellOrFail(onWait: (value: T, reason: SlotReason) => void): void {
    try {
      this.#tell(onWait);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Says why, of those that came and could not start, and of the first of a kind whose reason has changed. */
  #tell(onWait: (value: T, reason: SlotReason) => void): void {
    const untold = this.#untold;
    // Whoever is told may bring more; the array is kept, for most calls wait and it fills each time.
    for (let i = 0; i < untold.length; i++) this.#say(untold[i] as Entry<T>, onWait);
    untold.length = 0;
    if (this.options.pool !== undefined && this.#line !== undefined) {
      for (const head of this.#line.heads()) this.#say(head, onWait);
    }
  }

  #say(entry: Entry<T>, onWait: (value: T, reason: SlotReason) => void): void {
    const reason = this.#counts.free(entry.kind) ? 'pool' : 'limit';
    if (!entry.waits || entry.told === reason) return;
    entry.told = reason;
    onWait(entry.value, reason);
  }

  #finish(): void {
    if (!this.stopped || this.#draining || this.#running.size > 0) return;
    if ((this.#line?.length ?? 0) === 0) this.subscriber.complete();
  }
}

/** One projected Observable while it runs. */
class Inner<T, R> extends Subscription {
  #stopped = false;

  constructor(
    private readonly owner: Flattening<T, R>,
    readonly kind: string,
  ) {
    super();
  }

  next(value: R): void {
    if (!this.#stopped) this.owner.subscriber.next(value);
  }

  error(error: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.owner.fail(error);
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
      this.owner.ended(this);
    }
  }
}
