import type { ToolEvent } from '../../contract/index.js';

/** A call's progress is told at most this often, in milliseconds of the turn. */
const EVERY_MS = 100;

interface Told {
  at: number;
  /** Since the last that was told. */
  left: number;
}

/** Bounds the lines a tool that prints without end can make: what comes too soon after a line is only counted. */
export class ProgressLines {
  readonly #calls = new Map<string, Told>();

  /** Whether the event deserves a line. */
  tells(event: ToolEvent): boolean {
    if (event.type !== 'progress') return true;
    const told = this.#calls.get(event.toolUseId);
    if (told !== undefined && event.at - told.at < EVERY_MS) {
      told.left++;
      return false;
    }
    this.#calls.set(event.toolUseId, { at: event.at, left: 0 });
    return true;
  }

  /** How many of a call's were left out since its last line. */
  leftOut(toolUseId: string): number {
    return this.#calls.get(toolUseId)?.left ?? 0;
  }
}
