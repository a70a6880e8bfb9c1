/** Characters of one line shown at most. */
export const MAX_LINE_CHARS = 2000;

/** A line with its number as `cat -n` prints it: padded to six, a tab, the line. */
export const numbered = (line: string, number: number): string =>
  `${String(number).padStart(6)}\t${cutLine(line, MAX_LINE_CHARS)}`;

/** A line cut to `max` characters, with a note that says so; a character is never split. */
export const cutLine = (line: string, max: number): string => {
  if (line.length <= max) return line;
  const last = line.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return `${line.slice(0, end)} [line cut at ${max} characters]`;
};

/** Lines of a text; the line end of the last one starts no further line. */
export const countLines = (text: string): number => {
  if (text === '') return 0;
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

/** `1 line`, `2 lines`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
