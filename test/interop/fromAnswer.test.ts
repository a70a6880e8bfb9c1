import { NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fromAnswer } from '../../src/interop/fromAnswer.js';
import { Receiver, settled, unhandledIn } from './receiver.js';

const read = (answer: unknown, wanted?: number) => {
  const receiver = new Receiver(wanted);
  const pending = fromAnswer(answer, receiver);
  return { receiver, pending, got: receiver.got };
};

describe('a plain value', () => {
  const values: readonly unknown[] = [
    undefined,
    null,
    0,
    '',
    'text',
    1n,
    Symbol.iterator,
    [1, 2],
    { a: 1 },
    Buffer.from('bytes'),
    new Uint8Array(2),
    new Map([[1, 2]]),
    new Set([1]),
    new Date(0),
    Object.create(null),
    () => 'not called',
    function* notStarted() {},
    { then: 'no function' },
    { next: () => undefined },
  ];

  it.each(values.map((value) => [value]))('%s is handed over as it is, at once', (value) => {
    const { got, pending } = read(value);
    expect(got).toEqual([['value', value]]);
    expect(got[0]?.[1]).toBe(value);
    expect(pending).toBeUndefined();
  });
});

describe('a thenable', () => {
  it('answers what it resolves to, without being unrolled further', async () => {
    const { got, pending } = read(Promise.resolve([1, 2]));
    expect(got).toEqual([]);
    expect(pending?.stopsAtOnce).toBe(false);
    await settled();
    expect(got).toEqual([['value', [1, 2]]]);
  });

  it('answers its rejection', async () => {
    const { got } = read(Promise.reject(new Error('no')));
    await settled();
    expect(got).toEqual([['error', 'no']]);
  });

  it('may answer at once', () => {
    expect(read({ then: (resolve: (value: unknown) => void) => resolve(7) }).got).toEqual([['value', 7]]);
  });

  it('whose `then` can not be read is an error', () => {
    const hostile = Object.defineProperty({}, 'then', {
      get: () => {
        throw new Error('a trap');
      },
    });
    expect(read(hostile).got).toEqual([['error', 'a trap']]);
  });

  it('whose `then` throws is an error', () => {
    const hostile = {
      then: () => {
        throw new Error('no promise after all');
      },
    };
    expect(read(hostile).got).toEqual([['error', 'no promise after all']]);
  });

  it('goes on after a cancel, and what comes of it is still told', async () => {
    let resolve: (value: unknown) => void = () => undefined;
    const { got, pending } = read(
      new Promise((done) => {
        resolve = done;
      }),
    );
    pending?.cancel();
    resolve('late');
    await settled();
    expect(got).toEqual([['value', 'late']]);
  });
});

/** What another library's Observable looks like from outside: it knows RxJS by its symbol alone. */
const foreign = (emit: (observer: { next(value: unknown): void; complete(): void }) => () => void) => {
  const key = (Symbol as { readonly observable?: symbol }).observable ?? '@@observable';
  return {
    [key]: () => ({
      subscribe: (observer: { next(value: unknown): void; complete(): void }) => ({
        unsubscribe: emit(observer),
      }),
    }),
  };
};

describe('an Observable', () => {
  it('emits, and ends', () => {
    expect(read(of(1, [2])).got).toEqual([['emit', 1], ['emit', [2]], ['end']]);
  });

  it('fails', () => {
    expect(read(throwError(() => new Error('no'))).got).toEqual([['error', 'no']]);
  });

  it('that emits without end at once is left when nothing more is wanted', () => {
    let made = 0;
    const firehose = new Observable((subscriber) => {
      while (!subscriber.closed) subscriber.next(made++);
    });
    const { got } = read(firehose, 2);
    expect(got).toEqual([
      ['emit', 0],
      ['emit', 1],
    ]);
    expect(made).toBe(2);
  });

  it('is left at once by a cancel', () => {
    const source = new Subject();
    const { got, pending } = read(source);
    expect(source.observed).toBe(true);
    expect(pending?.stopsAtOnce).toBe(true);
    pending?.cancel();
    expect(source.observed).toBe(false);
    source.next('late');
    expect(got).toEqual([]);
  });

  it('whose teardown throws is an error, not a throw of the cancel', () => {
    const { got, pending } = read(
      new Observable(() => () => {
        throw new Error('the lock is gone');
      }),
    );
    expect(() => pending?.cancel()).not.toThrow();
    expect(got).toHaveLength(1);
    expect(got[0]?.[0]).toBe('error');
  });

  it('of another library is read through the symbol they agree on', () => {
    const answer = foreign((observer) => {
      observer.next('one');
      observer.complete();
      return () => undefined;
    });
    expect(read(answer).got).toEqual([['emit', 'one'], ['end']]);
  });

  it('of another library is left at once by a cancel', () => {
    let left = 0;
    const { pending } = read(foreign(() => () => void left++));
    pending?.cancel();
    expect(left).toBe(1);
  });

  it('of another copy of RxJS, whose `subscribe` wraps what it is given, is left by a cancel', () => {
    let left = 0;
    const copy = {
      lift: () => copy,
      subscribe: (observer: { next(value: unknown): void }) => {
        observer.next('one');
        return { unsubscribe: () => void left++ };
      },
    };
    const { got, pending } = read(copy);
    expect(got).toEqual([['emit', 'one']]);
    pending?.cancel();
    expect(left).toBe(1);
  });
});

describe('a generator object', () => {
  it('emits what it yields and answers what it returns, at once', () => {
    const { got, pending } = read(
      (function* () {
        yield 1;
        return 'out';
      })(),
    );
    expect(got).toEqual([
      ['emit', 1],
      ['value', 'out'],
    ]);
    expect(pending).toBeUndefined();
  });

  it('that returns nothing ends', () => {
    expect(read((function* () {})()).got).toEqual([['end']]);
  });

  it('that throws is an error', () => {
    const thrower = (function* () {
      yield 1;
      throw new Error('no');
    })();
    expect(read(thrower).got).toEqual([
      ['emit', 1],
      ['error', 'no'],
    ]);
  });

  it('is closed when nothing more is wanted: its `finally` runs, its next step does not', () => {
    const steps: string[] = [];
    const { got } = read(
      (function* () {
        try {
          yield 1;
          steps.push('went on');
          yield 2;
        } finally {
          steps.push('closed');
        }
      })(),
      1,
    );
    expect(got).toEqual([['emit', 1]]);
    expect(steps).toEqual(['closed']);
  });
});

describe('an async generator', () => {
  it('emits what it yields and answers what it returns', async () => {
    const { got } = read(
      (async function* () {
        yield 1;
        yield 2;
        return 'out';
      })(),
    );
    await settled();
    expect(got).toEqual([
      ['emit', 1],
      ['emit', 2],
      ['value', 'out'],
    ]);
  });

  it('is not pulled again when nothing more is wanted', async () => {
    const steps: string[] = [];
    const { got } = read(
      (async function* () {
        try {
          yield 1;
          steps.push('went on');
          yield 2;
        } finally {
          steps.push('closed');
        }
      })(),
      1,
    );
    await settled();
    expect(got[0]).toEqual(['emit', 1]);
    expect(steps).toEqual(['closed']);
  });

  it('is asked to return at once by a cancel, also while it works, and does no step more', async () => {
    const steps: string[] = [];
    let work: () => void = () => undefined;
    const working = new Promise<void>((resolve) => {
      work = resolve;
    });
    const { pending } = read(
      (async function* () {
        try {
          yield 'started';
          await working;
          steps.push('worked');
          yield 'half';
          steps.push('went on');
        } finally {
          steps.push('closed');
        }
      })(),
    );
    await settled();
    pending?.cancel();
    work();
    await settled();
    expect(steps).toEqual(['worked', 'closed']);
  });

  it('that hangs for ever is asked to return, and nobody waits for it', async () => {
    let asked = 0;
    const hanging = (async function* () {
      await new Promise(() => undefined);
      yield 1;
    })();
    const original = hanging.return.bind(hanging);
    hanging.return = (value) => {
      asked++;
      return original(value);
    };
    const { got, pending } = read(hanging);
    await settled();
    pending?.cancel();
    pending?.cancel();
    await settled();
    expect(asked).toBe(1);
    expect(got).toEqual([]);
  });

  it('that throws is an error', async () => {
    const { got } = read(
      // biome-ignore lint/correctness/useYield: it fails before its first one
      (async function* () {
        throw new Error('no');
      })(),
    );
    await settled();
    expect(got).toEqual([['error', 'no']]);
  });
});

const iterable = (next: () => unknown, more: object = {}) => ({
  [Symbol.asyncIterator]: () => ({ next, ...more }),
});

describe('an async iterable', () => {
  it('without `return` ends with a cancel', async () => {
    let pulls = 0;
    const { pending, got } = read(
      iterable(async () => ({ done: false, value: ++pulls })),
      3,
    );
    await settled();
    expect(got).toHaveLength(3);
    expect(() => pending?.cancel()).not.toThrow();
    await settled();
    expect(pulls).toBe(3);
  });

  it('that is done is not asked to return', async () => {
    let returned = 0;
    const { pending, got } = read(
      iterable(async () => ({ done: true, value: undefined }), { return: async () => void returned++ }),
    );
    await settled();
    pending?.cancel();
    expect(got).toEqual([['end']]);
    expect(returned).toBe(0);
  });

  it('that has failed is not asked to return', async () => {
    let returned = 0;
    const { pending, got } = read(
      iterable(() => Promise.reject(new Error('no')), { return: async () => void returned++ }),
    );
    await settled();
    pending?.cancel();
    expect(got).toEqual([['error', 'no']]);
    expect(returned).toBe(0);
  });

  it('may give its steps at once, as `for await` allows', async () => {
    let pulls = 0;
    const { got } = read(iterable(() => (pulls++ < 2 ? { done: false, value: pulls } : { done: true })));
    await settled();
    expect(got).toEqual([['emit', 1], ['emit', 2], ['end']]);
  });

  it.each([
    ['nothing', () => undefined],
    ['a promise of nothing', async () => undefined],
    ['null, later', async () => null],
  ])('that gives %s for a step is an error, and no unhandled rejection', async (_name, next) => {
    const unhandled = await unhandledIn(async () => {
      const { got } = read(iterable(next));
      await settled();
      expect(got).toHaveLength(1);
      expect(got[0]?.[0]).toBe('error');
    });
    expect(unhandled).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('cannot stop');
      },
    ],
    ['rejects', () => Promise.reject(new Error('cannot stop'))],
  ])('whose `return` %s tells it as an error, and no unhandled rejection', async (_name, stop) => {
    const unhandled = await unhandledIn(async () => {
      const { got, pending } = read(iterable(() => new Promise(() => undefined), { return: stop }));
      pending?.cancel();
      await settled();
      expect(got).toEqual([['error', 'cannot stop']]);
    });
    expect(unhandled).toEqual([]);
  });

  it('whose iterator can not be made is an error', () => {
    const broken = {
      [Symbol.asyncIterator]: () => {
        throw new Error('used up');
      },
    };
    expect(read(broken).got).toEqual([['error', 'used up']]);
  });

  it('may be a ReadableStream, which a cancel cancels', async () => {
    let cancelled = 0;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue('chunk'),
      cancel: () => void cancelled++,
    });
    const { got, pending } = read(stream);
    await settled();
    expect(got).toEqual([['emit', 'chunk']]);
    pending?.cancel();
    await settled();
    expect(cancelled).toBe(1);
    expect(stream.locked).toBe(false);
  });

  it('may be a ReadableStream that is read to its end', async () => {
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(1);
        controller.close();
      },
    });
    const { got } = read(stream);
    await settled();
    expect(got).toEqual([['emit', 1], ['end']]);
  });
});

it('nothing is left of an Observable that never answers once it is cancelled', () => {
  const { got, pending } = read(NEVER);
  pending?.cancel();
  pending?.requestStop();
  expect(got).toEqual([]);
});
