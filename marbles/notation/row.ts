/** One call over time, in the canonical form that tests compare. */
export interface Row {
  /** Without blanks, not empty. */
  readonly label: string;
  /** One ASCII glyph or blank a column, from column 0; blanks at the end are cut off. */
  readonly cells: string;
}

/** Rows longer than this are refused rather than built: 10,000,000 columns, hours of virtual time. */
export const MAX_COLUMNS = 10_000_000;

/** The word that begins the block of released results; no row may have it for a label. */
export const RESULTS = 'results';
