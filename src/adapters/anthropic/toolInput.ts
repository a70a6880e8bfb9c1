import { type JsonFault, JsonScanner } from './jsonScanner.js';
import { isRecord, type JsonRecord } from './wire.js';

/** What the text of a call's input says (SPEC §4.1, §4.2). */
export type ToolInput =
  /** One strictly parsed JSON object: a proper prefix of one never is, so the text is complete. */
  | { readonly type: 'object'; readonly value: JsonRecord }
  /** Nothing but white space: a call without arguments, or one whose arguments are still to come. */
  | { readonly type: 'empty' }
  | { readonly type: 'invalid'; readonly problem: string };

const BLANK = /^[ \t\n\r]*$/;
const EXCERPT = 24;

/** Reads a call's input strictly; nothing is repaired. */
export const readToolInput = (json: string): ToolInput => {
  if (BLANK.test(json)) return { type: 'empty' };
  try {
    return fromValue(JSON.parse(json));
  } catch {
    // Engines word the errors of `JSON.parse` differently; the model must read the same text everywhere.
    const { fault } = new JsonScanner(json);
    return { type: 'invalid', problem: fault === undefined ? 'it cannot be parsed' : tell(json, fault) };
  }
};

/** Reads an input that came whole, as a value, at the start of its block. */
export const readGivenInput = (input: unknown): ToolInput => {
  if (input === undefined || input === null || input === '') return { type: 'empty' };
  if (isRecord(input) && Object.keys(input).length === 0) return { type: 'empty' };
  return fromValue(input);
};

const fromValue = (value: unknown): ToolInput =>
  isRecord(value)
    ? { type: 'object', value }
    : { type: 'invalid', problem: `it is ${kindOf(value)}, not an object` };

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
};

const tell = (json: string, { at, expected }: JsonFault): string => {
  // By code points, so that the excerpt never ends in half a character.
  const rest = Array.from(json.slice(at, at + 2 * EXCERPT)).slice(0, EXCERPT);
  const found = rest.length === 0 ? 'the text ends' : `found ${JSON.stringify(rest.join(''))}`;
  return `at character ${at} (line ${lineOf(json, at)}) expected ${expected}, but ${found}`;
};

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
