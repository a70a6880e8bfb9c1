import { describe, expect, it } from 'vitest';
import { NotationError } from '../../../marbles/notation/notationError.js';
import { parseExpectation } from '../../../marbles/notation/parseExpectation.js';
import { parseRows } from '../../../marbles/notation/parseRows.js';
import { printExpectation, printRows } from '../../../marbles/notation/printRows.js';
import { MillraceError } from '../../../src/contract/errors.js';
import { anyRows, fc } from './arbitraries.js';

const cellsOf = (text: string): string | undefined => parseRows(text)[0]?.cells;
const faultOf = (text: string, parse: (text: string) => unknown = parseRows): NotationError => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof NotationError) return error;
  }
  throw new Error(`no NotationError for ${JSON.stringify(text)}`);
};

describe('parseRows', () => {
  it('removes common indentation and empty lines, and pads by the longest label', () => {
    const text = `
      a   ^--|

      b    ^--|
      long   .^|
    `;
    // `long` is the longest: column 0 is the sixth character.
    expect(() => parseRows(text)).toThrow(NotationError);
    expect(parseRows('\n  a    ^--|\n\n  b     ^--|\n  long   .^|\n')).toEqual([
      { label: 'a', cells: '^--|' },
      { label: 'b', cells: ' ^--|' },
      { label: 'long', cells: '  .^|' },
    ]);
  });

  it('counts a wide label by its columns', () => {
    expect(parseRows('読 ^|\nab ^|').map(({ cells }) => cells)).toEqual(['^|', '^|']);
  });

  it('reads the Unicode alphabet as ASCII', () => {
    expect(cellsOf('a ┄·h?▸─●2*~s│')).toBe(':.h?^-o2*~s|');
    expect(parseRows('a ▸═✗\nb ▸◷\nc ▸≡__▾†\nd ×').map(({ cells }) => cells)).toEqual([
      '^=#',
      '^@',
      '^a__v+',
      'x',
    ]);
  });

  it.each([
    ['further columns of the phase before', 'a ^- 9ms |', `^${'-'.repeat(10)}|`],
    ['blanks at the head, its own blank counting for none', 'a  9ms ^|', `${' '.repeat(9)}^|`],
    ['blanks at the head, without a blank of its own', 'a 9ms ^|', `${' '.repeat(9)}^|`],
    ['one blank column before a time at the head', 'a   9ms ^|', `${' '.repeat(10)}^|`],
    ['blanks behind an end', 'a ^| 9ms +', `^|${' '.repeat(9)}+`],
    ['blanks behind a release', 'a ^|_v 9ms +', `^|_v${' '.repeat(9)}+`],
    ['held columns', 'a ^|_ 9ms v', `^|${'_'.repeat(10)}v`],
    ['blank columns around it', 'a ^|  9ms  +', `^|${' '.repeat(11)}+`],
    ['two times with a blank each', 'a ^- 9ms  2ms |', `^${'-'.repeat(12)}|`],
    ['two times that share a blank', 'a ^- 9ms 2ms |', `^${'-'.repeat(12)}|`],
    ['a call that still runs', 'a ^- 9ms', `^${'-'.repeat(10)}`],
    ['a digit of progress beside it', 'a ^-2- 3ms 2|', '^-2----2|'],
  ])('a time stands for %s', (_, text, cells) => {
    expect(cellsOf(text)).toBe(cells);
  });

  it.each([
    ['a character that is no glyph', 'a ^-%|', 1, 5, '"%"'],
    ['a time behind a start', 'a ^ 9ms |', 1, 4, '"^"'],
    ['a time behind progress', 'a ^-o 9ms |', 1, 6, '"o"'],
    ['a time without a blank before it', 'a ^-9ms |', 1, 5, '"9ms"'],
    ['a time without a blank behind it', 'a ^- 9ms|', 1, 6, '"9ms"'],
    ['a tab', 'a ^-\t|', 1, 5, '"\\t"'],
    ['a row that is indented more', 'a ^|\n  b ^|', 2, 1, 'a blank'],
    ['cells in the columns of the label', '\n  a ^|\n  bb ^|', 2, 5, '"^"'],
    ['a label that comes twice', 'a ^|\nb ^|\na ^|', 3, 1, '`a` twice'],
    ['a results block', 'a ^|\nresults -a|', 2, 1, '`results`'],
    ['more columns than fit', 'a - 99999999999ms |', 1, 4, '100000000000'],
  ])('refuses %s and says where', (_, text, line, column, got) => {
    const fault = faultOf(text);
    expect(fault).toBeInstanceOf(MillraceError);
    expect({ line: fault.line, column: fault.column }).toEqual({ line, column });
    expect(fault.got).toContain(got);
    expect(fault.message).toContain(`line ${line}, column ${column}: expected ${fault.expected}, got `);
  });

  it('reads nothing from nothing', () => {
    expect(parseRows(' \n\n ')).toEqual([]);
    expect(printRows([])).toBe('');
  });

  it('reads a long row in linear time', () => {
    expect(cellsOf(`a ${' '.repeat(200_000)}^|`)).toHaveLength(200_002);
  });
});

describe('printRows', () => {
  it('pads labels and strips blanks at the end', () => {
    const rows = [
      { label: 'a', cells: '^--|' },
      { label: 'long', cells: ' ^|  ' },
      { label: 'c', cells: '' },
    ];
    expect(printRows(rows)).toBe('a    ^--|\nlong  ^|\nc');
  });

  it('writes more than twelve equal columns as a time, where asked', () => {
    const print = (cells: string): string => printRows([{ label: 'a', cells }], { compress: true });
    expect(print(`^${'-'.repeat(12)}|`)).toBe('a ^------------|');
    expect(print(`^${'-'.repeat(13)}|`)).toBe('a ^- 12ms |');
    expect(print(`${' '.repeat(20)}^|${' '.repeat(20)}+`)).toBe('a  20ms ^| 20ms +');
    expect(print(`^-${' '.repeat(20)}|`)).toBe('a ^-  19ms |');
    expect(print('o'.repeat(20))).toBe(`a ${'o'.repeat(20)}`);
  });

  it.each(['', 'a b', 'results', 'a\tb'])('refuses the label %j, which could not be read back', (label) => {
    expect(() => printRows([{ label, cells: '^|' }])).toThrow(NotationError);
  });

  it('is read back equal, compressed or not', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), fc.nat(6), (rows, compress, indent) => {
        const printed = printRows(rows, { compress });
        const indented = printed.replace(/^/gm, ' '.repeat(indent));
        expect(parseRows(indented)).toEqual(rows);
        expect(printRows(parseRows(indented), { compress })).toBe(printed);
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseExpectation', () => {
  it('reads rows alone', () => {
    expect(parseExpectation('a ^|')).toEqual({ rows: [{ label: 'a', cells: '^|' }] });
  });

  it('reads the released results behind the rows, with and without an empty line', () => {
    const expected = { rows: [{ label: 'a', cells: '^--|' }], results: '---abc--(d|)' };
    expect(parseExpectation('\n  a ^--|\n\n  results ---abc--(d|)\n')).toEqual(expected);
    expect(parseExpectation('a ^--|\nresults  ---abc--(d|) ')).toEqual(expected);
    expect(parseExpectation(printExpectation(expected))).toEqual(expected);
  });

  it('keeps the word out of the width of labels', () => {
    expect(parseExpectation('a ^|\nb ^|\nresults (ab)').rows).toHaveLength(2);
  });

  it('refuses anything behind the results, and results that say nothing', () => {
    expect(faultOf('a ^|\nresults a|\nb ^|', parseExpectation)).toMatchObject({ line: 3, column: 1 });
    expect(faultOf('a ^|\n results', parseExpectation)).toMatchObject({ line: 2 });
    expect(faultOf('a ^|\nresults', parseExpectation)).toMatchObject({ line: 2, column: 8 });
  });
});
