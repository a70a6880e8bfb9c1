import { failure, type ToolFailure } from '../../contract/index.js';
import { plural } from './lines.js';
import { positionsOf } from './positions.js';
import { lineNumbers, occurrences } from './replaceText.js';

/** Line numbers named at most. */
const NAMED = 10;
/** Places looked for to say how many there are. */
const MAX_PLACES = 1000;

const namedLines = (lines: readonly number[]): string => {
  const more = lines.length > NAMED ? ` and ${lines.length - NAMED} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, NAMED).join(', ')}${more}`;
};

/** `old_string` is there several times and the call does not say which. */
export const ambiguousFailure = (path: string, text: string, positions: readonly number[]): ToolFailure => {
  const lines = namedLines(lineNumbers(text, positions));
  const said = `old_string was found ${plural(positions.length, 'time')} in ${path}, on ${lines}.`;
  return failure(
    `${said} Add lines around it until it is found once, or set replace_all to change all of them.`,
  );
};

/** `old_string` is not there: says what is nearest to it. */
export const notFoundFailure = (path: string, text: string, wanted: string): ToolFailure =>
  failure(`old_string was not found in ${path}, so nothing was changed. ${hint(text, wanted)}`);

const hint = (text: string, wanted: string): string => {
  if (/^ *\d+\t/.test(wanted)) return 'Leave out the line numbers and tabs that Read puts before the lines.';
  const spaced = linesEqualButForSpace(text, wanted);
  if (spaced.length > 0) return `It differs in white space only from the text at ${namedLines(spaced)}.`;
  const line = wanted.split(/\r?\n/).find((candidate) => candidate.trim() !== '') ?? wanted;
  const starts = lineNumbers(text, occurrences(text, line.trim() === '' ? line : line.trim(), MAX_PLACES));
  if (starts.length === 0 || !/\n/.test(wanted)) return 'Read the file again: it may have changed.';
  return `Its first line is at ${namedLines(starts)}, but what follows differs. Read the file again.`;
};

/** Lines where the wanted ones stand, when space at the ends of lines is not compared. */
const linesEqualButForSpace = (text: string, wanted: string): number[] => {
  const bare = (value: string): string[] => value.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const lines = bare(text);
  const sought = bare(wanted.trim());
  if (sought.every((line) => line === '')) return [];
  return positionsOf(lines.length, (index) => lines[index], sought, MAX_PLACES).map((at) => at + 1);
};
