import { toJson } from '../../src/results/json.js';

// What could move a cursor, reorder a line or hide in it. JSON itself escapes the controls below U+0020 only.
const invisible = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;

/**
 * A value as JSON on one line, fit for a terminal: invisible characters are written as `\u` escapes, which read
 * back as themselves. Never throws; what is no JSON (BigInt, cycles, Errors) becomes something readable.
 */
export const jsonLine = (value: unknown): string =>
  toJson(value).replace(invisible, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
