import { parse } from 'unbash';
import { Unreadable } from './simple.js';
import type { ParsedShell, UnparsedShell } from './syntax.js';
import { TreeReader } from './tree.js';

/** Longer texts are not looked into; the limit of the public conventions. */
export const MAX_SHELL_CHARS = 10_000;

/**
 * Reads a Bash text. Never throws, and takes time in proportion to the text, of which 10,000 characters are read.
 *
 * Not understood is a syntax error, more characters, a NUL, or nesting of more than 50 levels; oddities beside
 * them are `hazards`. What Bash would run all the same before it came upon the error is not told.
 */
export const parseShell = (text: string): ParsedShell | UnparsedShell => {
  if (text.length > MAX_SHELL_CHARS) return unparsed(`it has more than ${MAX_SHELL_CHARS} characters`);
  if (text.includes('\0')) return unparsed('it has a NUL character');
  // Half a pair becomes another character on its way to the shell.
  if (!text.isWellFormed()) return unparsed('it has half a character');
  try {
    const reader = new TreeReader();
    const root = reader.script(parse(text));
    return { type: 'parsed', root, hazards: [...reader.hazards], hasArithmetic: reader.hasArithmetic };
  } catch (error) {
    return unparsed(error instanceof Unreadable ? error.message : 'the parser failed on it');
  }
};

const unparsed = (reason: string): UnparsedShell => ({ type: 'unparsed', reason });
