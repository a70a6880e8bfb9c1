import stringWidth from 'string-width';

interface Line {
  /** One entry a column; a wide character is followed by an empty one. */
  cells: string[];
  /** Whether it goes on in the next line because it was too long. */
  wraps: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them.
const part = /\x1b\[(\??)([\d;]*)([A-Za-z])|([\x00-\x1f\x7f-\x9f])|[^\x00-\x1f\x7f-\x9f]+/g;

/**
 * As much of a terminal as the command uses: lines that wrap and scroll up, a cursor that can't leave the screen,
 * and wrapping anew when the width changes. Throws for a sequence it does not know.
 */
export class VirtualScreen {
  readonly isTTY = true;
  /** What was written, write by write. */
  readonly writes: string[] = [];
  cursorVisible = true;
  /** Called after each write. */
  onWrite: () => void = () => undefined;
  #lines: Line[] = [{ cells: [], wraps: false }];
  #top = 0;
  #x = 0;
  #y = 0;

  constructor(
    public columns: number,
    public rows: number,
  ) {}

  on(): this {
    return this;
  }

  write(text: string): boolean {
    this.writes.push(text);
    for (const [all, mark, numbers = '', final, control] of text.matchAll(part)) {
      if (final !== undefined) this.#sequence(`${mark}${final}`, numbers);
      else if (control === '\r') this.#x = 0;
      else if (control === '\n') this.#newLine();
      else if (control !== undefined) throw new Error(`control ${JSON.stringify(control)}`);
      else this.#print(all);
    }
    this.onWrite();
    return true;
  }

  /** Every line from the first that scrolled up to the last, blanks at the end cut off. */
  get lines(): readonly string[] {
    const lines = this.#lines.map(({ cells }) => cells.join('').trimEnd());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** What is seen. */
  get shown(): readonly string[] {
    return this.lines.slice(this.#top);
  }

  /** Whether the cursor stands at the left edge below all that is printed. */
  get atNewLine(): boolean {
    return this.#x === 0 && this.#y >= this.lines.length;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#wrapAnew();
    this.#top = Math.max(0, this.#lines.length - rows);
  }

  #sequence(kind: string, numbers: string): void {
    if (kind === 'A') this.#y = Math.max(this.#top, this.#y - Number(numbers));
    else if (kind === 'K' && numbers === '') this.#lines[this.#y]?.cells.splice(this.#x);
    else if (kind === 'J' && numbers === '') this.#clearBelow();
    else if (kind === '?h' && numbers === '25') this.cursorVisible = true;
    else if (kind === '?l' && numbers === '25') this.cursorVisible = false;
    else if (kind !== 'm' && !(/^\?[hl]$/.test(kind) && numbers === '2026')) {
      throw new Error(`sequence ${kind} ${numbers}`);
    }
  }

  #clearBelow(): void {
    this.#lines[this.#y]?.cells.splice(this.#x);
    this.#lines.splice(this.#y + 1);
  }

  #print(text: string): void {
    for (const { segment } of graphemes.segment(text)) {
      const width = stringWidth(segment);
      if (this.#x + width > this.columns) {
        const line = this.#lines[this.#y];
        if (line !== undefined) line.wraps = true;
        this.#down();
        this.#x = 0;
      }
      const cells = this.#lines[this.#y]?.cells ?? [];
      while (cells.length < this.#x) cells.push(' ');
      cells.splice(this.#x, width, segment, ...new Array<string>(width - 1).fill(''));
      this.#x += width;
    }
  }

  /** The terminal's driver returns the carriage too. */
  #newLine(): void {
    const line = this.#lines[this.#y];
    if (line !== undefined) line.wraps = false;
    this.#down();
    this.#x = 0;
  }

  #down(): void {
    this.#y += 1;
    if (this.#y >= this.#lines.length) this.#lines.push({ cells: [], wraps: false });
    if (this.#y >= this.#top + this.rows) this.#top += 1;
  }

  #wrapAnew(): void {
    const lines: Line[] = [];
    let whole: string[] = [];
    const cursor = this.#y;
    this.#lines.forEach(({ cells, wraps }, y) => {
      const start = whole.length;
      whole.push(...cells);
      if (y === cursor) [this.#x, this.#y] = this.#place(lines.length, start + this.#x);
      if (wraps) return;
      do {
        const rest = whole.splice(this.columns);
        lines.push({ cells: whole, wraps: rest.length > 0 });
        whole = rest;
      } while (whole.length > 0);
    });
    this.#lines = lines;
  }

  /** Behind the last column the cursor stays on its line. */
  #place(y: number, offset: number): [x: number, y: number] {
    const further = offset === 0 ? 0 : Math.ceil(offset / this.columns) - 1;
    return [offset - further * this.columns, y + further];
  }
}
