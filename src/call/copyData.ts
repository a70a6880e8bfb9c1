/**
 * Copies plain objects and arrays, all the way down; whatever else stands in them stays what it is.
 *
 * Not by recursion: an input may be nested deeper than the stack reaches. Cycles and shared parts stay as they are.
 */
export const copyData = (value: unknown): unknown => {
  if (!isPlain(value)) return value;
  // Most inputs are an object of texts and numbers: no list of what is open, no table of what is known.
  if (isFlat(value)) return { ...value };
  const copies = new Map<object, object>();
  const open: [from: object, to: object][] = [];
  const copyOf = (each: unknown): unknown => {
    if (!isPlain(each)) return each;
    const known = copies.get(each);
    if (known !== undefined) return known;
    const copy = Array.isArray(each) ? [] : Object.create(Object.getPrototypeOf(each));
    copies.set(each, copy);
    open.push([each, copy]);
    return copy;
  };
  const root = copyOf(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) fill(next[0], next[1], copyOf);
  return root;
};

const isFlat = (value: object): boolean => {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (typeof member === 'object' && member !== null) return false;
  }
  return true;
};

const fill = (from: object, to: object, copyOf: (value: unknown) => unknown): void => {
  for (const key of Object.keys(from)) {
    const value = copyOf(Reflect.get(from, key));
    // Assigning would call the setter that every object has under this name.
    if (key === '__proto__') Object.defineProperty(to, key, { value, ...own });
    else Reflect.set(to, key, value);
  }
};

const own = { writable: true, enumerable: true, configurable: true } as const;

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
