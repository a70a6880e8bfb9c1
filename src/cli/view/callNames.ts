import { harmless } from '../../../marbles/draw/harmless.js';
import type { QueuedEvent } from '../../contract/index.js';

/** How many calls a line names. */
const MOST = 4;

/** How lines call the calls: `#6 Edit`, by their place in the turn, as the drawing does. */
export class CallNames {
  readonly #names = new Map<string, string>();

  add({ toolUseId, index, name }: QueuedEvent): void {
    this.#names.set(toolUseId, `#${index + 1} ${harmless(name.slice(0, 60))}`);
  }

  /** The id, made harmless, of a call that has not been queued. */
  of(toolUseId: string): string {
    return this.#names.get(toolUseId) ?? harmless(toolUseId.slice(0, 40));
  }

  /** `#1 Read, #2 Grep and 3 more`. */
  list(toolUseIds: readonly string[], count = toolUseIds.length): string {
    const shown = toolUseIds.slice(0, MOST).map((id) => this.of(id));
    const more = Math.max(count, toolUseIds.length) - shown.length;
    return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
  }
}
