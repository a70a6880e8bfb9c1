/** Whether two inputs say the same, whatever the order of their keys. Inputs are JSON: no cycles. */
export const sameInput = (a: unknown, b: unknown): boolean => {
  try {
    return same(a, b);
  } catch {
    // Nested deeper than the stack reaches.
    return false;
  }
};

const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(Reflect.get(a, key), Reflect.get(b, key)))
  );
};
