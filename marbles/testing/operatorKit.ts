import { checkErrors, checkFirehose, checkFreshState, checkLazy, checkTeardown } from './operatorLife.js';
import { checkManyAnswers, checkReentrancy } from './operatorLoad.js';
import { checkNothingKept } from './operatorMemory.js';
import { OperatorCheckError, type OperatorUnderTest } from './operatorTarget.js';

export { OperatorCheckError, type OperatorProbe, type OperatorUnderTest } from './operatorTarget.js';

/** What the conformance kit checks, by name. */
export type OperatorCheckName =
  | 'does nothing before it is subscribed to'
  | 'has fresh state for each subscription'
  | 'stops a source that emits everything at once'
  | 'tears the source down once, and at once'
  | 'delivers an error once, and nothing after it'
  | 'loses and repeats nothing when its consumer feeds the source'
  | 'takes 20,000 synchronous answers'
  | 'keeps nothing of what is over';

export interface OperatorCheck {
  readonly name: OperatorCheckName;
  /** Throws, or rejects, with an `OperatorCheckError`. */
  run(): void | Promise<void>;
}

/**
 * The conformance kit for operators: named checks, to be registered with any test runner.
 *
 * Nothing of it takes time. The last check alone is asynchronous, and looks deeper under `node --expose-gc`.
 *
 * @example
 * ```ts
 * describe('double', () => {
 *   const double = { make: ({ call }) => map((v: { n: number }) => (call(), v)), value: (n: number) => ({ n }) };
 *   for (const { name, run } of operatorChecks(double)) it(name, run);
 * });
 * ```
 */
export const operatorChecks = <T, R>(target: OperatorUnderTest<T, R>): readonly OperatorCheck[] => {
  const check = (name: OperatorCheckName, run: () => void | Promise<void>): OperatorCheck => ({ name, run });
  return [
    check('does nothing before it is subscribed to', () => checkLazy(target)),
    check('has fresh state for each subscription', () => checkFreshState(target)),
    check('stops a source that emits everything at once', () => checkFirehose(target)),
    check('tears the source down once, and at once', () => checkTeardown(target)),
    check('delivers an error once, and nothing after it', () => checkErrors(target)),
    check('loses and repeats nothing when its consumer feeds the source', () => checkReentrancy(target)),
    check('takes 20,000 synchronous answers', () => checkManyAnswers(target)),
    check('keeps nothing of what is over', () => checkNothingKept(target)),
  ];
};

/** A check that did not hold. */
export interface OperatorFailure {
  readonly name: OperatorCheckName;
  readonly message: string;
}

/** Runs all checks, and tells of each one that fails. */
export const operatorFailures = async <T, R>(
  target: OperatorUnderTest<T, R>,
): Promise<readonly OperatorFailure[]> => {
  const failures: OperatorFailure[] = [];
  for (const { name, run } of operatorChecks(target)) {
    try {
      await run();
    } catch (error) {
      failures.push({ name, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return failures;
};

/**
 * Runs all checks; the form for scripts without a test runner.
 *
 * @throws OperatorCheckError that names each check that fails, and why
 */
export const checkOperator = async <T, R>(target: OperatorUnderTest<T, R>): Promise<void> => {
  const failures = await operatorFailures(target);
  if (failures.length === 0) return;
  throw new OperatorCheckError(failures.map(({ name, message }) => `${name}: ${message}`).join('\n'));
};
