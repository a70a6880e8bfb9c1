import { describe, expect, it } from 'vitest';
import { messageOf, toJson } from '../../src/results/json.js';

const circular = (): unknown => {
  const value: Record<string, unknown> = { a: 1 };
  value.self = value;
  return value;
};
const circularMap = (): unknown => {
  const map = new Map<string, unknown>([['a', 1]]);
  map.set('self', map);
  return map;
};
const circularSet = (): unknown => {
  const set = new Set<unknown>([1]);
  set.add(set);
  return set;
};

describe('toJson', () => {
  it.each<[string, unknown, string]>([
    ['plain data', { a: [1, 'x', null, true] }, '{"a":[1,"x",null,true]}'],
    ['a text', 'x', '"x"'],
    ['nothing', undefined, 'undefined'],
    ['a BigInt', { n: 10n ** 30n }, `{"n":"${10n ** 30n}"}`],
    ['a function', { run: function go() {} }, '{"run":"[function go]"}'],
    ['a symbol', Symbol('s'), '"Symbol(s)"'],
    ['an error', { e: new TypeError('no') }, '{"e":{"name":"TypeError","message":"no"}}'],
    ['a Map', new Map([[1, { a: 1 }]]), '{"1":{"a":1}}'],
    ['a Set', new Set([1, 2]), '[1,2]'],
    ['a Buffer', { b: Buffer.from('abc') }, '{"b":"[3 bytes]"}'],
    ['an ArrayBuffer', new ArrayBuffer(8), '"[8 bytes]"'],
    ['a typed array', [new Float64Array(2)], '["[16 bytes]"]'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a Date that is none', new Date(Number.NaN), 'null'],
    ['NaN', [Number.NaN, Number.POSITIVE_INFINITY], '[null,null]'],
    ['what contains itself', circular(), '{"a":1,"self":"[circular]"}'],
    ['the same thing twice, which is no circle', ((x) => [x, x])({ a: 1 }), '[{"a":1},{"a":1}]'],
    ['a Map that contains itself: the rest is kept', circularMap(), '{"a":1,"self":"[circular]"}'],
    ['a Set that contains itself: the rest is kept', circularSet(), '[1,"[circular]"]'],
    ['what has no prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    ['a key `__proto__`', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['a Map with that key', new Map([['__proto__', 1]]), '{"__proto__":1}'],
  ])('of %s', (_name, value, expected) => {
    expect(toJson(value)).toBe(expected);
  });

  it.each<[string, unknown]>([
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('a trap');
        },
      },
    ],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('a trap');
        },
      },
    ],
    [
      'a proxy that refuses everything',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('a trap');
          },
          ownKeys: () => {
            throw new Error('a trap');
          },
        },
      ),
    ],
  ])('of %s says that it can not be read', (_name, value) => {
    expect(toJson(value)).toBe('"[unreadable: a trap]"');
  });

  it('of what is nested deeper than the stack reaches says that it can not be read', () => {
    let deep: unknown = 1;
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(toJson(deep)).toMatch(/unreadable/);
  });
});

describe('messageOf', () => {
  it.each<[string, unknown, string]>([
    ['an error', new Error('no'), 'no'],
    ['an error without a message', new RangeError(''), 'RangeError'],
    ['an error that names itself', Object.assign(new Error(''), { name: 'Odd' }), 'Odd'],
    ['something like an error', { message: 'no' }, 'no'],
    ['an object', { code: 1 }, '{"code":1}'],
    ['an object whose message is one', { message: { de: 'nein' } }, '{"de":"nein"}'],
    ['a text', 'no', 'no'],
    ['a number', 0, '0'],
    ['nothing', undefined, 'undefined'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
  ])('of %s', (_name, thrown, expected) => {
    expect(messageOf(thrown)).toBe(expected);
  });

  it('of what throws when it is read', () => {
    expect(
      messageOf({
        get message() {
          throw new Error('a trap');
        },
      }),
    ).toBe('an error that can not be read');
  });
});
