// Controls, lone surrogates, private use, format characters (bidi, zero width, tags), separators, blanks
// that are no space, and what shows nothing: fillers, selectors, the empty braille pattern.
const invisible =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
const stacked = /(\p{M}{4})\p{M}+/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from a model or a tool, fit for a terminal: whatever could move the cursor, reorder a line or hide
 * in it is shown as an escape (`\n`, `\x1b`, `\u202e`), and marks stacked more than four high lose the
 * rest.
 */
export const harmless = (text: string): string => text.replace(stacked, '$1').replace(invisible, toEscape);

const toEscape = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (named[character] !== undefined) return named[character];
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  const hex = code.toString(16).padStart(4, '0');
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
};
