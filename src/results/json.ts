/**
 * JSON that never throws and never loses the whole for a part: cycles, BigInt, functions, Errors, Maps, Sets
 * and binary data become something a reader understands.
 */
export const toJson = (value: unknown): string => {
  try {
    return JSON.stringify(value, replacer()) ?? String(value);
  } catch (error) {
    // A getter or a `toJSON` threw; what it threw may be the very thing that can't be read.
    return JSON.stringify(`[unreadable: ${ownMessageOf(error) ?? 'it throws when it is read'}]`);
  }
};

const replacer = () => {
  // What stands around the value in hand: as it is written, and as it was, since a Map is written as an object.
  const path: { readonly plain: unknown; readonly original: unknown }[] = [];
  return function (this: unknown, key: string, value: unknown): unknown {
    // `this` is the holder: everything behind it on the path has been left.
    while (path.length > 0 && path[path.length - 1]?.plain !== this) path.pop();
    // What `toJSON` has made of binary data is a list of numbers: the original is told instead.
    const held: unknown = Reflect.get(Object(this), key);
    const original = isBinary(held) ? held : value;
    if (path.some((around) => around.plain === original || around.original === original)) return '[circular]';
    const plain = toPlain(original);
    if (typeof plain === 'object' && plain !== null) path.push({ plain, original });
    return plain;
  };
};

const toPlain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value === 'symbol') return String(value);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), each]));
  if (value instanceof Set) return [...value];
  if (isBinary(value)) return `[${value.byteLength} bytes]`;
  return value;
};

const isBinary = (value: unknown): value is ArrayBuffer | ArrayBufferView =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** The message of whatever was thrown; never throws itself. */
export const messageOf = (error: unknown): string => {
  try {
    return ownMessageOf(error) ?? toJson((error as { readonly message?: unknown }).message ?? error);
  } catch {
    return UNREADABLE;
  }
};

const UNREADABLE = 'an error that can not be read';

/** Undefined where there is none that is text. */
const ownMessageOf = (error: unknown): string | undefined => {
  try {
    if (typeof error !== 'object' || error === null) return String(error);
    const { message, name } = error as { readonly message?: unknown; readonly name?: unknown };
    if (typeof message === 'string' && message !== '') return message;
    if (error instanceof Error && message === '') return typeof name === 'string' ? name : 'Error';
    return undefined;
  } catch {
    return UNREADABLE;
  }
};
