import { NotationError, type Position } from '../../notation/notationError.js';
import { runMarbles } from '../marbles.js';
import { type MarbleTool, marbleTool } from '../marbleTool.js';
import type { ModelMessage, VirtualOptions } from '../virtualTurn.js';

/** The diagram of a turn: what is run, and the rows that are expected of it. */
export interface TurnDiagram {
  readonly message: ModelMessage;
  readonly tools: Readonly<Record<string, MarbleTool>>;
  readonly options: VirtualOptions;
  readonly expected: string;
}

const controls = ['discard', 'interrupt', 'abort', 'unsubscribe'] as const;

/**
 * Reads the diagram of a turn: header lines, an empty line, and the rows of NOTATION.md as a test has them.
 *
 * ```rows
 * tool read safe ---|
 * tool write unsafe -|
 * model ab| a=read b=write
 *
 * a ^--|
 * b  ..^|
 * ```
 *
 * `discard`, `interrupt`, `abort` and `unsubscribe` are RxJS marble strings, as in `expectTurn`.
 *
 * @throws NotationError that names the line of the text
 */
export const parseTurnDiagram = (text: string): TurnDiagram => {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const blank = lines.findIndex((line, index) => index > first && line.trim() === '');
  if (first < 0 || blank < 0)
    throw new NotationError({ line: 1, column: 1 }, 'a header, an empty line and rows', 'no empty line');
  const header = new Header();
  for (let index = first; index < blank; index++)
    header.read(lines[index] as string, { line: index + 1, column: 1 });
  return { ...header.done({ line: blank + 1, column: 1 }), expected: lines.slice(blank + 1).join('\n') };
};

/** Runs a turn as drawn, in virtual time; throws with expected and received one above the other. */
export const runTurnDiagram = (text: string): void => {
  const { message, tools, options, expected } = parseTurnDiagram(text);
  runMarbles(({ expectTurn }) => expectTurn(message, tools, options).toBe(expected));
};

class Header {
  readonly #tools: Record<string, MarbleTool> = {};
  readonly #options: Record<string, string> = {};
  #message: ModelMessage | undefined;

  read(line: string, position: Position): void {
    const [keyword = '', ...words] = line.trim().split(/\s+/);
    if (keyword === 'tool') this.#tool(words, position);
    else if (keyword === 'model') this.#model(words, position);
    else if ((controls as readonly string[]).includes(keyword) && words.length === 1)
      this.#options[keyword] = words[0] as string;
    else
      throw new NotationError(
        position,
        `\`tool\`, \`model\` or one of ${controls.join(', ')}`,
        `\`${line}\``,
      );
  }

  done(position: Position): Omit<TurnDiagram, 'expected'> {
    if (this.#message === undefined) throw new NotationError(position, 'a `model` line above', 'none');
    return { message: this.#message, tools: this.#tools, options: this.#options };
  }

  #tool([name, safety, marbles, ...rest]: readonly string[], position: Position): void {
    if (name === undefined || marbles === undefined || rest.length > 0 || !isSafety(safety))
      throw new NotationError(position, '`tool NAME safe|unsafe MARBLES`', 'something else');
    this.#tools[name] = marbleTool[safety](marbles);
  }

  #model([marbles, ...calls]: readonly string[], position: Position): void {
    const pairs = calls.map((call) => call.split('='));
    if (marbles === undefined || pairs.some((pair) => pair.length !== 2))
      throw new NotationError(position, '`model MARBLES LETTER=TOOL …`', 'something else');
    this.#message = { marbles, calls: Object.fromEntries(pairs) as Record<string, string> };
  }
}

const isSafety = (word: string | undefined): word is 'safe' | 'unsafe' =>
  word === 'safe' || word === 'unsafe';
