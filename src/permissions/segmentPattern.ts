import { type Element, matchesSequence } from './sequence.js';

/** One segment of a path pattern: its text where it is literal, else what tests a segment. */
export type SegmentPattern = string | ((segment: string) => boolean);

/** A piece of a segment as read: what it stands for, its text where it is one character, and its length. */
interface Piece {
  readonly element: Element<string>;
  readonly literal?: string;
  readonly length: number;
}

/**
 * Reads a segment as gitignore does: `*` any characters, `?` one, `[a-z]` and `[!a-z]` one of a class, `\` before a
 * character that stands for itself. Case counts.
 *
 * @returns `undefined` where a class has no end, or nothing follows a `\`
 */
export const segmentPattern = (text: string): SegmentPattern | undefined => {
  const pieces: Piece[] = [];
  for (let rest = text; rest !== ''; ) {
    const piece = readPiece(rest);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  if (pieces.every(({ literal }) => literal !== undefined))
    return pieces.map(({ literal }) => literal).join('');
  const elements = pieces.map(({ element }) => element);
  return (segment) => matchesSequence(elements, [...segment]);
};

const readPiece = (rest: string): Piece | undefined => {
  const [first = '', second] = rest;
  if (first === '*') return { element: 'many', length: 1 };
  if (first === '?') return { element: () => true, length: 1 };
  if (first === '[') return readClass(rest);
  if (first !== '\\') return literalPiece(first, first.length);
  return second === undefined ? undefined : literalPiece(second, 1 + second.length);
};

const literalPiece = (literal: string, length: number): Piece => ({
  element: (character) => character === literal,
  literal,
  length,
});

/** A class: a `]` that comes first is one of its characters. */
const readClass = (rest: string): Piece | undefined => {
  const isNegated = rest[1] === '!' || rest[1] === '^';
  const from = isNegated ? 2 : 1;
  const end = rest.indexOf(']', from + 1);
  if (end === -1) return undefined;
  const ranges = classRanges([...rest.slice(from, end)]);
  return {
    element: (character) => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated,
    length: end + 1,
  };
};

const classRanges = (characters: readonly string[]): readonly (readonly [string, string])[] => {
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < characters.length; at++) {
    const low = characters[at] as string;
    const high = characters[at + 1] === '-' ? characters[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return ranges;
};
