import type { ModelEvent } from '../../contract/index.js';
import { anomaly } from './anomaly.js';
import { apiFailure, malformed } from './failure.js';
import { OpenMessage } from './openMessage.js';
import { recordOf, type WireEvent } from './wire.js';

type Events = Generator<ModelEvent, void>;

/**
 * Reads the wire events of one stream into model events: which message they belong to, and what may follow what.
 *
 * @throws ModelStreamError for an `error` event, and for the end of a message that never began.
 */
export class MessageReader {
  #message: OpenMessage | undefined;
  #ended = false;

  /** The message came whole: nothing that follows can undo it. */
  get ended(): boolean {
    return this.#ended;
  }

  *read(event: WireEvent): Events {
    if (event.type === 'ping') return;
    if (this.#ended)
      return yield anomaly('after_message_end', `a ${event.type} event after the message's end`);
    if (event.type === 'error') throw apiFailure(event);
    if (event.type === 'message_start') return yield* this.#start(event);
    if (!inMessage.has(event.type)) return yield anomaly('unknown_event', `a ${event.type} event`);
    if (this.#message !== undefined) return yield* this.#continue(this.#message, event);
    if (event.type === 'message_stop') throw malformed('the end of a message that never began', true);
    yield anomaly('outside_message', `a ${event.type} event before the message's start`);
  }

  *#start(event: WireEvent): Events {
    const next = new OpenMessage(recordOf(event.message));
    const before = this.#message;
    if (before?.id === next.id) return;
    this.#message = next;
    if (next.id === '') yield anomaly('missing_field', 'a message without an id');
    if (before !== undefined) yield { type: 'message-replaced', messageId: before.id, by: next.id };
    yield* next.start();
  }

  *#continue(message: OpenMessage, event: WireEvent): Events {
    switch (event.type) {
      case 'content_block_start':
        return yield* message.blockStart(event);
      case 'content_block_delta':
        return yield* message.blockDelta(event);
      case 'content_block_stop':
        return yield* message.blockStop(event);
      case 'message_delta':
        return yield* message.change(event);
      case 'message_stop':
        this.#ended = true;
        return yield* message.stop();
    }
  }
}

const inMessage: ReadonlySet<string> = new Set([
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);
