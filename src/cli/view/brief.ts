import { harmless } from '../../../marbles/draw/harmless.js';
import { toJson } from '../../results/json.js';

/** Characters that are looked at: more than a line has room for. */
const MOST_READ = 300;

/** Somebody else's words on one line, harmless and bounded: the first line, and how many follow it. */
export const brief = (text: string): string => {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const first = harmless((lines[0] ?? '').slice(0, MOST_READ).trim().replace(/\t/g, ' '));
  const more = lines.length - 1;
  return more > 0 ? `${first} (+${more} line${more === 1 ? '' : 's'})` : first;
};

/** The gist of an input: its first text, else all of it. */
export const gistOf = (input: unknown): string => {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [input];
  const text = values.find((value) => typeof value === 'string');
  return brief(text ?? toJson(input));
};

/** The gist of a piece of progress: `Bash` tells a stream and a text, other tools what they like. */
export const progressOf = (data: unknown): string => {
  if (typeof data === 'string') return brief(data);
  if (typeof data === 'object' && data !== null && 'text' in data && typeof data.text === 'string') {
    const from = 'stream' in data && data.stream === 'stderr' ? 'stderr: ' : '';
    return from + brief(data.text);
  }
  return brief(toJson(data));
};
