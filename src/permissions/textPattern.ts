/** A text in which `*` stands for any characters, cut at the stars: `a*b` is `['a', 'b']`. */
export type TextPattern = readonly string[];

/** Reads a text with stars; every other character stands for itself. */
export const textPattern = (text: string): TextPattern => text.split('*');

/**
 * Whether a text matches, from its first character to its last.
 *
 * The pieces between stars are looked for from left to right, each behind the one before: the leftmost place leaves
 * the most room for those that follow, so nothing is ever tried twice (`*a*a*a*…` has no way to blow up).
 */
export const matchesText = (pattern: TextPattern, text: string): boolean => {
  const first = pattern[0] ?? '';
  if (pattern.length === 1) return text === first;
  const last = pattern[pattern.length - 1] ?? '';
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pattern.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
};

/** What stands in the brackets of a shell rule. */
export interface CommandPattern {
  readonly whole: TextPattern;
  /** `git *` and `git:*`: what the command is without further words. */
  readonly bare?: TextPattern;
}

/**
 * Reads the content of a shell rule: `npm test` exactly, `git *` and `git:*` at a word's end, `ls*` anywhere,
 * stars inside over any number of arguments.
 */
export const commandPattern = (content: string): CommandPattern => {
  const words = content.endsWith(':*') ? `${content.slice(0, -2)} *` : content;
  const whole = textPattern(words);
  return words.endsWith(' *') ? { whole, bare: textPattern(words.slice(0, -2)) } : { whole };
};

export const matchesCommand = ({ whole, bare }: CommandPattern, text: string): boolean =>
  matchesText(whole, text) || (bare !== undefined && matchesText(bare, text));
