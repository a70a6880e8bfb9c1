import { InvalidOptionError } from '../../src/contract/errors.js';

/** How a drawing is laid out; all sizes in columns. */
export interface Layout {
  readonly width: number;
  readonly chart: number;
  /** Whether notes stand at the right of a row, or under it. */
  readonly notes: 'right' | 'under';
  readonly unicode: boolean;
  /** Stands for text that was cut off. */
  readonly ellipsis: string;
}

/** Gutter, number and name in front of a chart; one blank follows. */
export const LABEL = 16;
/** Gutter, number and the blank behind it, in front of a name. */
export const NUMBER = 5;
/** Notes at the right of the chart; one blank stands before them. */
export const NOTE = 22;
const CHART = 60;
const NARROW_CHART = 40;
const LEAST = 40;

/**
 * The layout of NOTATION.md: a chart of 60 from 100 columns up, of 40 from 80, and notes under the row
 * below 60.
 */
export const layoutOf = (width: number, unicode: boolean): Layout => {
  if (!Number.isInteger(width) || width < LEAST) {
    throw new InvalidOptionError('width', `an integer of at least ${LEAST} columns`, width);
  }
  const common = {
    width: Math.min(width, LABEL + CHART + NOTE + 2),
    unicode,
    ellipsis: unicode ? '…' : '..',
  };
  if (width < 60) return { ...common, chart: width - LABEL - 1, notes: 'under' };
  return { ...common, chart: chartOf(width), notes: 'right' };
};

const chartOf = (width: number): number => {
  if (width >= LABEL + CHART + NOTE + 2) return CHART;
  return Math.min(NARROW_CHART, width - LABEL - NOTE - 2);
};
