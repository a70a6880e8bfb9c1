import type { AssistantMessage, ModelEvent, StopReason } from '../../contract/index.js';
import { type AnomalyCode, anomaly } from './anomaly.js';
import { Block } from './block.js';
import { type Ending, PendingCalls } from './pendingCalls.js';
import { shown } from './shown.js';
import {
  isRecord,
  type JsonRecord,
  missing,
  present,
  recordOf,
  setMembers,
  textOf,
  type WireEvent,
} from './wire.js';

type Events = Generator<ModelEvent, void>;

/** One assistant message while it is written: its blocks, its stop reason and its counts. */
export class OpenMessage {
  readonly id: string;
  readonly #calls: PendingCalls;
  /** In the order of their starts. */
  readonly #blocks: Block[] = [];
  /** The latest block of each index. */
  readonly #byIndex = new Map<number, Block>();
  // Written into, not replaced: a copy for each change would cost quadratic time (law 13).
  readonly #head: Record<string, unknown>;
  readonly #usage: Record<string, unknown>;
  #stopReason: StopReason;

  constructor(message: JsonRecord) {
    this.id = textOf(message.id);
    this.#calls = new PendingCalls(this.id);
    // Copied: the official client writes into the objects it hands out.
    this.#head = { ...message };
    this.#usage = { ...recordOf(message.usage) };
    this.#stopReason = stopReasonOf(message.stop_reason) ?? null;
  }

  *start(): Events {
    const given = Array.isArray(this.#head.content) ? this.#head.content.filter(isRecord) : [];
    const content = given.map((block) => ({ ...block, type: textOf(block.type) }));
    const message = { ...this.#head, role: 'assistant' as const, usage: { ...this.#usage }, content };
    yield { type: 'message-start', messageId: this.id, message };
    for (const [index, fields] of content.entries()) {
      const block = new Block(index, fields, true);
      yield* this.#open(block);
      yield* this.#close(block, 'stopped');
    }
    if (this.#stopReason !== null) yield* this.#calls.stop(this.#stopReason);
  }

  *blockStart(event: WireEvent): Events {
    if (!isRecord(event.content_block))
      return yield anomaly('missing_field', 'a block start without a block');
    const index = indexOf(event) ?? this.#blocks.length;
    if (indexOf(event) === undefined) yield anomaly('missing_field', 'a block start without an index');
    const block = new Block(index, event.content_block);
    const earlier = this.#byIndex.get(index);
    if (earlier === undefined) return yield* this.#open(block);
    if (earlier.given && earlier.isSameAs(block)) return this.#replay(earlier, block);
    if (!earlier.given) yield anomaly('repeated_block_start', `a second start of block ${index}`, block.id);
    // The same start sent twice: its deltas go on.
    if (earlier.isSameAs(block)) return;
    if (!earlier.closed) yield* this.#close(earlier, 'superseded');
    yield* this.#open(block);
  }

  *blockDelta(event: WireEvent): Events {
    const delta = recordOf(event.delta);
    const block = this.#byIndex.get(indexOf(event) ?? -1);
    if (block === undefined || block.closed) {
      return yield this.#misplaced('stray_delta', delta, `block ${show(event.index)}, which is not open`);
    }
    const applied = block.apply(delta);
    if (applied === 'applied') return yield* shown(block, delta);
    yield this.#misplaced(`${applied}_delta`, delta, `a ${block.type} block`);
  }

  *blockStop(event: WireEvent): Events {
    const block = this.#byIndex.get(indexOf(event) ?? -1);
    if (block !== undefined && !block.closed) return yield* this.#close(block, 'stopped');
    if (block?.given) return;
    yield anomaly('stray_block_stop', `the end of block ${show(event.index)}, which is not open`);
  }

  /** `message_delta`: the stop reason, and counts of the whole message, which overwrite and never add up. */
  *change({ type: _, delta, usage, ...members }: WireEvent): Events {
    const changes = recordOf(delta);
    const known = { ...missing(this.#head, changes), ...present(changes), ...present(members) };
    setMembers(this.#head, known);
    setMembers(this.#usage, present(recordOf(usage)));
    const reason = stopReasonOf(changes.stop_reason);
    if (reason === undefined) return;
    this.#stopReason = reason;
    yield* this.#calls.stop(reason);
  }

  *stop(): Events {
    yield* this.#calls.stop(this.#stopReason);
    for (const block of this.#blocks) if (!block.closed) yield* this.#close(block, 'message-ended');
    const stopReason = this.#stopReason;
    yield { type: 'message-end', stopReason, usage: this.#usage, message: this.#assembled() };
  }

  *#open(block: Block): Events {
    yield* this.#calls.movedOn();
    this.#blocks.push(block);
    this.#byIndex.set(block.index, block);
    if (block.type !== 'fallback') return;
    // It names the model that writes the message from here on.
    const { model } = recordOf(block.content().to);
    if (typeof model === 'string') this.#head.model = model;
  }

  *#close(block: Block, ending: Ending): Events {
    block.closed = true;
    yield { type: 'block', index: block.index, block: block.content() };
    yield* this.#calls.add(block, ending, this.#stopReason);
  }

  /** A block given in the message's start comes once more as events: they tell it in full, and count alone. */
  #replay(given: Block, block: Block): void {
    block.called = given.called;
    this.#calls.forget(given);
    // Those given come first, in the order of their indices.
    this.#blocks[given.index] = block;
    this.#byIndex.set(block.index, block);
  }

  #misplaced(code: AnomalyCode, delta: JsonRecord, place: string): ModelEvent {
    if (textOf(delta.partial_json) !== '') this.#calls.loseInput();
    return anomaly(code, `a ${textOf(delta.type) || 'delta without a type'} for ${place}`);
  }

  #assembled(): AssistantMessage {
    const content = this.#blocks.map((block) => block.content());
    // An `id` that is no text would break the type; the spread can't tell.
    const { id: _, ...head } = this.#head;
    const named = this.id === '' ? undefined : { id: this.id };
    return {
      ...named,
      ...head,
      role: 'assistant',
      content,
      stop_reason: this.#stopReason,
      usage: this.#usage,
    };
  }
}

const indexOf = ({ index }: WireEvent): number | undefined =>
  typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : undefined;

const stopReasonOf = (value: unknown): StopReason | undefined =>
  typeof value === 'string' ? value : undefined;

const show = (value: unknown): string => (typeof value === 'number' ? String(value) : '(no index)');
