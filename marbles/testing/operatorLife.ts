import { Observable, take } from 'rxjs';
import { Probe, Run } from './operatorRun.js';
import { expectList, expectSame, OperatorCheckError, type OperatorUnderTest } from './operatorTarget.js';

/** Nothing happens before the subscription, and the source is subscribed to once then. */
export const checkLazy = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const run = new Run(target);
  expectSame('subscriptions to the source before the result is subscribed to', 0, run.feed.subscriptions);
  expectSame('calls of the function before the result is subscribed to', 0, run.probe.calls);
  run.subscribe();
  expectSame('subscriptions to the source', 1, run.feed.subscriptions);
  run.subscription.unsubscribe();
};

/** One operator applied to two sources, and each result subscribed to twice: nobody sees of another. */
export const checkFreshState = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const operator = target.make(new Probe());
  const again: OperatorUnderTest<T, R> = { ...target, make: () => operator };
  const runs = [new Run(again).subscribe(), new Run(again).subscribe()];
  for (let index = 0; index < 4; index++) for (const run of runs) run.next();
  for (const run of runs) run.feed.complete();
  runs.forEach((run, index) => {
    run.expectOutputs(`application ${index + 1} of one operator, beside the other`);
  });
  if (target.shares !== true) checkSecondSubscription(target);
};

const checkSecondSubscription = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const run = new Run(target);
  const second: unknown[] = [];
  const read = target.read ?? ((output: R): unknown => output);
  run.subscribe();
  run.result$.subscribe((output) => second.push(read(output)));
  for (let index = 0; index < 4; index++) run.next();
  run.feed.complete();
  run.expectOutputs('the first of two subscriptions');
  run.expectOutputs('the second of two subscriptions', second);
  run.came.length = 0;
  run.fed.length = 0;
  run.subscribe();
  for (let index = 0; index < 4; index++) run.next();
  run.feed.complete();
  run.expectOutputs('a subscription after another has ended');
};

/** What emits without end stops about where the consumer has had enough. */
export const checkFirehose = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const limit = 10_000;
  const enough = target.linesUp === true ? limit : 2;
  let emitted = 0;
  const firehose$ = new Observable<T>((subscriber) => {
    while (!subscriber.closed && emitted < limit) subscriber.next(target.value(emitted++));
  });
  const results: R[] = [];
  firehose$.pipe(target.make(new Probe()), take(1)).subscribe((output) => results.push(output));
  expectSame('outputs with take(1) behind the operator', 1, results.length);
  if (emitted <= enough) return;
  throw new OperatorCheckError(
    `a source that emits everything at once went on after take(1) had left: expected at most ${enough} values, got ${emitted}`,
  );
};

/** The source is left exactly once, and at once. */
export const checkTeardown = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const completed = new Run(target).subscribe();
  completed.next();
  completed.feed.complete();
  completed.expectEnd('on completion', { completions: 1 });
  completed.subscription.unsubscribe();
  completed.expectEnd('unsubscribed after completion', { completions: 1 });

  const failed = new Run(target).subscribe();
  const error = new Error('of the source');
  failed.feed.error(error);
  failed.expectEnd('on an error', { errors: [error], completions: 0 });

  const left = new Run(target).subscribe();
  left.next();
  const before = left.came.length;
  left.subscription.unsubscribe();
  left.expectEnd('on unsubscription', { completions: 0 });
  left.next();
  expectSame('outputs after unsubscription', before, left.came.length);
};

/** An error arrives once, as it is, whoever made it; nothing comes after it. */
export const checkErrors = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const error = new Error('of the source');
  const stubborn$ = new Observable<T>((subscriber) => {
    subscriber.error(error);
    subscriber.next(target.value(0));
    subscriber.error(new Error('a second one'));
    subscriber.complete();
  });
  const failed = new Run(target, stubborn$).subscribe();
  expectList('errors of a source that fails twice', [error], failed.errors);
  expectSame('completions of a source that fails, then completes', 0, failed.completions);
  expectSame('outputs of what came after the error', 0, failed.came.length);
  if (target.callsBack !== false) checkThrow(target);
};

const checkThrow = <T, R>(target: OperatorUnderTest<T, R>): void => {
  const run = new Run(target).subscribe();
  run.probe.throwsAt = 2;
  for (let index = 0; index < 4; index++) run.next();
  if (run.probe.calls < 2) {
    throw new OperatorCheckError(
      'the operator did not call `probe.call` for each value: say `callsBack: false` if nothing of the user runs',
    );
  }
  expectSame('calls of the function, which throws at its second', 2, run.probe.calls);
  run.feed.complete();
  run.expectEnd('where the function throws', { errors: [run.probe.error], completions: 0 });
};
