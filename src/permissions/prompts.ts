import { PromptHeap, type WaitingPrompt } from './promptHeap.js';

/** Opens a prompt; `leave` is called when it is answered or not wanted any more. */
export type OpenPrompt = (leave: () => void) => void;

interface Prompt extends WaitingPrompt {
  readonly open: OpenPrompt;
}

/**
 * Shows prompts one at a time: among those waiting the earliest call first, and among equals the one that came first.
 *
 * Nothing is held back for a call that might ask later. Opening and leaving may happen inside one another to any
 * depth, and cost no stack.
 */
export class Prompts {
  readonly #line = new PromptHeap<Prompt>();
  #shown: Prompt | undefined;
  #arrivals = 0;
  #isOpening = false;

  /** How many wait behind the one that is shown. */
  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Waits for its turn, which may be at once.
   *
   * @param index the call's place in its turn
   * @returns what leaves the line, or ends the prompt, and lets the next one be shown; once, however often called
   * @throws what `open` throws, once the others have been shown
   */
  wait(index: number, open: OpenPrompt): () => void {
    const prompt = { index, open, arrival: this.#arrivals++, at: -1 };
    this.#line.add(prompt);
    this.#openNext();
    return () => this.#leave(prompt);
  }

  #leave(prompt: Prompt): void {
    if (this.#shown === prompt) {
      this.#shown = undefined;
      this.#openNext();
    } else if (prompt.at !== -1) this.#line.remove(prompt);
  }

  /** The outermost of all calls opens what can be opened: those inside an opening return at once. */
  #openNext(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    const errors: unknown[] = [];
    while (this.#shown === undefined) {
      const next = this.#line.take();
      if (next === undefined) break;
      this.#shown = next;
      try {
        next.open(() => this.#leave(next));
      } catch (error) {
        // Whoever can't open it will not leave it either, and the others must not wait for that.
        errors.push(error);
        this.#leave(next);
      }
    }
    this.#isOpening = false;
    if (errors.length > 0) throw errors[0];
  }
}
