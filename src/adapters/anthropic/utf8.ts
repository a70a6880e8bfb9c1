const NOTHING = new Uint8Array(0);
const CONTINUATION = 0x80;
const START_OF_TWO = 0xc0;
const START_OF_THREE = 0xe0;
const START_OF_FOUR = 0xf0;

/** What some bytes say. */
export interface DecodedText {
  /** Up to the first byte that is no UTF-8. */
  readonly text: string;
  /** False where such a byte came: nothing behind it can be read. */
  readonly isValid: boolean;
}

/**
 * Reads UTF-8 that is cut anywhere, strictly: a replacement character in a path or a command would make another
 * call of it, and that one would be executed.
 *
 * What is valid before the first fault is given out whole, however the bytes were cut.
 */
export class Utf8Reader {
  // Marks are kept: this decoder starts anew with each chunk, and would drop those in the middle of a stream.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #cut: Uint8Array = NOTHING;

  /** The bytes so far end inside a character. */
  get isCut(): boolean {
    return this.#cut.length > 0;
  }

  read(bytes: Uint8Array): DecodedText {
    const all = this.#cut.length === 0 ? bytes : joined(this.#cut, bytes);
    const end = lastBoundary(all);
    // A copy: a source may use its memory again.
    this.#cut = end === all.length ? NOTHING : all.slice(end);
    try {
      return { text: this.#decoder.decode(all.subarray(0, end)), isValid: true };
    } catch {
      return { text: validPart(all), isValid: false };
    }
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
};

/** Where a character begins that has not ended, at most three bytes before the end; else the end. */
const lastBoundary = (bytes: Uint8Array): number => {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] as number;
    if (byte < CONTINUATION) return length;
    if (byte >= START_OF_TWO) return back < sizeFrom(byte) ? length - back : length;
  }
  return length;
};

const sizeFrom = (start: number): number => {
  if (start >= START_OF_FOUR) return 4;
  return start >= START_OF_THREE ? 3 : 2;
};

/** Once a stream, since it ends here; by halves, since whatever begins a valid text is one that may go on. */
const validPart = (bytes: Uint8Array): string => {
  let text = '';
  let from = 0;
  let to = bytes.length;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    const read = begun(bytes.subarray(0, middle));
    if (read === undefined) to = middle - 1;
    else [from, text] = [middle, read];
  }
  return text;
};

const begun = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
};
