import { toUnicode } from '../notation/glyphs.js';
import { instant } from './duration.js';
import { wrapItems } from './fitText.js';
import type { Layout } from './layout.js';

/** Why something happened: one line below the rows. */
export interface Explanation {
  /** What it explains, as the rows draw it. */
  readonly glyph: string;
  /** ms of the turn. */
  readonly at: number;
  readonly text: string;
}

/** Lines of one glyph; the rest is counted. */
const MOST = 8;

/** Explanations, first what stopped calls, then what failed, last what only waited; by time within each. */
export const explanationLines = (all: readonly Explanation[], layout: Layout): readonly string[] => {
  const order = ['!', '#', '@', 'x', '.'];
  return order.flatMap((glyph) => {
    const same = all.filter((explanation) => explanation.glyph === glyph).sort((a, b) => a.at - b.at);
    const lines = same.slice(0, MOST).flatMap((explanation) => linesOf(explanation, layout));
    return same.length > MOST ? [...lines, `  ${show(glyph, layout)} and ${same.length - MOST} more`] : lines;
  });
};

const linesOf = ({ glyph, at, text }: Explanation, layout: Layout): readonly string[] => {
  const first = `  ${show(glyph, layout)} ${instant(at)}  `;
  const further = ' '.repeat(first.length);
  const { width, ellipsis } = layout;
  return wrapItems(text.split(' '), { width, first, further, separator: ' ', ellipsis });
};

const show = (glyph: string, { unicode }: Layout): string => (unicode ? toUnicode(glyph) : glyph);
