import { from, isObservable, type Observable } from 'rxjs';
import { Consumer } from '../../operators/consumer.js';
import type { AnswerReceiver, PendingAnswer } from './answer.js';
import { IterableAnswer } from './iterableAnswer.js';
import { isReadableStream, streamIterator } from './streamIterator.js';

export type { AnswerReceiver, PendingAnswer } from './answer.js';

/**
 * Reads an answer of any form; the one place where the forms are told apart (SPEC §3, `call`).
 *
 * A value, a thenable, an Observable, a generator object or an async iterable; everything else, strings, arrays
 * and Buffers too, is a value. What is there at once is handed over at once, without any scheduling, and
 * nothing is returned then. Never throws: what the answer's own members throw is its error.
 */
export const fromAnswer = (answer: unknown, receiver: AnswerReceiver): PendingAnswer | undefined => {
  if (typeof answer !== 'object' || answer === null) {
    receiver.value(answer);
    return undefined;
  }
  try {
    if (isThenable(answer)) return receiveThenable(answer, receiver);
    if (isObservableLike(answer)) return receiveObservable(answer, receiver);
    if (isGenerator(answer)) return receiveGenerator(answer, receiver);
    if (isReadableStream(answer)) return new IterableAnswer(streamIterator(answer), receiver).pull();
    if (isAsyncIterable(answer)) return new IterableAnswer(answer[Symbol.asyncIterator](), receiver).pull();
  } catch (error) {
    receiver.error(error);
    return undefined;
  }
  receiver.value(answer);
  return undefined;
};

const isThenable = (value: object): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown }).then === 'function';

const isObservableLike = (value: object): value is Observable<unknown> =>
  isObservable(value) ||
  typeof (value as { readonly [key: symbol]: unknown })[observableSymbol] === 'function';

// The symbol Observable libraries agree on; where nobody defines it, RxJS uses this string instead.
const observableSymbol = ((Symbol as unknown as { readonly observable?: symbol }).observable ??
  '@@observable') as symbol;

const isGenerator = (value: object): value is Generator<unknown, unknown> =>
  (value as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Generator' &&
  typeof (value as { readonly next?: unknown }).next === 'function';

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> =>
  typeof (value as { readonly [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';

const nothing = (): void => undefined;
const pendingPromise: PendingAnswer = { stopsAtOnce: false, requestStop: nothing, cancel: nothing };

const receiveThenable = (answer: PromiseLike<unknown>, receiver: AnswerReceiver): PendingAnswer => {
  answer.then(
    (value) => receiver.value(value),
    (error: unknown) => receiver.error(error),
  );
  return pendingPromise;
};

const receiveObservable = (answer: Observable<unknown>, receiver: AnswerReceiver): PendingAnswer => {
  const consumer = new ObservableAnswer(receiver);
  // Another copy of RxJS may wrap the consumer: what it gives back is then what ends the subscription.
  consumer.add((isObservable(answer) ? answer : from(answer)).subscribe(consumer));
  return consumer;
};

class ObservableAnswer extends Consumer<unknown> implements PendingAnswer {
  readonly stopsAtOnce = true;

  constructor(private readonly receiver: AnswerReceiver) {
    super();
  }

  protected onNext(value: unknown): void {
    this.receiver.emit(value);
    if (this.receiver.closed) this.cancel();
  }

  protected onError(error: unknown): void {
    this.receiver.error(error);
  }

  protected onComplete(): void {
    this.receiver.end();
  }

  requestStop(): void {}

  cancel(): void {
    this.unsubscribe();
  }

  /** A teardown that throws must not reach the producer's own call. */
  override unsubscribe(): void {
    try {
      super.unsubscribe();
    } catch (error) {
      this.receiver.error(error);
    }
  }
}

const receiveGenerator = (answer: Generator<unknown, unknown>, receiver: AnswerReceiver): undefined => {
  for (let step = answer.next(); ; step = answer.next()) {
    if (step.done === true) {
      if (step.value === undefined) receiver.end();
      else receiver.value(step.value);
      return;
    }
    receiver.emit(step.value);
    if (receiver.closed) {
      answer.return(undefined);
      return;
    }
  }
};
