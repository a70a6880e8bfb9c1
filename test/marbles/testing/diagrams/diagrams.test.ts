import { map, merge, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { findFences } from '../../../../marbles/testing/diagrams/findFences.js';
import { parseMarks, printMarks } from '../../../../marbles/testing/diagrams/marbleCells.js';
import { parseDiagram } from '../../../../marbles/testing/diagrams/parseDiagram.js';
import {
  type BuildDiagram,
  DiagramError,
  runDiagram,
} from '../../../../marbles/testing/diagrams/runDiagram.js';
import { parseTurnDiagram, runTurnDiagram } from '../../../../marbles/testing/diagrams/turnDiagram.js';

const copy: BuildDiagram = ({ input }) => ({ result: input('source') });
const run = (text: string, build = copy): void => runDiagram(parseDiagram(text), build);

describe('a marble string', () => {
  it.each(['a-b|', '(ab)--c', '--(a|)', '#', '-', 'a-(b#)'])('%s is printed as it was read', (cells) => {
    const marks = parseMarks(cells, { line: 1, column: 1 });
    expect(printMarks(marks, 0)).toBe(cells.replace(/-+$/, ''));
  });

  it('a group happens at its bracket and is as long as it is wide', () => {
    expect(parseMarks('-(ab)c', { line: 1, column: 1 })).toEqual([
      { at: 1, glyph: 'a' },
      { at: 1, glyph: 'b' },
      { at: 5, glyph: 'c' },
    ]);
  });

  it.each([
    ['a|b', 'line 3, column 7: expected nothing behind the end, got "b"'],
    ['a+b', 'line 3, column 6: expected a letter, a digit or one of `-|#()`, got "+"'],
    ['(a(b))', 'line 3, column 7: expected no group in a group, got "("'],
    ['(a-b)', 'line 3, column 7: expected no time in a group, got "-"'],
    ['()', 'line 3, column 6: expected a group that has begun, and is not empty, got ")"'],
    ['(ab', 'line 3, column 8: expected `)`, got the end of the row'],
  ])('%s is refused', (cells, message) => {
    expect(() => parseMarks(cells, { line: 3, column: 5 })).toThrow(message);
  });

  it('what has no room behind a group is told in words', () => {
    const marks = ['a', 'b'].map((glyph) => ({ at: 0, glyph }));
    expect(printMarks([...marks, { at: 1, glyph: '|' }], 2)).toBe('a@2 b@2 |@3');
  });
});

describe('a diagram is refused', () => {
  it.each([
    ['a row twice', 'a --|\na --|', 'line 2, column 3: expected a label of its own for every row'],
    ['a row in front of column 0', 'long --|\na --|', 'line 2, column 3: expected a blank'],
    ['a row without marbles', 'source', 'line 1, column 7: expected a marble string'],
    ['a blank in a marble string', 'a --  remark\nb -- -', 'line 2, column 5: expected no blank'],
    ['a subscription to nothing', 'subs ^-!', 'line 1, column 6: expected a row above it'],
    ['a subscription that is none', 'a    --|\nsubs -^!', 'line 2, column 6: expected `^---!`'],
    ['a subscription elsewhere', 'a    --|\nsubs  ^!', 'expected the subscription where its row begins'],
  ])('%s', (_, text, message) => {
    expect(() => parseDiagram(text)).toThrow(message);
  });
});

describe('a diagram fails', () => {
  const source = 'source a-b|\n';

  it('where the output differs, with the first difference marked', () => {
    expect(() => run(`${source}result a--b|`)).toThrow(
      `the diagram is not as drawn

expected
  source a-b|
  result a--b|

received
  source a-b|
  result a-b|
           ^ differs
`,
    );
  });

  it.each([
    ['it completes where it is drawn open', `${source}result a-b`],
    ['it fails where it completes', 'source a-#\nresult a-|'],
    ['it is drawn later', `${source}result  a-b|`],
    ['it is drawn left later', `${source}result a-b|\nsubs   ^!`],
  ])('where %s', (_, text) => {
    expect(() => run(text)).toThrow(DiagramError);
  });

  it('where an input is left before its end, and that is not drawn', () => {
    const one: BuildDiagram = ({ input }) => ({
      result: merge(
        input('source'),
        throwError(() => 'no'),
      ),
    });
    expect(() => run('source a-b|\nresult (a#)', one)).toThrow(DiagramError);
  });

  it('where an input is subscribed to elsewhere than drawn, or never, or twice', () => {
    expect(() => run('source  a|\nresult a|')).toThrow(DiagramError);
    expect(() => run('source a|\nresult |', () => ({ result: of<string>() }))).toThrow('nothing is known of');
    const twice: BuildDiagram = ({ input }) => ({ result: merge(input('source'), input('source')) });
    expect(() => run('source a|\nresult (aa)|', twice)).toThrow(DiagramError);
  });

  it('where a row is missing, or nobody knows it', () => {
    expect(() => run('result a|')).toThrow('a row `source` is missing');
    expect(() => run('source a|\nresult a|\nother  b')).toThrow('nothing is known of the row `other`');
    expect(() => run('source a|\nresult a|', ({ option }) => ({ result: of(option('limit')) }))).toThrow(
      '`limit=…` is missing',
    );
  });
});

it('a diagram holds where all is as drawn', () => {
  const upper: BuildDiagram = ({ input }) => ({
    result: input('source').pipe(map((letter) => letter.toUpperCase())),
  });
  run('source (ab)-c|  a remark\nresult (AB)-C|', upper);
  run('source  a-b|\nsubs    ^-!\nresult  A-B\nsubs    ^-!', upper);
});

describe('fences', () => {
  it('are found in doc comments and in Markdown, with what stands on them', () => {
    const doc = ' * ```marbles mergeSafe concurrency=2\n * a  --|\n *\n *   b\n * ```';
    const markdown = 'text\n```rows\na ^|\n```\n```\nnone\n```\n';
    expect(findFences(`${doc}\n${markdown}`)).toEqual([
      {
        language: 'marbles',
        words: ['mergeSafe'],
        options: { concurrency: '2' },
        text: 'a  --|\n\n  b',
        line: 1,
      },
      { language: 'rows', words: [], options: {}, text: 'a ^|', line: 7 },
    ]);
  });
});

describe('the diagram of a turn', () => {
  const header = 'tool read safe -|\nmodel ab| a=read b=read\n';

  it('holds where the turn goes as drawn, and fails where it does not', () => {
    runTurnDiagram(`${header}\na ^|\nb  ^|`);
    expect(() => runTurnDiagram(`${header}\na ^|\nb ^|`)).toThrow('differs');
  });

  it('reads controls', () => {
    const { options } = parseTurnDiagram(`${header}discard --u\n\na ^|`);
    expect(options).toEqual({ discard: '--u' });
  });

  it.each([
    ['without rows', 'model a| a=read', 'an empty line and rows'],
    ['without a model', 'tool read safe -|\n\na ^|', 'a `model` line above'],
    ['with a word that is none', 'tools read\n\na ^|', '`tool`, `model` or one of'],
    ['with a tool that is neither', 'tool read fast -|\n\na ^|', '`tool NAME safe|unsafe MARBLES`'],
    ['with a letter without tool', 'model a| a\n\na ^|', '`model MARBLES LETTER=TOOL'],
  ])('is refused %s', (_, text, message) => {
    expect(() => parseTurnDiagram(text)).toThrow(message);
  });
});
