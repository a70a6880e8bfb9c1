import { type Observable, of, Subject, take, toArray } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Batch, concatUnsafe, partitionByConcurrency } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

const isSmall = (letter: string): boolean => letter === letter.toLowerCase();
const cut = partitionByConcurrency(isSmall);

/** Collects batches, and subscribes to none. */
const collected = (source: Observable<string>): Batch<string>[] => {
  const batches: Batch<string>[] = [];
  source.pipe(cut).subscribe((batch) => batches.push(batch));
  return batches;
};

const itemsOf = ({ items$ }: Batch<string>): string => {
  let came = '';
  items$.subscribe({
    next: (letter) => (came += letter),
    complete: () => (came += '|'),
    error: () => (came += '#'),
  });
  return came;
};

describe('a batch', () => {
  it('is announced with its first value, and stays open while more may come', () => {
    draw(
      diagrams.partitionByConcurrency,
      `
      source  a--b----|
      batches 0-------|
      0       a--b----|`,
    );
  });

  it('of an unsafe value is that value alone', () => {
    draw(
      diagrams.partitionByConcurrency,
      `
      source  A-B--cC|
      batches 0-1--23|
      0       (A|)
      1         (B|)
      2            c|
      3             (C|)`,
    );
  });

  it('that is open when the source fails ends well', () => {
    draw(
      diagrams.partitionByConcurrency,
      `
      source  ab-#
      batches 0--#
      0       ab-|`,
    );
  });

  it('that is open when the batches are left ends well', () => {
    draw(
      diagrams.partitionByConcurrency,
      `
      source  ab-c-d
      subs    ^---!
      batches 0------
      subs    ^---!
      0       ab-c|`,
    );
  });

  it('keeps what comes before its subscriber does', () => {
    const source = new Subject<string>();
    const batches = collected(source);
    for (const letter of 'abCd') source.next(letter);
    source.complete();
    expect(batches.map(({ index, isConcurrencySafe }) => [index, isConcurrencySafe])).toEqual([
      [0, true],
      [1, false],
      [2, true],
    ]);
    expect(batches.map(itemsOf)).toEqual(['ab|', 'C|', 'd|']);
  });

  it('hands on what comes after, also what comes while the kept values are handed over', () => {
    const source = new Subject<string>();
    const batches = collected(source);
    source.next('a');
    let came = '';
    batches[0]?.items$.subscribe((letter) => {
      came += letter;
      if (letter === 'a') source.next('b');
    });
    source.next('c');
    expect(came).toBe('abc');
  });

  it('is for one subscriber', () => {
    const [batch] = collected(of('a', 'b'));
    if (batch === undefined) throw new Error('no batch');
    expect([itemsOf(batch), itemsOf(batch)]).toEqual(['ab|', '#']);
    let message = '';
    batch.items$.subscribe({ error: (error: Error) => (message = error.message) });
    expect(message).toBe('the items of a batch are for one subscriber: share() them, or collect them once');
  });

  it('takes no more for a subscriber that has left', () => {
    const source = new Subject<string>();
    const batches = collected(source);
    source.next('a');
    let came = '';
    batches[0]?.items$.pipe(take(1)).subscribe((letter) => (came += letter));
    source.next('b');
    expect([came, batches.length]).toEqual(['a', 1]);
  });
});

describe('a consumer', () => {
  it('that feeds the source when a batch ends finds all in its place', () => {
    const source = new Subject<string>();
    const came: string[] = [];
    source
      .pipe(
        cut,
        concatUnsafe(({ items$ }) => items$.pipe(toArray())),
      )
      .subscribe((letters) => {
        came.push(letters.join(''));
        if (letters[0] === 'a') source.next('b');
      });
    for (const letter of 'aCd') source.next(letter);
    source.complete();
    expect(came).toEqual(['a', 'C', 'bd']);
  });

  it('that ends the source when a batch ends still gets the value that ended it', () => {
    const source = new Subject<string>();
    const came: string[] = [];
    source
      .pipe(
        cut,
        concatUnsafe(({ items$ }) => items$.pipe(toArray())),
      )
      .subscribe((letters) => {
        came.push(letters.join(''));
        source.complete();
      });
    for (const letter of 'aC') source.next(letter);
    expect(came).toEqual(['a', 'C']);
  });
});

it('a predicate that throws is the error, and the open batch ends well', () => {
  const error = new Error('a shell quote');
  const source = new Subject<number>();
  const log: unknown[] = [];
  const isSafe = (n: number): boolean => {
    if (n === 2) throw error;
    return true;
  };
  source.pipe(partitionByConcurrency(isSafe)).subscribe({
    next: ({ items$ }) => items$.subscribe({ next: (n) => log.push(n), complete: () => log.push('ends') }),
    error: (e) => log.push(e),
  });
  for (const n of [1, 2, 3]) source.next(n);
  expect(log).toEqual([1, error, 'ends']);
});

it('what is not true is unsafe', () => {
  const answers = [1, 'yes', undefined, true] as unknown as boolean[];
  const safe: boolean[] = [];
  of(...answers)
    .pipe(partitionByConcurrency((answer) => answer))
    .subscribe(({ isConcurrencySafe }) => safe.push(isConcurrencySafe));
  expect(safe).toEqual([false, false, false, true]);
});

it('infers the values of its batches', () => {
  expectTypeOf(of(1).pipe(partitionByConcurrency(() => true))).toEqualTypeOf<Observable<Batch<number>>>();
  expectTypeOf<Batch<number>['items$']>().toEqualTypeOf<Observable<number>>();
});
