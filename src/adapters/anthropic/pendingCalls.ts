import type { ModelEvent, StopReason, ToolUse } from '../../contract/index.js';
import { anomaly } from './anomaly.js';
import type { Block } from './block.js';
import { callOf, cutOff, faultyCall, invalidJson, isCut } from './calls.js';

type Events = Generator<ModelEvent, void>;

/** How a block came to its end: the server said so, another took its index, or the message ended around it. */
export type Ending = 'stopped' | 'superseded' | 'message-ended';

const LOST = 'parts of it did not arrive';

/** Which calls of a message may be handed out, and when (SPEC §4.1 to §4.3); each is handed out once. */
export class PendingCalls {
  readonly #messageId: string;
  /** Ended calls whose text does not say whether it is complete. */
  readonly #undecided = new Set<Block>();
  /** A piece of some call's input could not be placed, so an empty input may be a lost one. */
  #lostInput = false;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  /** A call's block has ended. */
  *add(block: Block, ending: Ending, stopReason: StopReason): Events {
    if (!block.isCall || block.called) return;
    if (block.id === '') return yield anomaly('missing_field', `the call in block ${block.index} has no id`);
    if (ending === 'message-ended' && isCut(stopReason)) return yield* this.#cut(block, stopReason);
    const input = block.input();
    if (input.type === 'object') return yield* this.#hand(block, callOf(block, input, this.#messageId));
    if (ending === 'stopped') this.#undecided.add(block);
    else yield* this.#refuse(block, input.type === 'invalid' ? input.problem : LOST);
  }

  /** The model writes something else, so what it left behind is complete. */
  *movedOn(): Events {
    for (const block of this.#takeUndecided()) {
      const input = block.input();
      if (input.type === 'empty' && this.#lostInput) yield* this.#refuse(block, LOST);
      else yield* this.#hand(block, callOf(block, input, this.#messageId));
    }
  }

  *stop(reason: StopReason): Events {
    if (!isCut(reason)) return yield* this.movedOn();
    for (const block of this.#takeUndecided()) yield* this.#cut(block, reason);
  }

  loseInput(): void {
    this.#lostInput = true;
  }

  forget(block: Block): void {
    this.#undecided.delete(block);
  }

  #takeUndecided(): readonly Block[] {
    if (this.#undecided.size === 0) return [];
    const taken = [...this.#undecided];
    this.#undecided.clear();
    return taken;
  }

  *#hand(block: Block, toolUse: ToolUse): Events {
    block.called = true;
    yield { type: 'tool-use', toolUse };
  }

  #cut(block: Block, reason: StopReason): Events {
    return this.#hand(block, faultyCall(block, cutOff(reason), this.#messageId));
  }

  #refuse(block: Block, problem: string): Events {
    return this.#hand(block, faultyCall(block, invalidJson(problem), this.#messageId));
  }
}
