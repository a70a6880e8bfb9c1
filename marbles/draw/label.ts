import stringWidth from 'string-width';
import type { CallLane } from '../model/run.js';
import { fitText } from './fitText.js';
import { harmless } from './harmless.js';

/** A gist of fewer columns tells nothing. */
const LEAST_GIST = 3;
/** Characters of an input that are looked at: more than a label has room for. */
const MOST_READ = 200;

/** What a row is called: the tool's name and, where it has room, the first text of the input. */
export const labelOf = ({ name, toolUse }: CallLane, width: number, ellipsis: string): string => {
  const shown = fitText(harmless(name.slice(0, MOST_READ)), width, ellipsis);
  const room = width - stringWidth(shown) - 1;
  const gist = room < LEAST_GIST ? '' : gistOf(toolUse?.input, room);
  return gist === '' ? shown : `${shown} ${fitText(gist, room, ellipsis)}`;
};

const gistOf = (input: unknown, room: number): string => {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [input];
  const text = values.find((value) => typeof value === 'string');
  if (text === undefined) return '';
  const gist = harmless(text.slice(0, MOST_READ).trim());
  return stringWidth(gist) > room && looksLikePath(text) ? harmless(lastSegment(text)) : gist;
};

const looksLikePath = (text: string): boolean =>
  /^[^\s:]*[/\\][^\s:]+$/.test(text) && text.length <= MOST_READ;

const lastSegment = (path: string): string => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
