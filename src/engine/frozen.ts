/**
 * Freezes plain objects and arrays, all the way down, and stops where something is frozen already: a context
 * that shares structure with the one before costs only what is new.
 *
 * Instances of classes stay as they are: a database client in the context must go on working.
 */
export const freezeData = <T>(value: T): T => {
  if (!isPlain(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeData(member);
  return value;
};

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
