import type { Expectation } from '../notation/parseExpectation.js';
import { printExpectation } from '../notation/printRows.js';

/** Expected and received rows one above the other, with a mark below the first difference of each row. */
export const explainDifference = (expected: Expectation, received: Expectation): string => {
  const wanted = printExpectation(expected).split('\n');
  const came = printExpectation(received).split('\n');
  const lines = ['expected', ...indent(wanted), '', 'received', ...indent(marked(wanted, came))];
  return `the turn is not as drawn\n\n${lines.join('\n')}\n`;
};

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`.trimEnd());

const marked = (wanted: readonly string[], came: readonly string[]): readonly string[] =>
  came.flatMap((line, row) => {
    const other = wanted[row];
    if (other === line) return [line];
    if (other === undefined) return [line, '^ not expected'];
    const at = firstDifference(line, other);
    return [line, `${' '.repeat(at)}^ differs${hint(other[at], line[at])}`];
  });

/** The glyphs that newcomers take for one another. */
const hint = (wanted: string | undefined, came: string | undefined): string => {
  if (wanted === '-' && came === '=') return ': = is - of an unsafe call';
  if (wanted === '=' && came === '-') return ': - is = of a safe call';
  return '';
};

const firstDifference = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
};
