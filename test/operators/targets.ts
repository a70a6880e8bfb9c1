import { concat, type OperatorFunction, of } from 'rxjs';
import type { OperatorProbe, OperatorUnderTest } from '../../marbles/testing/operatorKit.js';
import {
  type Batch,
  concatUnsafe,
  Latch,
  mergeSafe,
  partitionByConcurrency,
  progressFirst,
  settleOnce,
  shareOnce,
  takeUntilAborted,
  tapAfter,
} from '../../operators/index.js';
import { PoolSlots } from '../../src/engine/pool.js';

interface Value {
  readonly n: number;
}

type Target = OperatorUnderTest<Value, Value>;

const value = (n: number): Value => ({ n });
const one = (make: (probe: OperatorProbe) => OperatorFunction<Value, Value>, rest: Partial<Target> = {}) =>
  ({ make, value, ...rest }) satisfies Target;

/** Runs a value inside; the first few wait for the gate, so that all slots are taken. */
const inner =
  ({ call, gate$ }: OperatorProbe, slots: number) =>
  (given: Value) => {
    call();
    return given.n < slots ? concat(gate$, of(given)) : of(given);
  };

const abort = new Latch<string>();
const pool = new PoolSlots({ concurrency: 2 });
const alone = ({ n }: Value): boolean => n % 3 !== 0;
const upTo = (last: number) => (values: readonly Value[]) => values.filter(({ n }) => n <= last);

const inBatches = (
  probe: OperatorProbe,
  isSafe: (given: Value) => boolean,
): OperatorFunction<Value, Value> => {
  const gated = inner({ ...probe, call: () => undefined }, 1);
  return (source) =>
    source.pipe(
      partitionByConcurrency((given) => {
        probe.call();
        return isSafe(given);
      }),
      concatUnsafe(({ items$ }) => items$.pipe(concatUnsafe(gated))),
    );
};

/** Every operator, built as its users build it; the name says which case. */
export const targets: Readonly<Record<string, Target>> = {
  'mergeSafe, one at a time': one((probe) => mergeSafe(inner(probe, 1), 1)),
  'mergeSafe, three at a time': one((probe) => mergeSafe(inner(probe, 3), 3)),
  'mergeSafe, unbounded': one((probe) => mergeSafe(inner(probe, 3), Number.POSITIVE_INFINITY)),
  'mergeSafe, with every option': one(
    (probe) =>
      mergeSafe(inner(probe, 2), {
        concurrency: 2,
        kinds: { even: 1, odd: 1 },
        kindOf: ({ n }) => (n % 2 === 0 ? 'even' : 'odd'),
        pool,
        onWait: () => undefined,
      }),
    { kept: () => pool.running + pool.waiting },
  ),
  'mergeSafe, by priority': one(
    (probe) => mergeSafe(inner(probe, 1), { concurrency: 1, priority: ({ n }) => -n }),
    { linesUp: true },
  ),
  concatUnsafe: one((probe) => concatUnsafe(inner(probe, 1))),
  'partitionByConcurrency, all safe': one((probe) => inBatches(probe, () => true)),
  'partitionByConcurrency, all alone': one((probe) => inBatches(probe, () => false)),
  'partitionByConcurrency, in turns': one((probe) => inBatches(probe, alone)),
  takeUntilAborted: one(() => takeUntilAborted(abort, () => value(-1)), {
    callsBack: false,
    kept: () => abort.listeners,
  }),
  'progressFirst, without places': one(({ call }) =>
    progressFirst(() => {
      call();
      return undefined;
    }),
  ),
  'progressFirst, in order': one(({ call }) =>
    progressFirst(({ n }) => {
      call();
      return n;
    }),
  ),
  'progressFirst, pairs swapped': one(
    ({ call }) =>
      progressFirst(({ n }) => {
        call();
        return n ^ 1;
      }),
    { outputs: (values) => [...values].sort((a, b) => (a.n ^ 1) - (b.n ^ 1)) },
  ),
  'settleOnce, never settled': one(({ call }) =>
    settleOnce(() => {
      call();
      return false;
    }),
  ),
  'settleOnce, settled by the third': one(
    ({ call }) =>
      settleOnce(({ n }) => {
        call();
        return n === 2;
      }),
    { outputs: upTo(2) },
  ),
  tapAfter: one(({ call }) => tapAfter(call)),
  shareOnce: one(() => shareOnce(() => new Error('too late')), { callsBack: false, shares: true }),
};

/** The batches themselves: `items$` is left to whoever wants it. */
export const batches: OperatorUnderTest<Value, Batch<Value>> = {
  make: ({ call }) =>
    partitionByConcurrency(() => {
      call();
      return false;
    }),
  value,
  read: ({ index }) => index,
  outputs: (values) => values.map((_, index) => index),
};
