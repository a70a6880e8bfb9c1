/**
 * Freezes plain objects and arrays, all the way down, and stops where something is frozen already: a context
 * that shares structure with the one before costs only what is new.
 *
 * Instances of classes stay as they are: a database client in the context must go on working.
 */
export const freezeData = <T>(value: T): T => {
  if (!isOpen(value)) return value;
  // Not by recursion: data may be nested deeper than the stack reaches.
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    Object.freeze(next);
    for (const member of Object.values(next)) if (isOpen(member)) open.push(member);
  }
  return value;
};

const isOpen = (value: unknown): value is object => isPlain(value) && !Object.isFrozen(value);

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
