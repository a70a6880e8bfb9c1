import type { Observable, OperatorFunction } from 'rxjs';
import { MillraceError } from '../../src/contract/errors.js';

/** What an operator under test is built with: stands where a user's own functions and Observables stand. */
export interface OperatorProbe {
  /** To be called once a value, in a function the operator is given; throws where a check wants it to. */
  readonly call: () => void;
  /**
   * For operators that flatten: what the values that fill all slots wait for, so that the others pile up behind
   * them: `mergeSafe((v) => (v.n < 3 ? concat(gate$, of(v)) : of(v)), 3)`. Never emits; most checks leave it open.
   */
  readonly gate$: Observable<never>;
}

/** An operator and how to feed it. */
export interface OperatorUnderTest<T, R> {
  /** Makes the operator; each check makes its own. */
  make(probe: OperatorProbe): OperatorFunction<T, R>;
  /** The value at an index, from 0: a new object each time, so that what is kept can be found. */
  value(index: number): T;
  /** What comes out, as `read` sees it, where exactly these values went in. Default: they themselves. */
  outputs?(values: readonly T[]): readonly unknown[];
  /** What is compared of an output, with `Object.is`. Default: the output itself. */
  read?(output: R): unknown;
  /** How many listeners and subscriptions live outside: a latch's listeners, say. Default: always 0. */
  kept?(): number;
  /** Whether it calls `probe.call`. Default true. */
  readonly callsBack?: boolean;
  /** Whether the subscriptions of one application share a run, by contract. Default false. */
  readonly shares?: boolean;
  /**
   * Whether all that a source has ready when it is subscribed to is taken before the first output, by contract: a
   * source that emits without end can't be stopped then. Default false.
   */
  readonly linesUp?: boolean;
}

/** A check of an operator that failed: the message says what was expected and what came. */
export class OperatorCheckError extends MillraceError {
  constructor(message: string, options?: ErrorOptions) {
    super('operator_check', message, options);
  }
}

/** Throws where two numbers or words differ. */
export const expectSame = (what: string, expected: unknown, got: unknown): void => {
  if (!Object.is(expected, got))
    throw new OperatorCheckError(`${what}: expected ${String(expected)}, got ${String(got)}`);
};

/** Throws where two lists differ, naming the first place. */
export const expectList = (what: string, expected: readonly unknown[], got: readonly unknown[]): void => {
  const at = expected.findIndex((value, index) => !Object.is(value, got[index]));
  if (at < 0 && expected.length === got.length) return;
  const place = at < 0 ? expected.length : at;
  const length = `${expected.length} outputs expected, ${got.length} came`;
  throw new OperatorCheckError(
    `${what}: ${length}, first difference at ${place}: ${show(expected, place)} expected, ${show(got, place)} came`,
  );
};

const show = (list: readonly unknown[], at: number): string => {
  if (at >= list.length) return 'nothing';
  const value = list[at];
  return typeof value === 'object' ? (JSON.stringify(value) ?? String(value)) : String(value);
};
