import { MAX_LINE_CHARS } from './lines.js';
import { openRegularFile } from './regularFile.js';

/** Part of a file, by lines. */
export interface LineRange {
  readonly lines: readonly string[];
  /** Whether the file goes on after them. */
  readonly more: boolean;
  /** Lines of the file that were counted: all of them where `more` is false. */
  readonly counted: number;
  readonly binary: boolean;
}

export interface LineRangeOptions {
  /** Number of the first line wanted, from 1. */
  readonly first: number;
  readonly limit: number;
  /** Characters in all after which no further line is taken. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
}

/**
 * Reads a range of lines, and no more of the file than that takes.
 *
 * Holds one line beside those wanted, and of a line only what will be shown: a file of one endless line is no
 * reason to run out of memory. `undefined` where the path names no regular file.
 */
export const readLines = async (path: string, options: LineRangeOptions): Promise<LineRange | undefined> => {
  const range = new RangeReader(options);
  const file = await openRegularFile(path);
  // Closes the file, also when it is left before its end.
  const stream = file?.createReadStream({ encoding: 'utf8', signal: options.signal });
  if (stream === undefined) return undefined;
  for await (const chunk of stream as AsyncIterable<string>) {
    // Text in UTF-16 counts as binary too: shown as UTF-8 it would be unreadable.
    if (chunk.includes('\0')) return { ...range.end(), binary: true };
    if (!range.take(chunk)) return { ...range.end(), more: true };
  }
  return range.end();
};

class RangeReader {
  readonly #options: LineRangeOptions;
  readonly #lines: string[] = [];
  #partial = '';
  #started = false;
  #count = 0;
  #chars = 0;
  #more = false;

  constructor(options: LineRangeOptions) {
    this.#options = options;
  }

  /** Whether more of the file is wanted. */
  take(chunk: string): boolean {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      this.#extend(chunk.slice(from, at));
      from = at + 1;
      if (!this.#endLine()) return false;
    }
    if (from < chunk.length) this.#extend(chunk.slice(from));
    return true;
  }

  end(): LineRange {
    if (this.#started && !this.#more) this.#endLine();
    return { lines: this.#lines, more: this.#more, counted: this.#count, binary: false };
  }

  #extend(text: string): void {
    this.#started = true;
    // One character more than is shown, so that the cut is noticed.
    if (this.#partial.length <= MAX_LINE_CHARS) this.#partial += text.slice(0, MAX_LINE_CHARS + 2);
  }

  #endLine(): boolean {
    const { first, limit, maxChars } = this.#options;
    const line = this.#partial.replace(/\r$/, '');
    this.#partial = '';
    this.#started = false;
    if (this.#lines.length === limit || (this.#chars + line.length > maxChars && this.#lines.length > 0)) {
      this.#more = true;
      return false;
    }
    this.#count++;
    if (this.#count < first) return true;
    this.#lines.push(this.#count === 1 ? line.replace(/^\uFEFF/, '') : line);
    this.#chars += line.length;
    return true;
  }
}
