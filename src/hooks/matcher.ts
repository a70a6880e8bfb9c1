import { InvalidOptionError } from '../contract/errors.js';

const plainNames = /^[A-Za-z0-9_\-, |]*$/;

/**
 * Reads a matcher: nothing, `""` and `*` mean every tool (`undefined`); letters, digits, `_`, `-`, space, `,` and `|`
 * alone make a list of exact names; with any other character it is a regular expression, found anywhere in the name.
 *
 * It is compared with all names of a tool, so that a matcher written for a former name still holds.
 *
 * @throws InvalidOptionError where it is neither
 */
export const readMatcher = (
  matcher: string | undefined,
  where: string,
): ((names: readonly string[]) => boolean) | undefined => {
  if (matcher === undefined) return undefined;
  if (typeof matcher !== 'string') throw new InvalidOptionError(where, 'a text', matcher);
  const text = matcher.trim();
  if (text === '' || text === '*') return undefined;
  if (plainNames.test(text)) return namesIn(text, matcher, where);
  const pattern = readPattern(text, where);
  return (names) => names.some((name) => pattern.test(name));
};

const namesIn = (text: string, matcher: string, where: string) => {
  const wanted = new Set(text.split(/[,|]/).flatMap((name) => name.trim() || []));
  // `|` alone would match no tool for ever.
  if (wanted.size === 0) throw new InvalidOptionError(where, 'names, or a regular expression', matcher);
  return (names: readonly string[]): boolean => names.some((name) => wanted.has(name));
};

const readPattern = (text: string, where: string): RegExp => {
  try {
    return new RegExp(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it can not be read';
    throw new InvalidOptionError(where, `names or a regular expression (${why})`, text);
  }
};
