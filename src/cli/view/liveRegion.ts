import stringWidth from 'string-width';
import type { Terminal } from '../terminal.js';

/** The sequences of a terminal that are used; one that does not know synchronized output ignores it. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const NEW_LINE = '\r\n';

/** Where the region paints. */
export type Screen = Pick<Terminal, 'write' | 'columns'>;

/**
 * The lines at the bottom of a terminal that are painted over again and again, and those above them that are
 * printed once and scroll up.
 *
 * The cursor rests, hidden, behind the last painted line. Every change is one write.
 */
export class LiveRegion {
  #above: string[] = [];
  /** What stands on the screen, to find its first line again. */
  #painted: readonly string[] = [];
  #hidden = false;

  constructor(private readonly screen: Screen) {}

  /** Prints a line above the region, with the next frame. */
  print(line: string): void {
    this.#above.push(...line.split('\n'));
  }

  /** Replaces the region by these lines: none wider than the screen, fewer than it has. */
  paint(lines: readonly string[]): void {
    const hide = this.#hidden ? '' : HIDE_CURSOR;
    const text = lines.map((line) => CLEAR_LINE + line).join(NEW_LINE);
    this.screen.write(`${BEGIN}${hide}${this.#home()}${this.#scrolled()}${text}${CLEAR_BELOW}${END}`);
    this.#hidden = true;
    this.#painted = lines;
  }

  /** Takes the region off the screen and prints what waits above it; the next frame paints it anew. */
  clear(): void {
    if (this.#painted.length === 0 && this.#above.length === 0) return;
    this.screen.write(this.#home() + CLEAR_BELOW + this.#scrolled());
    this.#painted = [];
  }

  /** Leaves the region on the screen as it is, and gives the cursor back, on a line of its own. */
  abandon(): void {
    if (!this.#hidden) return;
    const last = this.#painted.map((line) => line + NEW_LINE).join('');
    this.screen.write(this.#home() + CLEAR_BELOW + this.#scrolled() + last + SHOW_CURSOR);
    this.#painted = [];
    this.#hidden = false;
  }

  /** Takes the region off the screen for good. */
  close(): void {
    this.clear();
    this.abandon();
  }

  /** The lines that wait, each from the left edge on a cleared screen: a long one may run into the next. */
  #scrolled(): string {
    if (this.#above.length === 0) return '';
    const text = CLEAR_BELOW + this.#above.join(NEW_LINE) + NEW_LINE;
    this.#above = [];
    return text;
  }

  /** To the first painted line; a terminal that has become narrower has wrapped what it showed. */
  #home(): string {
    const columns = this.screen.columns || Number.POSITIVE_INFINITY;
    const heights = this.#painted.map((line) => Math.max(1, Math.ceil(stringWidth(line) / columns)));
    const up = heights.reduce((sum, height) => sum + height, 0) - 1;
    return up > 0 ? `\r\x1b[${up}A` : '\r';
  }
}
