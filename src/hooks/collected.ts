import type { HookAnswerBase } from '../contract/hooks.js';
import type { ReadyHook } from './hookSet.js';
import { shortened } from './longText.js';
import type { HookFailure, HookNotes, HookStop, HookText } from './notes.js';

/** Takes down what the hooks of a round say beside their decisions. */
export class Collected {
  readonly #contexts: HookText[] = [];
  readonly #stops: HookStop[] = [];
  readonly #warnings: HookText[] = [];
  readonly #failures: HookFailure[] = [];

  get notes(): HookNotes {
    return {
      contexts: this.#contexts,
      stops: this.#stops,
      warnings: this.#warnings,
      failures: this.#failures,
    };
  }

  /** Takes all but the context, which may have to be stored first. */
  add(hook: string, { continue: goesOn, stopReason, systemMessage }: HookAnswerBase): void {
    if (goesOn === false) {
      const reason = stopReason === undefined ? undefined : { reason: shortened(stopReason) };
      this.#stops.push({ hook, ...reason });
    }
    if (systemMessage !== undefined && systemMessage !== '') {
      this.#warnings.push({ hook, text: shortened(systemMessage) });
    }
  }

  addContext(hook: string, text: string): void {
    this.#contexts.push({ hook, text });
  }

  fail({ name, onFailure }: Pick<ReadyHook, 'name' | 'onFailure'>, failure: string, error: unknown): void {
    const thrown = error === undefined ? undefined : { error };
    this.#failures.push({ hook: name, failure, onFailure, ...thrown });
  }
}
