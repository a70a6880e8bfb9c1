import stringWidth from 'string-width';
import type { PermissionAnswer, RuleUpdate } from '../../contract/index.js';
import { tailOf, withoutLast } from './wrapText.js';

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';
const ESCAPE = '\x1b';
const CLEAR_LINE = '\r\x1b[K';
/** Keys that are no text: arrows and the like. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them.
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])/g;
const MOST_REASON = 1_000;
const ASK = 'allow? ';
const WHY = 'why not? ';

/** What a prompt does with the world. */
export interface PromptHost {
  write(text: string): void;
  /** Columns of the line that is typed in. */
  readonly columns: number;
  answer(answer: PermissionAnswer): void;
  interrupt(): void;
}

/** The keys of one open prompt: a choice, or the line of a reason. */
export class OpenPrompt {
  #reason: string | undefined;

  constructor(
    private readonly suggestions: readonly string[],
    private readonly host: PromptHost,
  ) {
    host.write(ASK);
  }

  keys(text: string): void {
    if (text.includes(CTRL_C)) this.#end('stopped', () => this.host.interrupt());
    else if (this.#reason === undefined) this.#choose(text.toLowerCase());
    else this.#edit(this.#reason, text);
  }

  /** Only a single key is a choice: what is pasted, or typed ahead in one go, was not meant as one. */
  #choose(key: string): void {
    if (key === 'y') this.#end('once', () => this.host.answer({ behavior: 'allow' }));
    else if (key === 'a' && this.suggestions.length > 0) {
      const remember = this.suggestions.map((rule): RuleUpdate => ({ behavior: 'allow', rule }));
      this.#end('always', () => this.host.answer({ behavior: 'allow', remember }));
    } else if (key === 'n' || key === CTRL_D) this.#end('denied', () => this.#deny());
    else if (key === 'r') this.#show('');
  }

  #deny(reason?: string): void {
    const message =
      reason === undefined ? 'The user denied this call.' : `The user denied this call: ${reason}`;
    this.host.answer({ behavior: 'deny', message });
  }

  #edit(before: string, typed: string): void {
    let reason = before;
    if (typed === ESCAPE) {
      this.#reason = undefined;
      this.host.write(CLEAR_LINE + ASK);
      return;
    }
    for (const key of typed.replace(sequences, '')) {
      if (key === '\r' || key === '\n' || key === CTRL_D) {
        const said = reason.trim();
        this.#show(reason);
        this.#end('', () => this.#deny(said === '' ? undefined : said));
        return;
      }
      if (key === '\x7f' || key === '\b') reason = withoutLast(reason);
      else if (key === CTRL_U) reason = '';
      else if (key >= ' ' && reason.length < MOST_REASON) reason += key;
    }
    this.#show(reason);
  }

  #show(reason: string): void {
    this.#reason = reason;
    const room = Math.max(1, this.host.columns - stringWidth(WHY) - 1);
    this.host.write(CLEAR_LINE + WHY + tailOf(reason, room));
  }

  #end(word: string, then: () => void): void {
    this.host.write(`${word}\n`);
    then();
  }
}
