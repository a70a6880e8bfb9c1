import type { ShellWord } from './syntax.js';
import { staticValue } from './values.js';

/** How a wrapper's own words look; the command follows them. */
interface WrapperShape {
  /** Options that are one word. */
  readonly flags?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** A word after the options that is not the command yet. */
  readonly operand?: RegExp;
}

const transparent: ReadonlyMap<string, WrapperShape> = new Map<string, WrapperShape>([
  [
    'timeout',
    {
      flags: /^(-v|-p|--verbose|--preserve-status|--foreground|-[ks]\w+|--(kill-after|signal)=\w+(\.\d+)?)$/,
      valued: /^(-k|-s|--kill-after|--signal)$/,
      operand: /^\d+(\.\d+)?[smhd]?$/,
    },
  ],
  ['time', { flags: /^-p$/ }],
  ['nice', { flags: /^(-n?-?\d+|--adjustment=-?\d+)$/, valued: /^(-n|--adjustment)$/ }],
  ['nohup', {}],
  ['stdbuf', { flags: /^(-[ioe](L|\d+[KMG]?)|--(input|output|error)=(L|\d+[KMG]?))$/, valued: /^-[ioe]$/ }],
  ['command', { flags: /^-p$/ }],
  ['builtin', {}],
  ['noglob', {}],
  ['xargs', {}],
]);

/** A word that stands for what a command is given when it runs. */
export const given: ShellWord = { text: '…', pieces: [{ type: 'computed', quoted: false }] };

/**
 * Takes one wrapper off a command that runs exactly what follows it; `undefined` where there is none, or where the
 * wrapper's own words are not certain to be understood.
 */
export const peelOne = (words: readonly ShellWord[]): readonly ShellWord[] | undefined => {
  const name = words[0] === undefined ? undefined : staticValue(words[0]);
  const shape = name === undefined ? undefined : transparent.get(name);
  if (shape === undefined) return undefined;
  const start = afterOptions(words, shape);
  const rest = start === undefined ? [] : words.slice(start);
  if (rest[0] === undefined || /^-/.test(staticValue(rest[0]) ?? '')) return undefined;
  return name === 'xargs' ? [...rest, given] : rest;
};

const afterOptions = (words: readonly ShellWord[], shape: WrapperShape): number | undefined => {
  const valueAt = (at: number): string => (words[at] === undefined ? '' : (staticValue(words[at]) ?? ''));
  let at = 1;
  for (;;) {
    if (shape.valued?.test(valueAt(at)) && /^-?\w+(\.\d+)?$/.test(valueAt(at + 1))) at += 2;
    else if (shape.flags?.test(valueAt(at))) at += 1;
    else break;
  }
  if (valueAt(at) === '--') at += 1;
  if (shape.operand === undefined) return at;
  return shape.operand.test(valueAt(at)) ? at + 1 : undefined;
};

/** A command without its transparent wrappers, and what it looked like with each of them. */
export const peelAll = (
  words: readonly ShellWord[],
): { readonly peeled: readonly ShellWord[]; readonly layers: readonly (readonly ShellWord[])[] } => {
  const layers = [words];
  let peeled = words;
  for (let next = peelOne(peeled); next !== undefined; next = peelOne(peeled)) {
    peeled = next;
    layers.push(peeled);
  }
  return { peeled, layers };
};
