/** One that waits to be shown. */
export interface WaitingPrompt {
  /** The call's place in its turn. */
  readonly index: number;
  /** The order in which they came. */
  readonly arrival: number;
  /** Its place in the heap; -1 outside of it. */
  at: number;
}

/** Waiting prompts as a binary heap, the earliest call on top; each knows its place, so that any can leave. */
export class PromptHeap<P extends WaitingPrompt> {
  readonly #prompts: P[] = [];

  get length(): number {
    return this.#prompts.length;
  }

  add(prompt: P): void {
    this.#put(prompt, this.#prompts.length);
    this.#rise(prompt);
  }

  take(): P | undefined {
    const first = this.#prompts[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(prompt: P): void {
    const { at } = prompt;
    const last = this.#prompts.pop() as P;
    prompt.at = -1;
    if (last === prompt) return;
    this.#put(last, at);
    this.#rise(last);
    this.#sink(last);
  }

  #put(prompt: P, at: number): void {
    this.#prompts[at] = prompt;
    prompt.at = at;
  }

  #swap(upper: P, lower: P): void {
    const { at } = upper;
    this.#put(upper, lower.at);
    this.#put(lower, at);
  }

  #rise(prompt: P): void {
    while (prompt.at > 0) {
      const above = this.#prompts[(prompt.at - 1) >> 1] as P;
      if (!goesBefore(prompt, above)) return;
      this.#swap(above, prompt);
    }
  }

  #sink(prompt: P): void {
    for (;;) {
      const left = this.#prompts[2 * prompt.at + 1];
      const right = this.#prompts[2 * prompt.at + 2];
      const first = right !== undefined && left !== undefined && goesBefore(right, left) ? right : left;
      if (first === undefined || !goesBefore(first, prompt)) return;
      this.#swap(prompt, first);
    }
  }
}

const goesBefore = (a: WaitingPrompt, b: WaitingPrompt): boolean =>
  a.index < b.index || (a.index === b.index && a.arrival < b.arrival);
