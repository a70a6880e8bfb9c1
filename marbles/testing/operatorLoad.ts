import { Observable } from 'rxjs';
import { outputsOf, Run } from './operatorRun.js';
import { expectSame, OperatorCheckError, type OperatorUnderTest } from './operatorTarget.js';

const manyValues = 20_000;

/** A consumer that makes the source speak while it handles a value: feed, complete, fail, leave. */
export const checkReentrancy = <T, R>(target: OperatorUnderTest<T, R>): void => {
  feedsWhileHandling(target);
  endsWhileHandling(target, 'complete');
  endsWhileHandling(target, 'error');
  const left = new Run(target).subscribe();
  left.onOutput = () => {
    left.subscription.unsubscribe();
    for (let index = 0; index < 3; index++) left.next();
  };
  while (left.came.length === 0 && left.fed.length < 10) left.next();
  expectSame('outputs to a consumer that left while it handled the first', 1, left.came.length);
};

const feedsWhileHandling = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const total = 30;
  const run = new Run(target).subscribe();
  run.onOutput = () => {
    for (let more = 0; more < 2 && run.fed.length < total; more++) run.next();
  };
  while (run.fed.length < total) run.next();
  run.feed.complete();
  run.expectOutputs('fed by its consumer');
  run.expectEnd('fed by its consumer', { completions: 1 });
};

const endsWhileHandling = <T, R>(target: OperatorUnderTest<T, R>, end: 'complete' | 'error'): void => {
  const run = new Run(target).subscribe();
  run.onOutput = () => {
    run.onOutput = undefined;
    for (let more = 0; more < 5; more++) run.next();
    if (end === 'complete') run.feed.complete();
    else run.feed.error(new Error('of the source'));
    run.feed.next(target.value(run.fed.length));
  };
  while (run.came.length === 0 && run.fed.length < 10) run.next();
  const what = `a consumer that makes the source ${end}`;
  if (end === 'complete') run.expectOutputs(what);
  expectSame(`${what}, ends`, 1, run.ends);
  expectSame(`${what}, outputs after the end`, 0, run.late);
  expectSame(`${what}, teardowns of the source`, 1, run.feed.teardowns);
};

/** No overflow, none lost: fed at once, and piled up behind what is slow. */
export const checkManyAnswers = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const half = answersAtOnce(target, manyValues / 2);
  const all = answersAtOnce(target, manyValues);
  if (all > 2 * half + 100) {
    throw new OperatorCheckError(
      `calls of the function grow faster than the values: ${half} for ${manyValues / 2}, ${all} for ${manyValues}`,
    );
  }
  const run = new Run(target).subscribe();
  run.probe.close();
  while (run.fed.length < manyValues) run.next();
  run.feed.complete();
  run.probe.open();
  expectAll(target, run.fed, run, 'piled up');
};

const answersAtOnce = <T, R>(target: OperatorUnderTest<T, R>, count: number): number => {
  const values = Array.from({ length: count }, (_, index) => target.value(index));
  const source$ = new Observable<T>((subscriber) => {
    for (const value of values) subscriber.next(value);
    subscriber.complete();
  });
  const run = new Run(target, source$).subscribe();
  expectAll(target, values, run, 'at once');
  return run.probe.calls;
};

/** Each exactly once; in which order is not asked, for slots may be taken in another. */
const expectAll = <T, R>(
  target: OperatorUnderTest<T, R>,
  values: readonly T[],
  run: Run<T, R>,
  how: string,
): void => {
  const expected = outputsOf(target, values);
  const [error] = run.errors;
  if (error !== undefined) {
    throw new OperatorCheckError(`${values.length} values ${how} end in an error: ${String(error)}`, {
      cause: error,
    });
  }
  const missing = new Set(expected);
  for (const output of run.came) missing.delete(output);
  const what = `${values.length} values ${how}`;
  expectSame(`${what}, outputs`, expected.length, run.came.length);
  expectSame(`${what}, outputs that are missing`, 0, missing.size);
  expectSame(`${what}, completions`, 1, run.completions);
};
