/** From and to, code points, both included. */
export type CharacterRange = readonly [number, number];

export interface CharacterClass {
  readonly ranges: readonly CharacterRange[];
  readonly negated: boolean;
  /** Where the pattern goes on. */
  readonly end: number;
}

// The ASCII characters each name stands for, as git has them.
const named: ReadonlyMap<string, string> = new Map([
  ['alnum', '09AZaz'],
  ['alpha', 'AZaz'],
  ['blank', '  \t\t'],
  ['cntrl', '\x00\x1f\x7f\x7f'],
  ['digit', '09'],
  ['graph', '!~'],
  ['lower', 'az'],
  ['print', ' ~'],
  ['punct', '!/:@[`{~'],
  ['space', '  \t\n\r\r'],
  ['upper', 'AZ'],
  ['xdigit', '09AFaf'],
]);

/** Reads `[a-z_]`, `[!x]`, `[[:digit:]]` at a place in a pattern; `undefined` where it does not end or has no meaning. */
export const readClass = (pattern: string, at: number): CharacterClass | undefined => {
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  const ranges: CharacterRange[] = [];
  // A bracket that stands first is a member, not the end.
  for (let from = first; from < pattern.length; ) {
    if (pattern[from] === ']' && from > first) return { ranges, negated, end: from + 1 };
    const name = /^\[:([^\]]*):\]/.exec(pattern.slice(from, from + 12));
    if (name !== null) {
      const members = named.get(name[1] as string);
      if (members === undefined) return undefined;
      ranges.push(...pairs(members));
      from += name[0].length;
    } else {
      const [range, end] = rangeAt(pattern, from);
      ranges.push(range);
      from = end;
    }
  }
  return undefined;
};

const pairs = (members: string): CharacterRange[] => {
  const ranges: CharacterRange[] = [];
  for (let at = 0; at < members.length; at += 2)
    ranges.push([members.charCodeAt(at), members.charCodeAt(at + 1)]);
  return ranges;
};

const rangeAt = (pattern: string, at: number): readonly [CharacterRange, number] => {
  const [low, end] = memberAt(pattern, at);
  if (pattern[end] !== '-' || end + 1 >= pattern.length || pattern[end + 1] === ']') return [[low, low], end];
  const [high, after] = memberAt(pattern, end + 1);
  // The wrong way round it is no range; git still takes its first end as a member.
  return [high < low ? [low, low] : [low, high], after];
};

const memberAt = (pattern: string, at: number): readonly [number, number] => {
  const from = pattern[at] === '\\' && at + 1 < pattern.length ? at + 1 : at;
  const code = pattern.codePointAt(from) as number;
  return [code, from + (code > 0xffff ? 2 : 1)];
};

const SLASH = 47;

/** The class as a regular expression; a slash is never in it. */
export const classSource = (ranges: readonly CharacterRange[], negated: boolean): string => {
  const kept = negated ? [...ranges, [SLASH, SLASH] as const] : ranges.flatMap(withoutSlash);
  // A class that has only a slash can match nothing.
  if (kept.length === 0) return '[^\\x{0}-\\x{10ffff}]';
  const members = kept.map(([low, high]) => `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`);
  return `[${negated ? '^' : ''}${members.join('')}]`;
};

const withoutSlash = ([low, high]: CharacterRange): CharacterRange[] => {
  if (low > SLASH || high < SLASH) return [[low, high]];
  const halves: CharacterRange[] = [
    [low, SLASH - 1],
    [SLASH + 1, high],
  ];
  return halves.filter(([from, to]) => from <= to);
};
