/** Characters kept of each end of a stream; what lies between is dropped. */
const KEPT_CHARS = 500_000;

/**
 * What a command printed on one stream: all of it, or its beginning and its end.
 *
 * A command that prints for ever must not fill the memory before its timeout; its last lines tell most.
 */
export class KeptOutput {
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #dropped = 0;
  readonly #limit: number;

  constructor(limit = KEPT_CHARS) {
    this.#limit = limit;
  }

  add(text: string): void {
    const room = this.#limit - this.#head.length;
    const cut = room <= 0 ? 0 : wholeCharacters(text, room);
    // Once the beginning is full it stays so, even if half a character would still fit.
    if (cut > 0 && this.#tailLength === 0) this.#head += text.slice(0, cut);
    const rest = cut > 0 && this.#tailLength === 0 ? text.slice(cut) : text;
    if (rest === '') return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    if (this.#tailLength > 2 * this.#limit) this.#trim();
  }

  get text(): string {
    this.#trim();
    const tail = this.#tail.join('');
    if (this.#dropped === 0) return this.#head + tail;
    return `${this.#head}\n[… ${this.#dropped} characters left out …]\n${tail}`;
  }

  #trim(): void {
    if (this.#tailLength <= this.#limit) return;
    const tail = this.#tail.join('');
    const from = wholeCharacters(tail, tail.length - this.#limit);
    this.#dropped += from;
    this.#tail = [tail.slice(from)];
    this.#tailLength = tail.length - from;
  }
}

/** `length`, or one less where a cut there would split a surrogate pair. */
const wholeCharacters = (text: string, length: number): number => {
  if (length >= text.length) return text.length;
  const before = text.charCodeAt(length - 1);
  return before >= 0xd800 && before <= 0xdbff ? length - 1 : length;
};
