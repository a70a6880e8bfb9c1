import { Subject } from 'rxjs';
import type { InputDeltaEvent, ModelEvent, ToolEvent } from '../../contract/index.js';

/**
 * What the model writes of each call's input, as events of the turn.
 *
 * A preview that has not changed is told once: a long input is parsed only now and then, and recording the same
 * text for every piece would cost quadratic space.
 */
export class InputDeltas {
  readonly #events = new Subject<InputDeltaEvent>();
  readonly events$ = this.#events.asObservable();
  readonly #last = new Map<string, unknown>();
  readonly #queued = new Set<string>();

  constructor(private readonly now: () => number) {}

  /** Call with what the model does, before the turn sees it. */
  see(event: ModelEvent): void {
    if (event.type !== 'input-delta') return;
    const { toolUseId, name, input } = event;
    // A second block of an id that is taken is not a part of the call that has it.
    if (this.#queued.has(toolUseId)) return;
    if (this.#last.has(toolUseId) && this.#last.get(toolUseId) === input) return;
    this.#last.set(toolUseId, input);
    this.#events.next({ type: 'input-delta', at: this.now(), toolUseId, name, input });
  }

  /** Call with what the turn does. */
  follow(event: ToolEvent): void {
    if (event.type !== 'queued') return;
    this.#queued.add(event.toolUseId);
    this.#last.delete(event.toolUseId);
  }

  end(): void {
    this.#events.complete();
  }
}
