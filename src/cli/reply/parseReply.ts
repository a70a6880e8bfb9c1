import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { harmless } from '../../../marbles/draw/harmless.js';
import { messageOf } from '../../results/json.js';
import { CliError } from '../cliError.js';

/** One event of a recorded reply, as its text stands in the file. */
export interface ReplyFrame {
  /** With the blank line that closes it. */
  readonly text: string;
  /** Milliseconds from the beginning of the recording. */
  readonly at: number;
}

/** A recorded reply: server-sent events of the Messages API. */
export interface Reply {
  /** As the file is called in messages. */
  readonly path: string;
  readonly frames: readonly ReplyFrame[];
  /** Whether the file says when its events came. */
  readonly hasDelays: boolean;
}

/**
 * Reads the text of a recorded reply and checks that it is one, before anything of it is run.
 *
 * A comment line `: +120` gives the delay of the event after it, in milliseconds since the event before. A last
 * event that is cut is let through: that is a reply whose connection broke.
 *
 * @throws CliError naming file, line and reason.
 */
export const parseReply = (text: string, path: string): Reply => {
  const reader = new ReplyReader(path);
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const line of lines) reader.line(line);
  return reader.end();
};

class ReplyReader {
  readonly #path: string;
  readonly #frames: ReplyFrame[] = [];
  readonly #parser = createParser({
    onEvent: (message) => this.#event(message),
    onComment: (comment) => this.#comment(comment),
  });
  #number = 0;
  /** Lines since the last event. */
  #lines: string[] = [];
  #dataLine: number | undefined;
  #at = 0;
  #hasDelays = false;
  #isReply = false;
  #ended = false;

  constructor(path: string) {
    this.#path = path;
  }

  line(line: string): void {
    this.#number++;
    this.#lines.push(line);
    if (/^data(:|$)/.test(line)) this.#dataLine ??= this.#number;
    this.#parser.feed(`${line}\n`);
    if (line === '') this.#dataLine = undefined;
  }

  end(): Reply {
    this.#ended = true;
    this.#parser.feed('\n\n');
    if (!this.#isReply) {
      throw this.#wrong(1, 'not a reply: no message_start event (server-sent events of the Messages API)');
    }
    return { path: this.#path, frames: this.#frames, hasDelays: this.#hasDelays };
  }

  #comment(comment: string): void {
    const delay = /^\+(\d+(?:\.\d+)?)$/.exec(comment.trim());
    if (delay === null) return;
    this.#hasDelays = true;
    this.#at += Number(delay[1]);
  }

  #event(message: EventSourceMessage): void {
    const type = this.#typeOf(message);
    this.#isReply ||= type === 'message_start' || type === 'error';
    // What was cut stays open, so that the stream's reader finds it cut.
    const text = this.#lines.join('\n');
    this.#frames.push({ text: this.#ended ? text : `${text}\n`, at: this.#at });
    this.#lines = [];
  }

  #typeOf({ event, data }: EventSourceMessage): string | undefined {
    // A server in trouble sends its error as it comes; keep-alives may be empty.
    if (event === 'error' || data.trim() === '') return event;
    const parsed = this.#parse(data);
    if (parsed === undefined) return undefined;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      throw this.#wrong(this.#dataLine, 'data is no event: expected a JSON object');
    }
    const type = (parsed as { readonly type?: unknown }).type ?? event;
    if (typeof type === 'string') return type;
    throw this.#wrong(this.#dataLine, 'data is no event of the Messages API: it has no "type"');
  }

  #parse(data: string): unknown {
    try {
      return JSON.parse(data);
    } catch (error) {
      if (this.#ended) return undefined;
      throw this.#wrong(this.#dataLine, `data is no JSON: ${harmless(messageOf(error).slice(0, 200))}`);
    }
  }

  #wrong(line: number | undefined, reason: string): CliError {
    return new CliError(`${harmless(this.#path)}, line ${line ?? this.#number}: ${reason}`);
  }
}
