import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { malformed } from './failure.js';
import { isRecord, isWireEvent, type WireEvent } from './wire.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Turns what a source emits into wire events, item by item: bytes and text are server-sent events, objects with
 * a `type` are events already. One decoder per stream, since characters and frames may be cut anywhere.
 *
 * @throws ModelStreamError `malformed`, after the events before the frame that can't be read.
 */
export class FrameDecoder {
  readonly #frames: EventSourceMessage[] = [];
  readonly #parser = createParser({ onEvent: (frame) => this.#frames.push(frame) });
  readonly #utf8 = new TextDecoder();
  #begun = false;

  *decode(item: unknown): Generator<WireEvent> {
    if (item === null || item === undefined) return;
    if (typeof item === 'string') return yield* this.#read(item);
    const bytes = bytesOf(item);
    if (bytes !== undefined) return yield* this.#read(this.#utf8.decode(bytes, { stream: true }));
    if (!isWireEvent(item)) throw malformed('an item that is neither bytes, text nor an event', false);
    yield item;
  }

  /**
   * Call when the bytes have ended. A last event that no blank line closed still counts if its JSON is whole:
   * a proper prefix of a JSON object is never one, so nothing that was cut can pass.
   */
  *end(): Generator<WireEvent> {
    this.#parser.feed(this.#utf8.decode());
    this.#parser.feed('\n\n');
    for (const frame of this.#frames.splice(0)) {
      const event = toEvent(frame);
      if (event !== undefined) yield event;
    }
  }

  *#read(text: string): Generator<WireEvent> {
    const marked = !this.#begun && text.startsWith(BYTE_ORDER_MARK);
    this.#begun ||= text !== '';
    this.#parser.feed(marked ? text.slice(1) : text);
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
