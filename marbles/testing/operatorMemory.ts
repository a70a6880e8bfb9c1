import { Run } from './operatorRun.js';
import { expectSame, OperatorCheckError, type OperatorUnderTest } from './operatorTarget.js';

const values = 2_000;
/** What an operator may hold of values that have come out: the last one, in a variable or two. */
const mayLive = 20;

/**
 * Nothing is kept of what is over: after each way to end no subscription and no listener is left, and while the
 * operator runs neither grows with the values.
 *
 * Where the garbage collector can be called (`node --expose-gc`) the values themselves are looked at too: what
 * has come out must be collectable while the subscription goes on. Without it only what can be counted is.
 */
export const checkNothingKept = async <T, R>(target: OperatorUnderTest<T, R>): Promise<void> => {
  const kept = (): number => target.kept?.() ?? 0;
  const before = kept();
  for (const end of ['complete', 'error', 'unsubscribe'] as const) {
    const run = new Run(target).subscribe();
    run.next();
    const afterOne = kept();
    for (let index = 1; index < 100; index++) run.next();
    if (kept() > afterOne)
      throw new OperatorCheckError(`kept grows with the values: ${afterOne} after one, ${kept()} after 100`);
    over(run, end);
    expectSame(`kept after ${end}`, before, kept());
    expectSame(`subscriptions to the source after ${end}`, 0, run.feed.subscriptions - run.feed.teardowns);
  }
  leavesWhatRuns(target);
  expectSame('kept after leaving what runs', before, kept());
  await valuesAreCollected(target);
};

const over = <T, R>(run: Run<T, R>, end: 'complete' | 'error' | 'unsubscribe'): void => {
  if (end === 'complete') run.feed.complete();
  else if (end === 'error') run.feed.error(new Error('of the source'));
  else run.subscription.unsubscribe();
};

/** What an operator runs inside is left with it. */
const leavesWhatRuns = <T, R>(target: OperatorUnderTest<T, R>): void => {
  for (const end of ['error', 'unsubscribe'] as const) {
    const run = new Run(target);
    run.probe.close();
    run.subscribe();
    for (let index = 0; index < 20; index++) run.next();
    over(run, end);
    expectSame(`inner subscriptions after ${end}`, 0, run.probe.waiting);
  }
};

const valuesAreCollected = async <T, R>(target: OperatorUnderTest<T, R>): Promise<void> => {
  const { gc } = globalThis as { readonly gc?: () => unknown };
  if (typeof gc !== 'function') return;
  const run = new Run({ ...target, read: () => undefined }).subscribe();
  const seen = feedAndForget(run, target);
  // References made in a turn of the event loop hold until it ends.
  await new Promise((resolve) => setTimeout(resolve, 0));
  gc();
  const living = seen.filter((reference) => reference.deref() !== undefined).length;
  run.subscription.unsubscribe();
  if (living > mayLive)
    throw new OperatorCheckError(`${living} of ${seen.length} values that have come out are still held`);
};

const feedAndForget = <T, R>(run: Run<T, R>, target: OperatorUnderTest<T, R>): readonly WeakRef<object>[] => {
  const seen: WeakRef<object>[] = [];
  for (let index = 0; index < values; index++) {
    const value: unknown = target.value(index);
    if (typeof value === 'object' && value !== null) seen.push(new WeakRef(value));
    run.feed.next(value as T);
  }
  return seen;
};
