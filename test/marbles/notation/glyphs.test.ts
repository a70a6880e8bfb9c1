import { describe, expect, it } from 'vitest';
import { glyphOf, glyphs, precedence, progressGlyph, toUnicode } from '../../../marbles/notation/glyphs.js';

describe('the table of glyphs', () => {
  it('has no character for two meanings, in both alphabets together', () => {
    const characters = glyphs.flatMap(({ ascii, unicode }) => [...new Set([ascii, unicode])]);
    expect(new Set(characters).size).toBe(characters.length);
    for (const { ascii, unicode } of glyphs) {
      expect(glyphOf(unicode)?.ascii).toBe(ascii);
      expect(ascii).toMatch(/^[!-~]$/);
      expect([...unicode]).toHaveLength(1);
    }
  });

  it('ranks + over ends over v over start over progress over phases', () => {
    const ranks = ['+', '|', 'v', '^', 'o', '-'].map((glyph) => precedence[glyphOf(glyph)?.kind ?? 'phase']);
    expect(ranks).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it('counts progress', () => {
    expect([1, 2, 9, 10, 200].map(progressGlyph)).toEqual(['o', '2', '9', '*', '*']);
  });

  it('translates cells and leaves the rest', () => {
    expect(toUnicode(' ^-//-2|')).toBe(' ▸─//─2│');
  });
});
