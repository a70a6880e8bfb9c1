import { cutGlyph, glyphs, toUnicode } from '../notation/glyphs.js';
import type { ChartRow } from './chartRow.js';
import { wrapItems } from './fitText.js';
import type { Layout } from './layout.js';

/** The glyphs that are drawn, and what they mean. */
export const legendLines = (rows: readonly ChartRow[], layout: Layout): readonly string[] => {
  const used = new Set(rows.map(({ cells }) => cells).join(''));
  const byMeaning = new Map<string, string[]>();
  for (const { ascii, meaning } of glyphs) {
    if (!used.has(ascii)) continue;
    byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), layout.unicode ? toUnicode(ascii) : ascii]);
  }
  if (rows.some(({ cells }) => cells.includes(cutGlyph))) byMeaning.set('cut', [cutGlyph]);
  const items = [...byMeaning].map(([meaning, characters]) => `${characters.join(' ')} ${meaning}`);
  const { width, ellipsis } = layout;
  return wrapItems(items, { width, first: '  legend  ', further: ' '.repeat(10), separator: '  ', ellipsis });
};
