import { MillraceError } from '../../src/contract/errors.js';

/** Where something stands in a text: both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Rows that can't be read or printed: names the place, what was expected and what stood there. */
export class NotationError extends MillraceError {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly got: string;

  constructor({ line, column }: Position, expected: string, got: string) {
    super('notation', `line ${line}, column ${column}: expected ${expected}, got ${got}`);
    this.line = line;
    this.column = column;
    this.expected = expected;
    this.got = got;
  }
}
