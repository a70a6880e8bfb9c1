import fc from 'fast-check';
import { glyphs } from '../../../marbles/notation/glyphs.js';
import type { Row } from '../../../marbles/notation/row.js';

export { fc };

const stretch = fc
  .tuple(
    fc.constantFrom(' ', ...glyphs.map(({ ascii }) => ascii)),
    fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 10, max: 40 })),
  )
  .map(([glyph, length]) => glyph.repeat(length));

/** Any sequence of glyphs and blanks, long stretches included, whether or not a call can live so. */
export const anyCells: fc.Arbitrary<string> = fc
  .array(stretch, { maxLength: 8 })
  .map((stretches) => stretches.join('').trimEnd());

const label = fc
  .oneof(fc.stringMatching(/^[a-z0-9#_.:^|-]{1,6}$/), fc.constantFrom('読む', 'é', '9ms', 'toolu_01'))
  .filter((text) => text !== 'results');

/** Rows with labels of their own. */
export const anyRows: fc.Arbitrary<readonly Row[]> = fc.uniqueArray(fc.record({ label, cells: anyCells }), {
  maxLength: 5,
  selector: ({ label: own }) => own,
});
