import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Reply } from './reply/parseReply.js';
import type { Terminal } from './terminal.js';
import { JsonView } from './view/jsonView.js';
import { LiveView } from './view/liveView.js';
import { PlainView, type PlainViewOptions } from './view/plainView.js';
import type { RunView } from './view/runView.js';
import { wantsColours } from './view/style.js';

/** How something is drawn. */
export interface DrawingOptions {
  readonly ascii?: true;
  readonly width?: number;
}

/** How a run is played, shown and recorded. */
export interface RunOptions extends DrawingOptions {
  readonly pace?: number | 'real';
  readonly json?: true;
  readonly plain?: true;
  readonly record?: string;
  readonly color: boolean;
}

const LEAST_WIDTH = 40;
const WIDTH_ELSEWHERE = 100;
const MOST_COLUMNS = 120;

export const addDrawingOptions = (command: Command): Command =>
  command
    .option('--ascii', 'draw with ASCII characters only')
    .option('--width <columns>', 'columns to print, from 40 (default: the terminal, else 100)', toWidth);

export const addRunOptions = (command: Command): Command =>
  addDrawingOptions(
    command
      .addOption(
        new Option('--pace <pace>', 'real (as recorded), fast (no delays), or N times as fast').argParser(
          toPace,
        ),
      )
      .option('--json', 'print one event a line as JSON, and nothing else')
      .option('--plain', 'print a line for each change, also where rows could be painted in place')
      .option('--record <file>', 'write the events to a file, for `millrace draw`'),
  ).option('--no-color', 'print without colours');

const toPace = (text: string): number | 'real' => {
  if (text === 'real') return text;
  if (text === 'fast') return Number.POSITIVE_INFINITY;
  const speed = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (speed > 0) return speed;
  throw new InvalidArgumentError('Give real, fast or a number above 0.');
};

const toWidth = (text: string): number => {
  const width = /^\d+$/.test(text) ? Number(text) : 0;
  if (width >= LEAST_WIDTH) return width;
  throw new InvalidArgumentError(`Give an integer of at least ${LEAST_WIDTH}.`);
};

/** How many times as fast a reply is played; without delays in the file there is nothing to wait for. */
export const speedOf = ({ pace = 'real' }: RunOptions, { hasDelays }: Reply): number => {
  if (!hasDelays) return Number.POSITIVE_INFINITY;
  return pace === 'real' ? 1 : pace;
};

export const drawingOf = (
  { ascii, width }: DrawingOptions,
  terminal: Terminal,
): Pick<PlainViewOptions, 'width' | 'unicode'> => ({
  width: width ?? Math.min(MOST_COLUMNS, Math.max(LEAST_WIDTH, terminal.columns ?? WIDTH_ELSEWHERE)),
  unicode: ascii !== true && process.env.TERM !== 'dumb',
});

export const viewOf = (options: RunOptions, terminal: Terminal): RunView => {
  if (options.json === true) return new JsonView(terminal);
  const colours = wantsColours(options.color, terminal.isTerminal, process.env);
  const { unicode } = drawingOf(options, terminal);
  const view = {
    ...{ unicode, colours },
    // Read each time: a terminal changes its width.
    get width() {
      return drawingOf(options, terminal).width;
    },
  };
  const live = options.plain !== true && canPaint(terminal, process.env);
  return live ? new LiveView(terminal, view) : new PlainView(terminal, view);
};

/** Whether what is printed can be painted over: on a terminal, of which no log is made. */
const canPaint = ({ isTerminal }: Terminal, { TERM, CI }: NodeJS.ProcessEnv): boolean =>
  isTerminal && TERM !== 'dumb' && !CI;
