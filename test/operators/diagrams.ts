import { map, Observable, tap } from 'rxjs';
import type { BuildDiagram } from '../../marbles/testing/diagrams/runDiagram.js';
import {
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

/** How each operator's diagrams are run: which row is what. One entry an operator. */
export const diagrams: Readonly<Record<string, BuildDiagram>> = {
  /** `source`; a row for each of its letters; `result`. */
  concatUnsafe: ({ input }) => ({ result: input('source').pipe(concatUnsafe(input)) }),
  /** As above; options `concurrency`. */
  mergeSafe: ({ input, option }) => ({
    result: input('source').pipe(mergeSafe(input, Number(option('concurrency')))),
  }),
  /** `source`, small letters are safe; `batches`, by their index; a row for the items of each. */
  partitionByConcurrency: ({ input, observe }) => ({
    batches: input('source').pipe(
      partitionByConcurrency((letter) => letter === letter.toLowerCase()),
      tap(({ index, items$ }) => observe(String(index), items$)),
      map(({ index }) => String(index)),
    ),
  }),
  /** `source`; `abort`, its letter is the reason; `result`, the reason's capital stands for the rest. */
  takeUntilAborted: ({ input }) => {
    const abort = new Latch<string>();
    input('abort').subscribe((reason) => abort.trip(reason));
    return { result: input('source').pipe(takeUntilAborted(abort, (reason) => reason.toUpperCase())) };
  },
  /** `source`, digits are places; `result`. */
  progressFirst: ({ input }) => ({
    result: input('source').pipe(progressFirst((letter) => (/\d/.test(letter) ? Number(letter) : undefined))),
  }),
  /** `source`, `T` is terminal; `result`. */
  settleOnce: ({ input }) => ({ result: input('source').pipe(settleOnce((letter) => letter === 'T')) }),
  /** `source`; `result`, the effect adds the capital. */
  tapAfter: ({ input }) => ({
    result: new Observable<string>((subscriber) =>
      input('source')
        .pipe(tapAfter((letter) => subscriber.next(letter.toUpperCase())))
        .subscribe(subscriber),
    ),
  }),
  /** `trips`, its letters are reasons; `early` and `late` listen. */
  latch: ({ input }) => {
    const latch = new Latch<string>();
    input('trips').subscribe((reason) => latch.trip(reason));
    return { early: latch.tripped$, late: latch.tripped$ };
  },
  /** `source`; `first`, `second` and `third` observe. */
  shareOnce: ({ input }) => {
    const shared$ = input('source').pipe(shareOnce(() => new Error('too late')));
    return { first: shared$, second: shared$, third: shared$ };
  },
};
