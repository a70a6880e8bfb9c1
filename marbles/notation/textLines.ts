/** A line that is not empty, without the indentation common to all, and where it stood. */
export interface TextLine {
  readonly text: string;
  /** From 1, in the text as it was given. */
  readonly line: number;
  /** Columns that were cut off at its left. */
  readonly indent: number;
}

/** Splits a text block: empty lines and the common indentation go. */
export const textLines = (text: string): readonly TextLine[] => {
  const lines = text
    .split(/\r?\n/)
    .map((raw, index) => ({ raw: raw.trimEnd(), line: index + 1 }))
    .filter(({ raw }) => raw !== '');
  const indent = lines.reduce(
    (least, { raw }) => Math.min(least, raw.length - raw.trimStart().length),
    Infinity,
  );
  return lines.map(({ raw, line }) => ({ text: raw.slice(indent), line, indent }));
};
