import { relative } from 'node:path';
import { instant } from '../../../marbles/draw/duration.js';
import { fitText, padText } from '../../../marbles/draw/fitText.js';
import { harmless } from '../../../marbles/draw/harmless.js';
import { drawRows } from '../../../marbles/draw/rows.js';
import type { LateEvent, LedgerEntry, ModelEvent, ToolEvent } from '../../contract/index.js';
import type { Terminal } from '../terminal.js';
import { brief } from './brief.js';
import { CallNames } from './callNames.js';
import { eventWords, isOfCall } from './eventWords.js';
import { guardTells } from './guardWords.js';
import { messageLines } from './messageLines.js';
import { ProgressLines } from './progressLines.js';
import type { RunEnd, RunStart, RunView } from './runView.js';
import { type Style, styleOf } from './style.js';
import type { Words } from './words.js';

export interface PlainViewOptions {
  /** Columns, from 40. */
  readonly width: number;
  readonly unicode: boolean;
  readonly colours: boolean;
  /** Whether changes of a call have lines; where they have none, something else shows them. Default true. */
  readonly calls?: boolean;
}

/** Columns of the parts of a line. */
const TIME = 8;
const CALL = 11;
const WHAT = 10;

/** A line for each change of state, then the message for the model and the drawing. Nothing is painted twice. */
export class PlainView implements RunView {
  readonly #names = new CallNames();
  readonly #progress = new ProgressLines();
  readonly #style: Style;
  readonly #ellipsis: string;
  #start: RunStart | undefined;

  constructor(
    private readonly terminal: Pick<Terminal, 'line' | 'problem'>,
    private readonly options: PlainViewOptions,
  ) {
    this.#style = styleOf(options.colours);
    this.#ellipsis = options.unicode ? '…' : '..';
    // The first cut loads the tables of graphemes, for some 20 ms: not between two events that follow at once.
    fitText('a long text', 4, this.#ellipsis);
  }

  begin(run: RunStart): void {
    this.#start = run;
    const { path, cwd, speed } = run;
    this.terminal.line(`playing ${harmless(shortPath(path))} ${paceWords(speed)}`);
    this.terminal.line(`tools work in ${harmless(cwd)}`);
    this.terminal.line();
  }

  model(event: ModelEvent, at: number): void {
    if (event.type === 'block' && event.block.type === 'text') {
      const { text } = event.block;
      if (typeof text === 'string' && text !== '') this.#line(at, 'model', says(text));
    } else if (event.type === 'message-end') {
      this.#line(at, 'model', {
        what: 'ended',
        more: brief(event.stopReason ?? 'no stop reason'),
        tone: 'quiet',
      });
    } else if (event.type === 'anomaly') {
      this.#line(at, 'model', { what: 'anomaly', more: brief(event.message), tone: 'warning' });
    }
  }

  event(event: ToolEvent): void {
    if (event.type === 'queued') this.#names.add(event);
    if (this.options.calls === false && isOfCall(event)) return;
    if (!guardTells(event) || !this.#progress.tells(event)) return;
    const words = eventWords(event, this.#names);
    if (words === undefined) return;
    const isCall = 'toolUseId' in event && event.toolUseId !== undefined;
    if (event.type === 'completed') this.#tellLeftOut(event.at, event.toolUseId);
    this.#line(event.at, isCall ? this.#names.of(event.toolUseId) : 'turn', words);
    if (event.type === 'discarded') for (const entry of event.ledger) this.#ledgerLine(event.at, entry);
  }

  late({ toolUse, type }: LateEvent): void {
    const what =
      type === 'running' ? 'has not stopped, and was left' : `gave its ${type} after it had been given up`;
    this.terminal.problem(`millrace: ${this.#names.of(toolUse.id)} ${what}`);
  }

  pause(): void {}

  resume(): void {}

  interrupting(): void {
    this.terminal.problem('millrace: stopping; Ctrl-C again leaves at once');
  }

  end({ events, message, failure }: RunEnd): void {
    const { width, unicode } = this.options;
    if (message !== undefined) {
      this.terminal.line('\nmessage for the model');
      const options = { names: this.#names, width, ellipsis: this.#ellipsis, style: this.#style };
      for (const line of messageLines(message, options)) this.terminal.line(line);
    }
    if (events.some(({ type }) => type === 'queued' || type === 'input-delta')) {
      const { name: run, limit } = this.#start ?? {};
      const options = {
        width,
        unicode,
        ...(run === undefined ? {} : { run }),
        ...(limit === undefined ? {} : { limit }),
      };
      this.terminal.line(`\n${drawRows(events, options)}`);
    } else if (failure === undefined) this.terminal.line('the reply calls no tool');
  }

  #tellLeftOut(at: number, toolUseId: string): void {
    const left = this.#progress.leftOut(toolUseId);
    if (left === 0) return;
    this.#line(at, this.#names.of(toolUseId), { what: 'progress', more: `and ${left} more`, tone: 'quiet' });
  }

  #ledgerLine(at: number, { toolUse, executed, outcome }: LedgerEntry): void {
    const more = `ran: ${executed}${outcome === undefined ? '' : `, ended as ${outcome.code}`}`;
    this.#line(at, this.#names.of(toolUse.id), {
      what: 'ledger',
      more,
      tone: executed === 'no' ? 'quiet' : 'warning',
    });
  }

  #line(at: number, call: string, { what, more, tone }: Words): void {
    const time = instant(at).padStart(TIME);
    const head = `${padText(fitText(call, CALL, this.#ellipsis), CALL)}  `;
    const room = this.options.width - TIME - 2 - CALL - 2 - WHAT - 2;
    const style = this.#style;
    const text =
      tone === 'quiet'
        ? style(fitText(more, room, this.#ellipsis), 'quiet')
        : fitText(more, room, this.#ellipsis);
    const line = `${style(time, 'quiet')}  ${head}${style(padText(what, WHAT), tone)}  ${text}`;
    this.terminal.line(line.trimEnd());
  }
}

const paceWords = (speed: number): string => {
  if (speed === Number.POSITIVE_INFINITY) return 'without delays';
  return speed === 1 ? 'as recorded' : `${speed} times as fast`;
};

const shortPath = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
};

const says = (text: string): Words => ({ what: 'says', more: brief(text), tone: 'plain' });
