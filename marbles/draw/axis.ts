/** A stretch that was cut out: its four columns begin at `column`. */
export interface Cut {
  readonly column: number;
  /** ms left out of the row, its four columns included. */
  readonly length: number;
}

/** How time becomes columns. */
export interface Axis {
  /** ms a column. */
  readonly scale: number;
  readonly columns: number;
  readonly cuts: readonly Cut[];
  /** The column an instant falls into. */
  columnOf(at: number): number;
  /** The last column of a stretch that ends before `to`. */
  lastColumnBefore(to: number): number;
  /** The instant a column begins with; undefined inside a cut. */
  timeOf(column: number): number | undefined;
}

/** Columns a cut takes. */
export const CUT_COLUMNS = 4;

/** A part of the grid, in columns before cutting: from `from` up to and without `to`. */
export interface GridCut {
  readonly from: number;
  readonly to: number;
}

/** An axis of `scale` ms a column from 0 to `wall`; `cuts` in order, not touching. */
export const makeAxis = (scale: number, wall: number, cuts: readonly GridCut[] = []): Axis => {
  const place = (grid: number): number => {
    let column = grid;
    for (const { from, to } of cuts) {
      if (grid >= to) column -= to - from - CUT_COLUMNS;
      else if (grid >= from) return column - (grid - from) + Math.min(grid - from, CUT_COLUMNS - 1);
    }
    return column;
  };
  return {
    scale,
    columns: place(Math.floor(wall / scale)) + 1,
    cuts: cuts.map(({ from, to }) => ({ column: place(from), length: (to - from) * scale })),
    columnOf: (at) => place(Math.floor(at / scale)),
    lastColumnBefore: (to) => place(Math.ceil(to / scale) - 1),
    timeOf: (column) => timeOf(column, scale, cuts),
  };
};

const timeOf = (column: number, scale: number, cuts: readonly GridCut[]): number | undefined => {
  let grid = column;
  for (const { from, to } of cuts) {
    if (grid < from) break;
    if (grid < from + CUT_COLUMNS) return undefined;
    grid += to - from - CUT_COLUMNS;
  }
  return grid * scale;
};
