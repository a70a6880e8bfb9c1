import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text on lines of at most `width` columns: all of it, for whoever decides about it must see every character. */
export const wrapText = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '    '), Math.max(1, width)));

const wrapLine = (line: string, width: number): readonly string[] => {
  const rows: string[] = [];
  let row = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(line)) {
    const more = stringWidth(segment);
    if (columns + more > width) {
      const [head, tail] = atBlank(row, width);
      rows.push(head);
      row = tail;
      columns = stringWidth(tail);
    }
    row += segment;
    columns += more;
  }
  return [...rows, row];
};

/** Between words where one is near the edge, else anywhere. */
const atBlank = (row: string, width: number): readonly [string, string] => {
  const blank = row.lastIndexOf(' ');
  return blank > width / 2 ? [row.slice(0, blank), row.slice(blank + 1)] : [row, ''];
};

/** The end of a text that has room for `width` columns. */
export const tailOf = (text: string, width: number): string => {
  const parts = [...graphemes.segment(text)].map(({ segment }) => segment);
  while (stringWidth(parts.join('')) > width) parts.shift();
  return parts.join('');
};

/** Without its last character, as a person counts them. */
export const withoutLast = (text: string): string =>
  [...graphemes.segment(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join('');
