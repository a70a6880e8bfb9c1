import type { ShellWord } from './syntax.js';
import { staticValue } from './values.js';

/** A word of a file command that names a file. */
export interface FileArgument {
  readonly access: 'read' | 'edit';
  readonly word: ShellWord;
  /** With all that lies below it. */
  readonly below?: boolean;
}

/** A file that a part of a word names. */
export const fileWord = (access: 'read' | 'edit', value: string): FileArgument => ({
  access,
  word: { text: value, pieces: [{ type: 'literal', value, quoted: true }] },
});

/** `if=` and `of=` of `dd`. */
export const ddArgument = (word: ShellWord): readonly FileArgument[] => {
  const [first, ...others] = word.pieces;
  const [, name, start = ''] = /^(if|of)=([\s\S]*)$/.exec(first?.type === 'literal' ? first.value : '') ?? [];
  if (name === undefined) return [];
  const access = name === 'of' ? 'edit' : 'read';
  // Bash puts the home folder in place of a `~` behind the `=` too.
  const value = /^~(\/|$)/.test(start) && first?.type === 'literal' && !first.quoted;
  const pieces = value
    ? [
        { type: 'home' } as const,
        { type: 'literal', value: start.slice(1), quoted: true } as const,
        ...others,
      ]
    : [{ type: 'literal', value: start, quoted: true } as const, ...others];
  return [{ access, word: { text: word.text.slice(3), pieces } }];
};

/** Files whose content `curl` sends or obeys: `-d @file`, `-F x=@file`, `-T file`, `-K file`. */
export const sentFiles = (words: readonly ShellWord[]): readonly FileArgument[] =>
  words.flatMap((word, index) => {
    const value = staticValue(word) ?? '';
    const [, at] = /@([^@]+)$/.exec(value) ?? [];
    const before = words[index - 1];
    const isNamed =
      before !== undefined &&
      /^(-[a-zA-Z]*[TKbE]|--(upload-file|config|cookie|cert|netrc-file))$/.test(staticValue(before) ?? '');
    return [
      ...(at === undefined ? [] : [fileWord('read', at)]),
      ...(isNamed ? [{ access: 'read', word } as const] : []),
    ];
  });

/** Files git itself reads or changes where it is told to, whatever they are to the repository. */
export const gitFiles = (words: readonly ShellWord[]): readonly FileArgument[] => {
  const values = words.map((word) => staticValue(word));
  const at = values.findIndex(
    (value, index) => index > 0 && /^(rm|mv|checkout|restore|diff|apply|hash-object)$/.test(value ?? ''),
  );
  if (at === -1) return [];
  const end = values.indexOf('--');
  const operands = words.slice(at + 1).filter((word) => !(staticValue(word) ?? '').startsWith('-'));
  const all = (access: 'read' | 'edit', list: readonly ShellWord[]) => list.map((word) => ({ access, word }));
  switch (values[at]) {
    case 'rm':
    case 'mv':
    case 'restore':
      return all('edit', operands);
    case 'checkout':
      return end === -1 ? [] : all('edit', words.slice(end + 1));
    case 'diff':
      return values.includes('--no-index') ? all('read', operands) : [];
    default:
      return all('read', operands);
  }
};
