/** Plain data, as JSON gives it. */
export type Plain = Readonly<Record<string, unknown>>;

/**
 * Takes a value over if it has the shape; null and undefined are members that were left out.
 *
 * @throws TypeError that names the place and what was expected there
 */
export type Shape = (value: unknown, at: string) => unknown;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nothing, or a text that says nothing. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const refuse = (at: string, expected: string): never => {
  // Says what was expected, not what came: that may be megabytes.
  throw new TypeError(`${at} is not ${expected}`);
};

export const anyText: Shape = (value, at) => (typeof value === 'string' ? value : refuse(at, 'text'));

/** Text that says something: the API refuses blanks. */
export const filledText: Shape = (value, at) =>
  typeof value === 'string' && !isBlank(value) ? value : refuse(at, 'a text with something in it');

export const truth: Shape = (value, at) => (typeof value === 'boolean' ? value : refuse(at, 'true or false'));

export const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value, at) =>
    allowed.includes(value as string) ? value : refuse(at, allowed.join(' or '));

const BASE64 = 'base64 (padded, without line breaks)';
const FOREIGN_TO_BASE64 = /[^A-Za-z0-9+/]/;

/** Standard alphabet, padded, in one line. */
export const base64: Shape = (value, at) => {
  if (typeof value !== 'string' || value === '' || value.length % 4 !== 0) return refuse(at, BASE64);
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  // Searched for what does not belong, since an expression for the whole would go back over megabytes.
  return FOREIGN_TO_BASE64.test(value.slice(0, value.length - padding)) ? refuse(at, BASE64) : value;
};

/** A record of these members; others are left out, since the API refuses a request for one it does not know. */
export const record =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, at) => {
    if (!isPlain(value)) return refuse(at, 'an object');
    const taken: Record<string, unknown> = {};
    for (const [key, shape] of Object.entries(required)) taken[key] = shape(value[key], `${at}.${key}`);
    for (const [key, shape] of Object.entries(optional)) {
      const member = value[key];
      if (member !== undefined && member !== null) taken[key] = shape(member, `${at}.${key}`);
    }
    return taken;
  };

/** A record whose `type` says which shape it has. */
export const byType = (shapes: Readonly<Record<string, Shape>>): Shape => {
  const known = new Map<unknown, Shape>(Object.entries(shapes));
  const names = Object.keys(shapes).join(', ');
  return (value, at) => {
    if (!isPlain(value)) return refuse(at, 'an object');
    const shape = known.get(value.type);
    return shape === undefined ? refuse(`${at}.type`, `one of ${names}`) : shape(value, at);
  };
};

/** A list with something in it. */
export const listOf =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value) && value.length > 0
      ? value.map((each, n) => shape(each, `${at}[${n}]`))
      : refuse(at, 'a list with something in it');

export const either =
  (when: (value: unknown) => boolean, then: Shape, otherwise: Shape): Shape =>
  (value, at) =>
    when(value) ? then(value, at) : otherwise(value, at);
