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
    return this.excerpt(Number.POSITIVE_INFINITY);
  }

  /** At most so many characters of it, half of them from its end; the notice of what is left out comes on top. */
  excerpt(chars: number): string {
    this.#trim();
    const tail = this.#tail.join('');
    const isWhole = this.#dropped === 0;
    const start = isWhole ? this.#head + tail : this.#head;
    if (isWhole && start.length <= chars) return start;
    const end = isWhole ? start : tail;
    const to = wholeCharacters(start, Math.min(start.length, Math.ceil(chars / 2)));
    const from = wholeCharacters(end, Math.max(0, end.length - Math.floor(chars / 2)));
    // One notice for all that is missing, also for what was dropped before.
    const missing = this.length - to - (end.length - from);
    return `${start.slice(0, to)}\n[… ${missing} characters left out …]\n${end.slice(from)}`;
  }

  /** Characters in all, those that were dropped too. */
  get length(): number {
    return this.#head.length + this.#dropped + this.#tailLength;
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
