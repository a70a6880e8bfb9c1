/** What a glyph is; a higher kind hides a lower one in the same column (see `precedence`). */
export type GlyphKind = 'phase' | 'progress' | 'start' | 'released' | 'end' | 'tombstone';

/** One line of the notation's table. */
export interface Glyph {
  /** One character; rows are kept in this form. */
  readonly ascii: string;
  /** One character, for terminals that have it. */
  readonly unicode: string;
  readonly kind: GlyphKind;
  /** A word or two, for a legend. */
  readonly meaning: string;
}

const digits = ['2', '3', '4', '5', '6', '7', '8', '9', '*'] as const;

/** The notation, in the order of a legend. */
export const glyphs: readonly Glyph[] = [
  { ascii: ':', unicode: '┄', kind: 'phase', meaning: 'input' },
  { ascii: '.', unicode: '·', kind: 'phase', meaning: 'waiting' },
  { ascii: 'h', unicode: 'h', kind: 'phase', meaning: 'hooks' },
  { ascii: '?', unicode: '?', kind: 'phase', meaning: 'permission' },
  { ascii: '^', unicode: '▸', kind: 'start', meaning: 'start' },
  { ascii: '-', unicode: '─', kind: 'phase', meaning: 'shared' },
  { ascii: '=', unicode: '═', kind: 'phase', meaning: 'alone' },
  { ascii: 'o', unicode: '●', kind: 'progress', meaning: 'progress' },
  ...digits.map((digit): Glyph => ({ ascii: digit, unicode: digit, kind: 'progress', meaning: 'progress' })),
  { ascii: '~', unicode: '~', kind: 'phase', meaning: 'back-off' },
  { ascii: 's', unicode: 's', kind: 'phase', meaning: 'stopping' },
  { ascii: '|', unicode: '│', kind: 'end', meaning: 'ok' },
  { ascii: '#', unicode: '✗', kind: 'end', meaning: 'error' },
  { ascii: '!', unicode: '!', kind: 'end', meaning: 'stopped' },
  { ascii: 'a', unicode: '≡', kind: 'end', meaning: 'adopted' },
  { ascii: '@', unicode: '◷', kind: 'end', meaning: 'timeout' },
  { ascii: 'x', unicode: '×', kind: 'end', meaning: 'not run' },
  { ascii: '_', unicode: '_', kind: 'phase', meaning: 'held' },
  { ascii: 'v', unicode: '▾', kind: 'released', meaning: 'released' },
  { ascii: '+', unicode: '†', kind: 'tombstone', meaning: 'withdrawn' },
];

/** Which kind is drawn where several fall into one column: the highest. */
export const precedence: Readonly<Record<GlyphKind, number>> = {
  phase: 0,
  progress: 1,
  start: 2,
  released: 3,
  end: 4,
  tombstone: 5,
};

/** Stands for a stretch that was cut out of a drawing; never part of the test form. */
export const cutGlyph = '//';

const byCharacter = new Map(
  glyphs.flatMap((glyph) => [[glyph.ascii, glyph] as const, [glyph.unicode, glyph] as const]),
);

/** The glyph a character stands for, in either alphabet. */
export const glyphOf = (character: string): Glyph | undefined => byCharacter.get(character);

/** The glyph of `count` progress events in one column: `o`, then the digit, `*` from ten up. */
export const progressGlyph = (count: number): string => (count < 2 ? 'o' : count < 10 ? String(count) : '*');

/** Cells in the Unicode alphabet; what is no glyph stays. */
export const toUnicode = (cells: string): string => {
  let text = '';
  for (const character of cells) text += byCharacter.get(character)?.unicode ?? character;
  return text;
};
