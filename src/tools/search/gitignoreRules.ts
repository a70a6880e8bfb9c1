import { isFailure } from '../../contract/index.js';
import { globPattern, type PathTest } from './globPattern.js';
import type { TimeSlice } from './timeSlice.js';

/** Rules of one file; those after them do not hold. */
const MAX_RULES = 5000;
/** Characters of all patterns with wildcards of one file: the cost of asking about one path grows with them. */
const MAX_WILDCARD_CHARS = 10_000;

/** One line of an ignore file. */
export interface IgnoreRule {
  /** It takes back what lines before it left out. */
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Compared with the last name of the path, for a pattern without a slash. */
  readonly nameOnly: boolean;
  readonly matches: PathTest;
}

/**
 * Reads an ignore file as git does.
 *
 * A stranger may have written it, so it is bounded: lines that are too long, and lines beyond the limits, do not
 * hold, and more is found than would be. `undefined` where it was stopped.
 */
export const readRules = async (
  text: string,
  slice: TimeSlice,
): Promise<readonly IgnoreRule[] | undefined> => {
  const rules: IgnoreRule[] = [];
  let wildcardChars = 0;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    if (slice.isOver() && !(await slice.next())) return undefined;
    if (rules.length === MAX_RULES) break;
    const pattern = trimmed(line);
    if (pattern === '' || pattern.startsWith('#')) continue;
    if (/[*?[\\]/.test(pattern)) wildcardChars += pattern.length;
    const rule = wildcardChars > MAX_WILDCARD_CHARS ? undefined : ruleOf(pattern);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
};

/** Without the spaces at its end, but for one that is quoted. */
const trimmed = (line: string): string => {
  let end = line.endsWith('\r') ? line.length - 1 : line.length;
  while (end > 0 && line[end - 1] === ' ' && !isQuoted(line, end - 1)) end--;
  return line.slice(0, end);
};

const isQuoted = (line: string, at: number): boolean => {
  let from = at;
  while (line[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
};

const ruleOf = (line: string): IgnoreRule | undefined => {
  const negated = line.startsWith('!');
  const whole = negated ? line.slice(1) : line;
  const foldersOnly = whole.endsWith('/');
  const pattern = foldersOnly ? whole.slice(0, -1) : whole;
  // A backslash at the end quotes nothing: git takes such a line for no rule.
  if (pattern === '' || isQuoted(pattern, pattern.length)) return undefined;
  const nameOnly = !pattern.includes('/');
  const matches = matcherOf(pattern.startsWith('/') ? pattern.slice(1) : pattern, nameOnly);
  return matches && { negated, foldersOnly, nameOnly, matches };
};

const matcherOf = (pattern: string, nameOnly: boolean): PathTest | undefined => {
  // Most wildcards of ignore files are these, and each is asked about every file.
  const ending = nameOnly ? /^\*([^*?[\\]+)$/.exec(pattern)?.[1] : undefined;
  if (ending !== undefined) return (name) => name.endsWith(ending);
  const matches = globPattern(pattern, 'git');
  return isFailure(matches) ? undefined : matches;
};
