export interface HarmlessOptions {
  /** Characters shown at most, about; longer texts are folded in the middle. Default 4,000. */
  readonly maxChars?: number;
}

/** Blanks, or line breaks, that may stand together: an indentation, an empty line. */
const BLANKS = 40;
const BREAKS = 3;
/** The same invisible character is written out this often. */
const REPEATED = 3;

/** Everything that shows nothing, moves what is shown, or steers a terminal; but for blank, tab and line break. */
const invisible =
  /((?![\t\n ])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800])\1*/gu;

/**
 * A text made harmless for a person's eyes: what a model wrote can't hide, reorder or push away a part of it.
 *
 * Control, bidirectional, zero-width and tag characters and escape sequences become visible (`␛`, `⟨U+202E⟩`), long
 * padding is folded with its count, and so is the middle of a long text. Letters that merely look alike stay.
 */
export const harmless = (text: string, { maxChars = 4_000 }: HarmlessOptions = {}): string =>
  folded(text.replace(invisible, visibleRun).replace(/[ \t\n]+/g, foldedPadding), Math.max(100, maxChars));

const visibleRun = (run: string, character: string): string => {
  const visible = visibleOne(character);
  const count = run.length / character.length;
  return count > REPEATED ? `${visible}⟨${count - 1} more⟩` : visible.repeat(count);
};

/** Controls have pictures of their own; the others are named by their number. */
const visibleOne = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
};

const foldedPadding = (run: string): string => {
  const breaks = run.split('\n').length - 1;
  const blanks = run.length - breaks;
  if (breaks <= BREAKS && blanks <= BLANKS) return run;
  const counts = [blanks > 0 ? plural(blanks, 'blank') : '', breaks > 0 ? plural(breaks, 'line break') : ''];
  const note = `⟨${counts.filter((count) => count !== '').join(', ')}⟩`;
  return breaks > 0 ? `\n${note}\n` : ` ${note} `;
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const folded = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const from = whole(text, half);
  const to = whole(text, text.length - half);
  return `${text.slice(0, from)}\n⟨${plural(to - from, 'character')} not shown⟩\n${text.slice(to)}`;
};

/** The nearest place at or before `at` that splits no character. */
const whole = (text: string, at: number): number => {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
};
