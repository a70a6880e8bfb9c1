import { JsonScanner } from './jsonScanner.js';
import { isRecord, type JsonRecord } from './wire.js';

/** Characters up to which every delta is parsed; beyond, only when the text has grown by `GROWTH`. */
const ALWAYS = 4096;
const GROWTH = 1.25;
/** A model that repeats itself may write brackets without end; nested deeper, a value breaks whoever walks it. */
const DEEPEST = 200;

/**
 * What can be read of a growing input, for display only. The whole text is parsed each time, but only after it
 * has grown by a share, so that all parses together cost a constant times its length (law 13).
 */
export class InputPreview {
  #parsed = 0;
  #value: JsonRecord = {};

  read(json: string): JsonRecord {
    if (json.length > ALWAYS && json.length < this.#parsed * GROWTH) return this.#value;
    this.#parsed = json.length;
    const scanner = new JsonScanner(json);
    this.#value = parsed(scanner, scanner.shown) ?? this.#value;
    return this.#value;
  }
}

/** The complete members of an input that was cut, for the message's record of it; never to be executed. */
export const completeMembers = (json: string): JsonRecord => {
  const scanner = new JsonScanner(json);
  return parsed(scanner, scanner.complete) ?? {};
};

const parsed = ({ depth }: JsonScanner, text: string): JsonRecord | undefined => {
  if (depth === 0 || depth > DEEPEST) return undefined;
  // What the scanner gives out is JSON, whatever came in.
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : undefined;
};
