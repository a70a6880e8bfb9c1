import { glyphOf } from './glyphs.js';
import { NotationError, type Position } from './notationError.js';
import { MAX_COLUMNS } from './row.js';

// One blank before, one behind, both part of the token. The blank before may be missing at the head of a
// row and behind another time; the blank behind may be missing at the end of the line, where editors strip
// it.
const time = /( ?)(\d{1,12})ms(?: |$)/y;
const looksLikeTime = /\d{1,12}ms/y;

/**
 * Reads what stands behind a row's label.
 *
 * Left to right: a time ` 9ms ` stands for nine columns, and its own two blanks for none; every other
 * character, blanks included, is one column. So `|  9ms  +` has 1 + 9 + 1 blank columns between its glyphs.
 *
 * @throws NotationError for a character that is no glyph, and for a time behind `^` or progress, which
 * doesn't say what is drawn.
 */
export const parseCells = (text: string, at: Position): string => {
  let cells = '';
  let index = 0;
  let afterTime = true;
  while (index < text.length) {
    const place = { line: at.line, column: at.column + index };
    const [, blank, count = ''] = matchAt(time, text, index) ?? [];
    if (blank !== undefined && (blank === ' ' || afterTime)) {
      const filler = fillerAfter(cells.at(-1), place);
      cells += filler.repeat(checkedLength(Number(count), cells.length, place));
      index = time.lastIndex;
      afterTime = true;
    } else {
      cells += cellAt(text, index, place);
      index += 1;
      afterTime = false;
    }
  }
  return cells.trimEnd();
};

const matchAt = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index;
  return pattern.exec(text);
};

/** What a time continues: the phase before it, or blanks at the head of a row and behind an end. */
const fillerAfter = (previous: string | undefined, place: Position): string => {
  if (previous === undefined || previous === ' ') return ' ';
  const kind = glyphOf(previous)?.kind;
  if (kind === 'phase') return previous;
  if (kind === 'start' || kind === 'progress') {
    throw new NotationError(place, 'a phase glyph before a time, as in `^- 9ms |`', JSON.stringify(previous));
  }
  return ' ';
};

const checkedLength = (count: number, before: number, place: Position): number => {
  if (before + count <= MAX_COLUMNS) return count;
  throw new NotationError(place, `a row of at most ${MAX_COLUMNS} columns`, `${before + count}`);
};

const cellAt = (text: string, index: number, place: Position): string => {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (character === ' ') return ' ';
  const written = matchAt(looksLikeTime, text, index)?.[0];
  if (written !== undefined)
    throw new NotationError(
      place,
      `a blank on both sides of a time: \` ${written} \``,
      JSON.stringify(written),
    );
  const glyph = glyphOf(character);
  if (glyph === undefined)
    throw new NotationError(place, 'a glyph of the notation', JSON.stringify(character));
  return glyph.ascii;
};
