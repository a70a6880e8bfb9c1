import { type AnswerReceiver, fromAnswer, type PendingAnswer } from './fromAnswer.js';

/**
 * The first thing someone answers: a value, what a promise resolves to, the first emission, or what a generator
 * returns. An end without any is `undefined`. Answers at once where the answer is there at once.
 *
 * @returns what cancels it; an answer that comes after that is dropped
 */
export const firstAnswer = (
  answer: unknown,
  receive: (value: unknown) => void,
  fail: (error: unknown) => void,
): PendingAnswer | undefined => {
  const first = new First(receive, fail);
  const pending = fromAnswer(answer, first);
  if (pending === undefined || first.closed) return undefined;
  first.pending = pending;
  return {
    stopsAtOnce: pending.stopsAtOnce,
    requestStop: () => pending.requestStop(),
    cancel: () => {
      first.closed = true;
      pending.cancel();
    },
  };
};

class First implements AnswerReceiver {
  closed = false;
  pending: PendingAnswer | undefined;

  constructor(
    private readonly receive: (value: unknown) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  value(value: unknown): void {
    if (this.closed) return;
    this.closed = true;
    this.pending?.cancel();
    this.receive(value);
  }

  emit(value: unknown): void {
    this.value(value);
  }

  end(): void {
    this.value(undefined);
  }

  error(error: unknown): void {
    if (this.closed) return;
    this.closed = true;
    this.fail(error);
  }
}
