/** Half a surrogate pair as `JSON.stringify` writes it; a text that speaks of one matches too, which is only slower. */
const HALF = /\\ud[89a-f]/;

/**
 * What `JSON.stringify` wrote, as a value: plain data that is read once, whose texts are all well-formed. A lone
 * surrogate makes the whole request invalid for ever; it is replaced, the rest is kept.
 */
export const parseWellFormed = (json: string): unknown => {
  const value: unknown = JSON.parse(json);
  return HALF.test(json) ? mend(value) : value;
};

const mend = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), mend(each)]));
};
