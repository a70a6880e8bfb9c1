import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptOutput } from '../../src/tools/bash/keptOutput.js';

const keep = (limit: number, pieces: readonly string[]): string => {
  const kept = new KeptOutput(limit);
  for (const piece of pieces) kept.add(piece);
  return kept.text;
};

describe('KeptOutput', () => {
  it('keeps the beginning and the end, and counts what lies between', () => {
    expect(keep(3, ['ab', 'cd', 'efgh', 'ij'])).toBe('abc\n[… 4 characters left out …]\nhij');
  });

  it('keeps all of what fits, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 12 }), (pieces) => {
        expect(keep(1000, pieces)).toBe(pieces.join(''));
      }),
    );
  });

  it('never splits a character', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('😀', 'a', '😀😀b'), { maxLength: 30 }), (pieces) => {
        expect(keep(5, pieces).isWellFormed()).toBe(true);
      }),
    );
  });
});
