import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Text of at most `width` columns; what is cut off is shown as `ellipsis`. Never splits a character. */
export const fitText = (text: string, width: number, ellipsis: string): string => {
  if (stringWidth(text) <= width) return text;
  let fitted = '';
  let left = width - stringWidth(ellipsis);
  for (const { segment } of graphemes.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    fitted += segment;
  }
  return fitted + ellipsis;
};

/** `padEnd` by columns. */
export const padText = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Where the items of a line stand. */
export interface Wrapping {
  readonly width: number;
  /** Before the first line, and before all further ones. */
  readonly first: string;
  readonly further: string;
  readonly separator: string;
  readonly ellipsis: string;
}

/** Puts items on as many lines as they need; an item longer than a line is cut. */
export const wrapItems = (
  items: readonly string[],
  { width, first, further, separator, ellipsis }: Wrapping,
): readonly string[] => {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const item of items) {
    if (!empty && stringWidth(line) + stringWidth(separator) + stringWidth(item) > width) {
      lines.push(line);
      line = further;
      empty = true;
    }
    line += empty ? fitText(item, Math.max(4, width - stringWidth(line)), ellipsis) : separator + item;
    empty = false;
  }
  return empty ? lines : [...lines, line];
};
