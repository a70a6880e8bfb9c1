import type { AnswerReceiver, PendingAnswer } from './answer.js';

/** Pulls an async iterator; `return()` is called as soon as nothing more is wanted, not at the next value. */
export class IterableAnswer implements PendingAnswer {
  readonly stopsAtOnce = false;
  /** It has been asked to return, or has ended: there is nothing more to ask it for. */
  #over = false;

  constructor(
    private readonly iterator: AsyncIterator<unknown>,
    private readonly receiver: AnswerReceiver,
  ) {}

  pull(): this {
    this.#take(this.iterator.next());
    return this;
  }

  /** A step may be there already: `for await` allows it. */
  #take(step: unknown): void {
    const later = isThenable(step) ? step : Promise.resolve(step);
    later.then(
      (result) => this.#receive(result),
      (error: unknown) => this.#fail(error),
    );
  }

  #receive(result: unknown): void {
    let step: IteratorResult<unknown>;
    try {
      step = readStep(result);
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (step.done === true) this.#finish(step.value);
    else this.#emit(step.value);
  }

  #finish(value: unknown): void {
    this.#over = true;
    if (value === undefined) this.receiver.end();
    else this.receiver.value(value);
  }

  #emit(value: unknown): void {
    this.receiver.emit(value);
    if (this.#over) return;
    if (this.receiver.closed) this.requestStop();
    else this.#again();
  }

  #again(): void {
    try {
      this.pull();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#over = true;
    this.receiver.error(error);
  }

  requestStop(): void {
    if (this.#over) return;
    this.#over = true;
    try {
      const step: unknown = this.iterator.return?.(undefined);
      if (step !== undefined) this.#take(step);
    } catch (error) {
      this.#fail(error);
    }
  }

  cancel(): void {
    this.requestStop();
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';

/** Read once, here: a step that is none must not throw where nobody listens. */
const readStep = (result: unknown): IteratorResult<unknown> => {
  if (typeof result !== 'object' || result === null)
    throw new TypeError(`the iterator gave ${String(result)} for a step`);
  const { done, value } = result as IteratorResult<unknown>;
  return { done: Boolean(done), value };
};
