import type { MaybeLater } from '../contract/tool.js';
import type { Reply } from './inquiry.js';
import { cutText, storedText } from './texts.js';

/** Characters of a hook's text that reach the conversation as they are. */
export const longestText = 10_000;
const previewLength = 2_000;

/** Keeps a text that is too long for the conversation; answers a reference the model can follow. */
export type TextStore = (text: string) => MaybeLater<string>;

/** A text of at most `longestText` characters, its middle left out where it was longer; no character is split. */
export const shortened = (text: string): string => {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return cutText(upTo(text, half), text.slice(endOfCharacter(text, text.length - half)), text.length);
};

/** A text that is too long, as its store has answered: its beginning and where the whole is, else without its middle. */
export const previewed = (text: string, reply: Reply): string => {
  const reference = reply.type === 'answer' ? reply.value : undefined;
  // A store that fails must not take the hook's word with it.
  if (typeof reference !== 'string' || reference === '') return shortened(text);
  return storedText(upTo(text, previewLength), text.length, reference);
};

const upTo = (text: string, end: number): string =>
  text.slice(0, endOfCharacter(text, end) > end ? end - 1 : end);

/** `index`, or the one behind it where it stands inside a surrogate pair. */
const endOfCharacter = (text: string, index: number): number => {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? index + 1 : index;
};
