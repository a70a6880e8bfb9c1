import { NotationError, type Position } from '../../notation/notationError.js';

/** A notification as a diagram shows it: `|` completes, `#` fails, anything else is a value. */
export interface Mark {
  /** Milliseconds from the subscription on. */
  readonly at: number;
  readonly glyph: string;
}

const isEnd = (glyph: string): boolean => glyph === '|' || glyph === '#';

/**
 * Reads one RxJS marble string, one column a millisecond; a group happens at its bracket and, as in RxJS, is as
 * long as it is wide. No blanks and no times: a column is what it looks like.
 *
 * @throws NotationError for a glyph that is none, a group that is not closed, empty or in another, and for
 * anything but `-` behind the end
 */
export const parseMarks = (cells: string, position: Position): readonly Mark[] => {
  const marks: Mark[] = [];
  let group: number | undefined;
  [...cells].forEach((glyph, column) => {
    const wrong = (expected: string): NotationError =>
      new NotationError({ ...position, column: position.column + column }, expected, JSON.stringify(glyph));
    if (glyph === '(') {
      if (group !== undefined) throw wrong('no group in a group');
      group = column;
    } else if (glyph === ')') {
      if (group === undefined || group === column - 1)
        throw wrong('a group that has begun, and is not empty');
      group = undefined;
    } else if (glyph !== '-') {
      if (!/[\p{L}\d|#]/u.test(glyph)) throw wrong('a letter, a digit or one of `-|#()`');
      if (isEnd(marks.at(-1)?.glyph ?? '')) throw wrong('nothing behind the end');
      marks.push({ at: group ?? column, glyph });
    } else if (group !== undefined) throw wrong('no time in a group');
  });
  if (group !== undefined)
    throw new NotationError(
      { ...position, column: position.column + cells.length },
      '`)`',
      'the end of the row',
    );
  return marks;
};

/** Draws marks as `parseMarks` reads them; in words where a group leaves no room for what follows it. */
export const printMarks = (marks: readonly Mark[], start: number): string => {
  let cells = ' '.repeat(start);
  let next = 0;
  for (const [at, glyphs] of instants(marks)) {
    if (at < next) return inWords(marks, start);
    const cell = glyphs.length === 1 ? glyphs : `(${glyphs})`;
    cells += '-'.repeat(at - next) + cell;
    next = at + cell.length;
  }
  return cells;
};

const instants = (marks: readonly Mark[]): ReadonlyMap<number, string> => {
  const byTime = new Map<number, string>();
  for (const { at, glyph } of marks) byTime.set(at, (byTime.get(at) ?? '') + glyph);
  return byTime;
};

const inWords = (marks: readonly Mark[], start: number): string =>
  marks.map(({ at, glyph }) => `${glyph}@${at + start}`).join(' ');
