import { type CharacterRange, readClass } from './characterClass.js';

/** A piece of a glob pattern; what may open or close a group is told by `text` and matched up later. */
export type GlobToken =
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'class'; readonly ranges: readonly CharacterRange[]; readonly negated: boolean }
  | { readonly type: 'one' | 'any' | 'globstar' | 'slash' }
  /** `{`, or the sign and the parenthesis of `@(`, `?(`, `*(`, `+(`, `!(`. */
  | { readonly type: 'open'; readonly text: string }
  | { readonly type: 'separator'; readonly text: ',' | '|' }
  | { readonly type: 'close'; readonly text: '}' | ')' };

/** `git` knows wildcards and classes alone, as in ignore files; `shell` braces and extended patterns too. */
export type GlobDialect = 'shell' | 'git';

/** Splits a glob pattern; one pass. `undefined` for a pattern of git's that can match nothing. */
export const globTokens = (pattern: string, dialect: GlobDialect): readonly GlobToken[] | undefined => {
  const tokens: GlobToken[] = [];
  for (let at = 0; at < pattern.length; ) {
    const [token, end] = tokenAt(pattern, at, dialect);
    if (token === undefined) return undefined;
    tokens.push(token);
    at = end;
  }
  return tokens;
};

const tokenAt = (
  pattern: string,
  at: number,
  dialect: GlobDialect,
): readonly [GlobToken | undefined, number] => {
  const text = String.fromCodePoint(pattern.codePointAt(at) as number);
  if (text === '\\' && at + 1 < pattern.length) {
    const escaped = String.fromCodePoint(pattern.codePointAt(at + 1) as number);
    return [{ type: 'literal', text: escaped }, at + 1 + escaped.length];
  }
  if (text === '[') return classAt(pattern, at, dialect);
  const extended = dialect === 'shell' ? groupAt(pattern, at) : undefined;
  if (extended !== undefined) return [extended, at + extended.text.length];
  if (text === '*') return starsAt(pattern, at);
  if (text === '?') return [{ type: 'one' }, at + 1];
  if (text === '/') return [{ type: 'slash' }, at + 1];
  return [{ type: 'literal', text }, at + text.length];
};

const groupAt = (pattern: string, at: number) => {
  const text = pattern[at] as string;
  if ('@?*+!'.includes(text) && pattern[at + 1] === '(') return { type: 'open', text: `${text}(` } as const;
  if (text === '{') return { type: 'open', text } as const;
  if (text === ',' || text === '|') return { type: 'separator', text } as const;
  if (text === '}' || text === ')') return { type: 'close', text } as const;
  return undefined;
};

/** A run of stars is one wildcard, since any more of them match the same; two or more may span folders. */
const starsAt = (pattern: string, at: number): readonly [GlobToken, number] => {
  let end = at + 1;
  // The star of a group `*(` is no part of the run.
  while (pattern[end] === '*' && pattern[end + 1] !== '(') end++;
  return [{ type: end - at > 1 ? 'globstar' : 'any' }, end];
};

const classAt = (
  pattern: string,
  at: number,
  dialect: GlobDialect,
): readonly [GlobToken | undefined, number] => {
  const found = readClass(pattern, at);
  if (found !== undefined)
    return [{ type: 'class', ranges: found.ranges, negated: found.negated }, found.end];
  return dialect === 'git' ? [undefined, at] : [{ type: 'literal', text: '[' }, at + 1];
};
