import type { ObservableInput, OperatorFunction } from 'rxjs';
import { flatten } from './flatten.js';

const alone = { concurrency: 1 };

/**
 * Runs values one at a time, in order; the next starts when the one before is torn down.
 *
 * ```marbles
 * source ab|
 * a      --x|
 * b         -y|
 * result --x-y|
 * ```
 * **Gotchas** The line is not bounded. Unlike `concatMap` it takes any number of synchronous answers.
 *
 * @param project what to run for a value; a throw is the stream's error
 * @example
 * ```ts
 * writes$.pipe(concatUnsafe((write) => save$(write)));
 * ```
 */
export const concatUnsafe =
  <T, R>(project: (value: T) => ObservableInput<R>): OperatorFunction<T, R> =>
  (source) =>
    flatten(source, project, alone);
