import { from, Observable, type ObservableInput, type Subscriber } from 'rxjs';
import { Consumer } from './consumer.js';
import { Inner, type Outer } from './inner.js';
import { LightObservable } from './lightObservable.js';
import { LinkedList } from './linkedList.js';
import { type Returning, type SlotReason, SlotReturns } from './slotReturns.js';
import { type SharedSlots, SlotCounts, type SlotLimits } from './slots.js';
import { type SlotSource, type Waiting, WaitingLine } from './waitingLine.js';

export interface FlattenOptions<T> extends SlotLimits {
  readonly kindOf?: ((value: T) => string) | undefined;
  readonly priority?: ((value: T) => number) | undefined;
  readonly pool?: SharedSlots | undefined;
  readonly onWait?: ((value: T, reason: SlotReason) => void) | undefined;
  /** Whether what runs may give its slot back and take it again. Not where the slot is its place. */
  readonly lendsSlots?: boolean | undefined;
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
 * Starts what may start, in a loop, whoever asks; what runs stands in a list.
 *
 * RxJS's own flattening recurses when buffered inners answer synchronously (near 800 of them it overflows or
 * falls silent) and takes each ended inner out of an array, which is quadratic with thousands of them.
 */
class Flattening<T, R> extends Consumer<T> implements SlotSource, Outer<R> {
  readonly #counts: SlotCounts;
  readonly #running = new LinkedList<Inner<R>>();
  #line: WaitingLine<Entry<T>> | undefined;
  #arrivals = 0;
  #draining = false;
  /** What the pool calls when it has a slot; made when it is waited for. */
  #offer: (() => void) | undefined;
  /** Those that have given their slot back; made when one wants it again. */
  #returns: SlotReturns | undefined;
  /** Those whose waiting is still to be told; made when one waits. */
  #untold: Entry<T>[] | undefined;

  constructor(
    readonly subscriber: Subscriber<R>,
    private readonly project: (value: T) => ObservableInput<R>,
    private readonly options: FlattenOptions<T>,
  ) {
    super();
    this.#counts = new SlotCounts(options);
  }

  get lendsSlots(): boolean {
    return this.options.lendsSlots === true;
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

  /** Written out, as in every class that each value passes: one call less. */
  override next(value: T): void {
    if (this.stopped || this.closed) return;
    try {
      const kind = this.options.kindOf?.(value) ?? '';
      if (this.#draining || (this.#line !== undefined && this.#line.length > 0) || !this.#mayStart(kind)) {
        this.#wait(value, kind);
      } else {
        this.#draining = true;
        this.#start(value, kind);
        this.#draining = false;
      }
    } catch (error) {
      this.error(error);
    }
    this.#drain();
  }

  protected onNext(): void {}

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
    if (this.#offer !== undefined) this.options.pool?.forget(this.#offer);
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
  ended(inner: Inner<R>): void {
    this.#running.delete(inner);
    if (inner.returns) this.#returns?.forget(inner);
    if (inner.holds) this.#giveBack(inner);
    this.#drain();
  }

  giveBack(inner: Inner<R>): void {
    this.#giveBack(inner);
    this.#drain();
  }

  takeAgain(returning: Returning): void {
    // At once, also where this is asked from inside a start: nobody is said to wait who need not.
    if (this.#returns?.returning !== true && this.hasSlot(returning.inner.kind)) {
      this.#giveAgain(returning);
      return;
    }
    returning.inner.returns = true;
    this.#returns ??= new SlotReturns();
    this.#returns.takeAgain(returning);
    this.#drain();
    this.#tellReturning(returning);
  }

  alone(returning: Returning): void {
    returning.inner.returns = true;
    this.#returns ??= new SlotReturns();
    this.#returns.alone(returning);
    if (returning.inner.holds) this.#giveBack(returning.inner as Inner<R>);
    this.#resume();
    this.#tellReturning(returning);
    this.#drain();
  }

  #giveBack(inner: Inner<R>): void {
    inner.holds = false;
    this.#counts.add(inner.kind, -1);
    this.options.pool?.giveBack(inner.kind);
  }

  #tellReturning(returning: Returning): void {
    if (returning.onWait === undefined || this.#returns?.waits(returning) !== true) return;
    const { kind } = returning.inner;
    const other = this.#returns.holds ? 'alone' : 'limit';
    returning.onWait(this.#counts.free(kind) && !this.#returns.holds ? 'pool' : other);
  }

  #wait(value: T, kind: string): void {
    const priority = this.options.priority?.(value) ?? 0;
    const arrival = this.#arrivals++;
    const entry: Entry<T> = { value, kind, priority, arrival, waits: true, told: undefined };
    this.#line ??= new WaitingLine();
    this.#line.add(entry);
    if (this.options.onWait === undefined) return;
    this.#untold ??= [];
    this.#untold.push(entry);
  }

  #drain(): void {
    if (this.#draining || this.closed) return;
    const returns = this.#returns !== undefined;
    if (returns || (this.#line !== undefined && this.#line.length > 0)) {
      this.#draining = true;
      if (returns) this.#resume();
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        next.waits = false;
        this.#start(next.value, next.kind);
        if (this.closed) return;
        if (this.#returns !== undefined) this.#resume();
      }
      this.#draining = false;
      if (this.options.onWait !== undefined) this.#tellOrFail(this.options.onWait);
    }
    if (this.stopped) this.#finish();
  }

  /** Who has started goes before who has not. */
  #resume(): void {
    const hasSlot = (kind: string): boolean => this.hasSlot(kind);
    for (;;) {
      const next = this.closed ? undefined : this.#returns?.next(this.#running.size, hasSlot);
      if (next === undefined) return;
      this.#giveAgain(next);
    }
  }

  #giveAgain({ inner, then }: Returning): void {
    this.#counts.add(inner.kind, 1);
    this.options.pool?.take(inner.kind);
    inner.holds = true;
    then();
  }

  #next(): Entry<T> | undefined {
    // The usual case when a value has come and must wait: all is taken, and the line need not be looked through.
    return this.#counts.full || this.#returns?.holds ? undefined : this.#line?.take(this);
  }

  #mayStart(kind: string): boolean {
    return this.#returns?.holds !== true && this.hasSlot(kind);
  }

  hasSlot(kind: string): boolean {
    if (!this.#counts.free(kind)) return false;
    const { pool } = this.options;
    if (pool === undefined || pool.free(kind)) return true;
    this.#offer ??= () => this.#drain();
    pool.await(kind, this.#offer);
    return false;
  }

  #start(value: T, kind: string): void {
    this.#counts.add(kind, 1);
    this.options.pool?.take(kind);
    const inner = new Inner<R>(this, kind);
    this.#running.add(inner);
    try {
      const input = this.project(value);
      // `project` may have ended it all: nothing starts after that.
      if (inner.closed) return;
      if (input instanceof LightObservable) inner.add(input.begin(inner));
      else (input instanceof Observable ? input : from(input)).subscribe(inner);
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
    if (untold !== undefined && untold.length > 0) {
      // Whoever is told may bring more, which is told by the same loop.
      for (let i = 0; i < untold.length; i++) this.#say(untold[i] as Entry<T>, onWait);
      if (untold.length === 1) untold.pop();
      else this.#untold = undefined;
    }
    if (this.options.pool === undefined || this.#line === undefined) return;
    for (const head of this.#line.heads()) this.#say(head, onWait);
  }

  #say(entry: Entry<T>, onWait: (value: T, reason: SlotReason) => void): void {
    const reason = this.#returns?.holds ? 'alone' : this.#counts.free(entry.kind) ? 'pool' : 'limit';
    if (!entry.waits || entry.told === reason) return;
    entry.told = reason;
    onWait(entry.value, reason);
  }

  #finish(): void {
    if (!this.stopped || this.#draining || this.#running.size > 0) return;
    if ((this.#line?.length ?? 0) === 0) this.subscriber.complete();
  }
}
