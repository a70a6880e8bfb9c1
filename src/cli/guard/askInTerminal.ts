import type { CanUseTool } from '../../contract/index.js';
import { keysOf } from '../prompt/keys.js';
import { terminalPrompt } from '../prompt/terminalPrompt.js';
import { type DrawingOptions, drawingOf } from '../runOptions.js';
import type { Terminal } from '../terminal.js';
import type { RunView } from '../view/runView.js';
import { styleOf, wantsColours } from '../view/style.js';

/** Columns of a terminal that does not tell its size. */
const WIDTH_ELSEWHERE = 80;

/** Where a question is put, and how it looks. */
export interface AskOptions extends DrawingOptions {
  readonly color: boolean;
}

/** Asks in the terminal; `undefined` where there is none, on either side. */
export const askInTerminal = (
  options: AskOptions,
  terminal: Terminal,
  view: RunView,
  interrupt: () => void,
): CanUseTool | undefined => {
  if (process.stdin.isTTY !== true || !terminal.canAsk) return undefined;
  const screen = {
    open: () => {
      view.pause();
      terminal.hold();
    },
    close: () => {
      terminal.release();
      view.resume();
    },
    write: (text: string) => terminal.question(text),
    get options() {
      return {
        width: Math.min(
          options.width ?? Number.POSITIVE_INFINITY,
          terminal.questionColumns ?? WIDTH_ELSEWHERE,
        ),
        unicode: drawingOf(options, terminal).unicode,
        style: styleOf(wantsColours(options.color, true, process.env)),
      };
    },
  };
  return terminalPrompt(keysOf(process.stdin), screen, interrupt);
};
