import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { malformed } from './failure.js';
import { Utf8Reader } from './utf8.js';
import { isRecord, isWireEvent, type WireEvent } from './wire.js';

const BYTE_ORDER_MARK = '\uFEFF';
/** Characters given to the parser at once: it looks for each kind of line end through all that it is given. */
const PORTION = 16_384;

/**
 * Turns what a source emits into wire events, item by item: bytes and text are server-sent events, objects with
 * a `type` are events already. One decoder per stream, since characters and frames may be cut anywhere.
 *
 * @throws ModelStreamError `malformed`, after the events before the frame that can't be read.
 */
export class FrameDecoder {
  readonly #frames: EventSourceMessage[] = [];
  readonly #parser = createParser({ onEvent: (frame) => this.#frames.push(frame) });
  readonly #utf8 = new Utf8Reader();
  #begun = false;

  *decode(item: unknown): Generator<WireEvent> {
    if (item === null || item === undefined) return;
    const bytes = bytesOf(item);
    if (bytes !== undefined) return yield* this.#readBytes(bytes);
    this.#checkNotCut();
    if (typeof item === 'string') return yield* this.#read(item);
    if (!isWireEvent(item)) throw malformed('an item that is neither bytes, text nor an event', false);
    yield item;
  }

  /**
   * Call when the bytes have ended. A last event that no blank line closed still counts if its JSON is whole:
   * a proper prefix of a JSON object is never one, so nothing that was cut can pass. Within a character it is
   * no last event, just an end that came too early.
   */
  *end(): Generator<WireEvent> {
    if (this.#utf8.isCut) return;
    this.#parser.feed('\n\n');
    for (const frame of this.#frames.splice(0)) {
      const event = toEvent(frame);
      if (event !== undefined) yield event;
    }
  }

  *#readBytes(bytes: Uint8Array): Generator<WireEvent> {
    const { text, isValid } = this.#utf8.read(bytes);
    yield* this.#read(text);
    if (!isValid) throw malformed('bytes that are not UTF-8', true);
  }

  #checkNotCut(): void {
    if (this.#utf8.isCut) throw malformed('a character that is cut, so its bytes are not UTF-8', true);
  }

  *#read(text: string): Generator<WireEvent> {
    const marked = !this.#begun && text.startsWith(BYTE_ORDER_MARK);
    this.#begun ||= text !== '';
    for (let at = marked ? 1 : 0; at < text.length; at += PORTION) {
      this.#parser.feed(text.slice(at, at + PORTION));
      yield* this.#framesSoFar();
    }
  }

  *#framesSoFar(): Generator<WireEvent> {
    for (const frame of this.#frames.splice(0)) {
      if (frame.data.trim() === '') continue;
      yield toEvent(frame) ?? unreadable(frame);
    }
  }
}

const bytesOf = (item: unknown): Uint8Array | undefined => {
  if (item instanceof ArrayBuffer) return new Uint8Array(item);
  return ArrayBuffer.isView(item) ? new Uint8Array(item.buffer, item.byteOffset, item.byteLength) : undefined;
};

const toEvent = ({ event, data }: EventSourceMessage): WireEvent | undefined => {
  const parsed = parse(data);
  if (isWireEvent(parsed)) return parsed;
  return isRecord(parsed) && event !== undefined ? { ...parsed, type: event } : undefined;
};

/** An error is an error even if its text is no JSON; everything else can't be trusted. */
const unreadable = ({ event, data }: EventSourceMessage): WireEvent => {
  if (event === 'error') return { type: 'error', error: { message: data } };
  const isJson = parse(data) !== undefined;
  throw malformed(isJson ? 'a frame that is no event' : 'a frame whose data is not JSON', !isJson);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
