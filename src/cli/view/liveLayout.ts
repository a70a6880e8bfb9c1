import { LABEL, type Layout, layoutOf } from '../../../marbles/draw/layout.js';

/** The layout of live rows; all sizes in columns. */
export interface LiveLayout extends Layout {
  /** What a note may take. */
  readonly note: number;
  /** Lines of a row. */
  readonly lines: 1 | 2;
}

/** Narrower rows are drawn as wide as this, and cut. */
export const LEAST_WIDTH = 40;

/** As a drawing of that width, but notes reach to the right edge: while a call runs there is more to tell. */
export const liveLayout = (columns: number, unicode: boolean): LiveLayout => {
  const width = Math.max(LEAST_WIDTH, columns);
  const layout = layoutOf(width, unicode);
  if (layout.notes === 'under') return { ...layout, width, note: width - LABEL - 1, lines: 2 };
  return { ...layout, width, note: width - LABEL - layout.chart - 2, lines: 1 };
};
