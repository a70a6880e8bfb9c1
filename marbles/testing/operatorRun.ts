import { Observable, type Subscriber, Subscription } from 'rxjs';
import { expectList, expectSame, type OperatorUnderTest } from './operatorTarget.js';

/** A source that counts who subscribes and who leaves, and emits what it is told to. */
export class Feed<T> {
  subscriptions = 0;
  teardowns = 0;
  readonly #subscribers = new Set<Subscriber<T>>();

  readonly source$ = new Observable<T>((subscriber) => {
    this.subscriptions++;
    this.#subscribers.add(subscriber);
    return () => {
      this.teardowns++;
      this.#subscribers.delete(subscriber);
    };
  });

  next(value: T): void {
    for (const subscriber of [...this.#subscribers]) subscriber.next(value);
  }

  error(error: unknown): void {
    for (const subscriber of [...this.#subscribers]) subscriber.error(error);
  }

  complete(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.complete();
  }
}

/** The user's side of an operator: counts calls, throws at the one it is told to, holds a gate. */
export class Probe {
  calls = 0;
  throwsAt = Number.POSITIVE_INFINITY;
  readonly error = new Error('thrown by the function the operator was given');
  gateSubscriptions = 0;
  #open = true;
  readonly #waiting = new Set<Subscriber<never>>();

  readonly call = (): void => {
    if (++this.calls === this.throwsAt) throw this.error;
  };

  readonly gate$ = new Observable<never>((subscriber) => {
    this.gateSubscriptions++;
    if (this.#open) {
      subscriber.complete();
      return;
    }
    this.#waiting.add(subscriber);
    return () => this.#waiting.delete(subscriber);
  });

  get waiting(): number {
    return this.#waiting.size;
  }

  close(): void {
    this.#open = false;
  }

  open(): void {
    this.#open = true;
    for (const subscriber of [...this.#waiting]) subscriber.complete();
  }
}

/** An operator that runs: fed by hand, its outputs written down. */
export class Run<T, R> {
  readonly feed = new Feed<T>();
  readonly probe = new Probe();
  readonly fed: T[] = [];
  readonly came: unknown[] = [];
  readonly errors: unknown[] = [];
  completions = 0;
  /** How many outputs came behind the end. */
  late = 0;
  /** Called with each output, after it is written down. */
  onOutput: (() => void) | undefined;
  readonly result$: Observable<R>;
  subscription = Subscription.EMPTY;

  constructor(
    private readonly target: OperatorUnderTest<T, R>,
    source$?: Observable<T>,
  ) {
    this.result$ = (source$ ?? this.feed.source$).pipe(target.make(this.probe));
  }

  subscribe(): this {
    const read = this.target.read ?? ((output: R): unknown => output);
    this.subscription = this.result$.subscribe({
      next: (output) => {
        if (this.ends > 0) this.late++;
        this.came.push(read(output));
        this.onOutput?.();
      },
      error: (error: unknown) => this.errors.push(error),
      complete: () => this.completions++,
    });
    return this;
  }

  get ends(): number {
    return this.errors.length + this.completions;
  }

  /** Feeds the next value of the target. */
  next(): void {
    const value = this.target.value(this.fed.length);
    this.fed.push(value);
    this.feed.next(value);
  }

  expectOutputs(what: string, came: readonly unknown[] = this.came): void {
    expectList(what, outputsOf(this.target, this.fed), came);
  }

  /** Over in one way, once, with the source left once. */
  expectEnd(what: string, end: { readonly errors?: readonly unknown[]; readonly completions: number }): void {
    expectList(`${what}, errors`, end.errors ?? [], this.errors);
    expectSame(`${what}, completions`, end.completions, this.completions);
    expectSame(`${what}, outputs after the end`, 0, this.late);
    expectSame(`${what}, subscriptions to the source`, 1, this.feed.subscriptions);
    expectSame(`${what}, teardowns of the source`, 1, this.feed.teardowns);
  }
}

export const outputsOf = <T, R>(target: OperatorUnderTest<T, R>, values: readonly T[]): readonly unknown[] =>
  target.outputs?.(values) ?? values;
