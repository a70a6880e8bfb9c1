import { type Observable, of, Subject } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { progressFirst } from '../../operators/index.js';
import { diagrams } from './diagrams.js';
import { draw } from './draw.js';

const placed = () => {
  const source = new Subject<number>();
  const came: number[] = [];
  let onValue: (n: number) => void = () => undefined;
  source.pipe(progressFirst((n) => (n < 0 ? undefined : n))).subscribe({
    next: (n) => {
      came.push(n);
      onValue(n);
    },
    complete: () => came.push(Number.POSITIVE_INFINITY),
  });
  return {
    came,
    complete: () => source.complete(),
    feed: (...places: number[]) => {
      for (const n of places) source.next(n);
    },
    handle: (handler: (n: number) => void) => {
      onValue = handler;
    },
  };
};

describe('a result', () => {
  it.each([
    ['in its place goes out at once', '0-1-2|', '0-1-2|'],
    ['before its place is held', '2-1-0----|', '----(012)|'],
    ['lets progress pass', '1-p-q-0---r|', '--p-q-(01)r|'],
    ['behind a gap goes out with the end, in order', '3-1-0--4-|', '----(01)-(34|)'],
    ['held is dropped where the source fails', '1-p-#', '--p-#'],
  ])('%s', (_, source, result) => {
    draw(diagrams.progressFirst, `source ${source}\nresult ${result}`);
  });
});

describe('a consumer', () => {
  it('that fills places while held ones are released gets all of them in order', () => {
    const { came, feed, handle } = placed();
    handle((n) => {
      if (n === 0) feed(4, 2);
      if (n === 2) feed(3);
    });
    feed(1, 0);
    expect(came).toEqual([0, 1, 2, 3, 4]);
  });

  it('that fills places while one in order is delivered gets all of them in order', () => {
    const { came, feed, handle } = placed();
    handle((n) => {
      if (n === 0) feed(2, 1);
    });
    feed(0);
    expect(came).toEqual([0, 1, 2]);
  });

  it('that ends the source while held values are released loses none of them', () => {
    const { came, feed, handle, complete } = placed();
    handle((n) => {
      if (n === 0) complete();
    });
    feed(1, 2, 5, 0);
    expect(came).toEqual([0, 1, 2, 5, Number.POSITIVE_INFINITY]);
  });

  it('that leaves while held values are released gets no more', () => {
    const source = new Subject<number>();
    const came: number[] = [];
    const subscription = source.pipe(progressFirst((n) => n)).subscribe((n) => {
      came.push(n);
      if (n === 1) subscription.unsubscribe();
    });
    for (const n of [2, 1, 0]) source.next(n);
    expect(came).toEqual([0, 1]);
  });
});

it('100,000 places that come last first are each looked at once', () => {
  const count = 100_000;
  const source = new Subject<number>();
  let looked = 0;
  let due = 0;
  source
    .pipe(
      progressFirst((n) => {
        looked++;
        return n;
      }),
    )
    .subscribe((n) => {
      if (n === due) due++;
    });
  for (let n = count - 1; n >= 0; n--) source.next(n);
  expect([looked, due]).toEqual([count, count]);
});

it('keeps the type', () => {
  expectTypeOf(of('a').pipe(progressFirst(() => undefined))).toEqualTypeOf<Observable<string>>();
});
