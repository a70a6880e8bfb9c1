import { concat, EMPTY, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { firstAnswer } from '../../src/interop/firstAnswer.js';
import { settled } from './receiver.js';

const read = (answer: unknown) => {
  const got: unknown[][] = [];
  const pending = firstAnswer(
    answer,
    (value) => got.push(['value', value]),
    (error) => got.push(['error', error instanceof Error ? error.message : error]),
  );
  return { got, pending };
};

describe('what is there at once is answered at once', () => {
  it.each<[string, unknown, readonly unknown[]]>([
    ['a value', 'yes', ['value', 'yes']],
    ['nothing', undefined, ['value', undefined]],
    ['an array', [1], ['value', [1]]],
    ['the first of several emissions', of(1, 2, 3), ['value', 1]],
    ['no emission', EMPTY, ['value', undefined]],
    ['a failure', throwError(() => new Error('no')), ['error', 'no']],
    [
      'a value before a failure',
      concat(
        of(1),
        throwError(() => new Error('no')),
      ),
      ['value', 1],
    ],
  ])('%s', (_name, answer, expected) => {
    const { got, pending } = read(answer);
    expect(got).toEqual([expected]);
    expect(pending).toBeUndefined();
  });

  it('what a generator yields first, without its second step', () => {
    let steps = 0;
    const { got } = read(
      (function* () {
        yield ++steps;
        yield ++steps;
      })(),
    );
    expect([got, steps]).toEqual([[['value', 1]], 1]);
  });

  it('what a generator returns, where it yields nothing', () => {
    expect(
      read(
        // biome-ignore lint/correctness/useYield: that is what is asked
        (function* () {
          return 'out';
        })(),
      ).got,
    ).toEqual([['value', 'out']]);
  });
});

describe('what comes later is answered later', () => {
  it('once, from a promise', async () => {
    const { got, pending } = read(Promise.resolve('yes'));
    expect(pending).toBeDefined();
    await settled();
    expect(got).toEqual([['value', 'yes']]);
  });

  it('from a rejection, as an error', async () => {
    const { got } = read(Promise.reject(new Error('no')));
    await settled();
    expect(got).toEqual([['error', 'no']]);
  });

  it('from an Observable, which is left with its first emission', () => {
    const source = new Subject();
    const { got } = read(source);
    source.next(1);
    expect(source.observed).toBe(false);
    source.next(2);
    expect(got).toEqual([['value', 1]]);
  });

  it('from an async generator, which is closed', async () => {
    let closed = 0;
    const { got } = read(
      (async function* () {
        try {
          yield 1;
          yield 2;
        } finally {
          closed++;
        }
      })(),
    );
    await settled();
    expect([got, closed]).toEqual([[['value', 1]], 1]);
  });
});

it('after a cancel nothing is answered any more', async () => {
  let left = 0;
  const source = new Observable(() => () => void left++);
  const answers = [
    () => Promise.resolve(1),
    () => Promise.reject(new Error('late')),
    () => source,
    () => NEVER,
  ];
  for (const answer of answers) {
    const { got, pending } = read(answer());
    pending?.cancel();
    await settled();
    expect(got).toEqual([]);
  }
  expect(left).toBe(1);
});
