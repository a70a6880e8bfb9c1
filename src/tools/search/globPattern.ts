import { RE2JS } from 're2js';
import { failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { globSource } from './globSource.js';
import { type GlobDialect, globTokens } from './globTokens.js';
import { MAX_PATTERN_CHARS } from './linearPattern.js';

/** Steps a compiled pattern may have: a path of 4,096 characters times this is what one test may cost. */
const MAX_STEPS = 5000;

/** Whether a path, relative and with slashes, is meant by a pattern. */
export type PathTest = (path: string) => boolean;

/**
 * Compiles a glob pattern: `*` within a name, `**` over folders, `?`, `[a-z]`, and in the `shell` dialect `{a,b}`,
 * `{1..9}`, `@(a|b)`, `?(…)`, `*(…)`, `+(…)`. Names that begin with a dot are names like any other.
 *
 * A test takes time linear in the path, whatever the pattern: `*a*a*a*a*b` made into a pattern of JavaScript
 * takes years for one long name.
 */
export const globPattern = (pattern: string, dialect: GlobDialect = 'shell'): PathTest | ToolFailure => {
  if (pattern.length > MAX_PATTERN_CHARS)
    return failure(`The pattern is longer than ${MAX_PATTERN_CHARS} characters.`);
  const tokens = globTokens(pattern, dialect);
  if (tokens === undefined) return () => false;
  if (tokens.every(({ type }) => type === 'literal' || type === 'slash')) {
    const path = tokens.map((token) => (token.type === 'literal' ? token.text : '/')).join('');
    return (candidate) => candidate === path;
  }
  const source = globSource(tokens);
  return isFailure(source) ? source : compiled(source);
};

/** The same for a pattern that may begin with `!`, which then leaves out what it would find. */
export const signedGlobPattern = (pattern: string): PathTest | ToolFailure => {
  // `!(` begins a group.
  const isNegative = pattern.startsWith('!') && !pattern.startsWith('!(');
  const matches = globPattern(pattern.slice(isNegative ? 1 : 0).replace(/^\.?\//, ''));
  return isNegative && !isFailure(matches) ? (path) => !matches(path) : matches;
};

const compiled = (source: string): PathTest | ToolFailure => {
  try {
    const expression = RE2JS.compile(source);
    if (expression.programSize() > MAX_STEPS) return failure('The pattern has too many alternatives.');
    return (path) => expression.testExact(path);
  } catch {
    // What is written is quoted or grouped: all that is left to refuse is groups within groups without end.
    return failure("The pattern can't be used: it nests or repeats too much.");
  }
};
