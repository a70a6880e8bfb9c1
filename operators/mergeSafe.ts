import type { ObservableInput, OperatorFunction } from 'rxjs';
import { type FlattenOptions, flatten } from './flatten.js';
import type { SlotReason } from './slotReturns.js';
import { checkLimit, type SharedSlots } from './slots.js';

export interface MergeSafeOptions<T> {
  /** How many run at a time: an integer from 1, or `Infinity`. Default `Infinity`. */
  readonly concurrency?: number;
  /** How many of a kind: integers from 1, or `Infinity`. Kinds not named are bounded by `concurrency` alone. */
  readonly kinds?: Readonly<Record<string, number>> | undefined;
  /** The value's kind. Default: all are of one kind without a name. */
  readonly kindOf?: (value: T) => string;
  /** Among waiting values the higher goes first, then the one that came first. Default 0. */
  readonly priority?: (value: T) => number;
  /** Slots shared with other `mergeSafe`; a value runs when both sides have one. */
  readonly pool?: SharedSlots;
  /** Told when a value can't start: `limit`, its own slots are full; `pool`, the shared ones are; `alone`, one that runs must run alone. */
  readonly onWait?: (value: T, reason: SlotReason) => void;
}

/**
 * Runs values side by side, bounded: so many in all, so many of a kind, the rest waits in line.
 *
 * ```marbles concurrency=2
 * source abc|
 * a      --x|
 * b       ---y|
 * c         --z|     waits for the slot of a
 * result --x-yz|
 * ```
 *
 * **Gotchas** The line is not bounded. An error of one ends all, as with `mergeMap`: make failures values.
 * Unlike `mergeMap` it takes any number of synchronous answers, and costs the same for each of them. With
 * `priority`, all that a source has ready when it is subscribed to is lined up before the first of it starts: a
 * source that emits without end must not be given one.
 *
 * @param project what to run for a value; a throw is the stream's error
 * @param limit how many at a time, or options
 * @throws RangeError for a limit that is no integer from 1 up and not `Infinity`
 * @example
 * ```ts
 * urls$.pipe(mergeSafe((url) => fetch$(url), { concurrency: 10, priority: (url) => (url.startsWith('https') ? 1 : 0) }));
 * ```
 */
export const mergeSafe = <T, R>(
  project: (value: T) => ObservableInput<R>,
  limit: number | MergeSafeOptions<T>,
): OperatorFunction<T, R> => {
  const options: FlattenOptions<T> =
    typeof limit === 'number'
      ? { concurrency: limit, lendsSlots: true }
      : { ...limit, lendsSlots: true, concurrency: limit.concurrency ?? Number.POSITIVE_INFINITY };
  checkLimit('concurrency', options.concurrency);
  for (const [kind, ofKind] of Object.entries(options.kinds ?? {})) checkLimit(`kinds.${kind}`, ofKind);
  return (source) => flatten(source, project, options);
};
