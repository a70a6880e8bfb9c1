import { forEachChild, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { type BracedPiece, braceAlternatives, expandBraces } from './braces.js';
import type { ShellWord, WordPiece } from './syntax.js';

type Script = Extract<SyntaxNode, { readonly type: 'Script' }>;

/** Where a reader of words leaves what it comes by. */
export interface Findings {
  /** A script that a substitution runs; `undefined` where the parser gave none. */
  script(script: Script | undefined): void;
  hazard(reason: string): void;
  arithmetic(): void;
}

/** The words that a written word becomes, and what its substitutions run. */
export const readWord = (word: Word, found: Findings): readonly ShellWord[] => {
  findScripts(word, found);
  return expandBraces(word.text, piecesOf(word, found));
};

/** One word, where braces have no meaning: assignments, redirect targets, `case` words. */
export const readPlainWord = (word: Word, found: Findings): ShellWord => {
  const [first, ...others] = readWord(word, found);
  if (first !== undefined && others.length === 0) return first;
  return { text: word.text, pieces: [{ type: 'computed', quoted: false }] };
};

const piecesOf = (word: Word, found: Findings): readonly BracedPiece[] => {
  const parts = word.parts;
  if (parts === undefined) return simplePieces(word.text, word.value, true, found);
  return parts.flatMap((part, index) => piecesOfPart(part, index === 0, found));
};

// A reading of `$`, a backquote or a quote as plain text would hide what it runs: better not to have understood it.
const overlooked = /[`'"]|\$[\w({'"@*#?$!\-[]/;

const simplePieces = (
  text: string,
  value: string,
  isStart: boolean,
  found: Findings,
): readonly WordPiece[] => {
  if (overlooked.test(text.replace(/\\[\s\S]/g, ''))) found.hazard('a word that could not be taken apart');
  const quoted = text !== value;
  if (!isStart || !text.startsWith('~')) {
    checkPlain(text, found);
    return [{ type: 'literal', value, quoted }];
  }
  if (!/^~(\/|$)/.test(text)) return [{ type: 'computed', quoted: true }];
  return [{ type: 'home' }, { type: 'literal', value: value.slice(1), quoted }];
};

// A program of this name is hardly ever what was meant; a reader of the prompt sees another command than the shell.
const unseen = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;
const checkPlain = (text: string, found: Findings): void => {
  // A line continuation or an escaped space is plain to see.
  const bare = text.replace(/\\[\n ]/g, '');
  if (unseen.test(bare)) found.hazard('a control character or a space that is none to the shell');
};

const piecesOfPart = (part: WordPart, isStart: boolean, found: Findings): readonly BracedPiece[] => {
  switch (part.type) {
    case 'Literal':
      return simplePieces(part.text, part.value, isStart, found);
    case 'SingleQuoted':
      return [{ type: 'literal', value: part.value, quoted: true }];
    case 'AnsiCQuoted':
      return [ansiPiece(part.text, part.value)];
    case 'DoubleQuoted':
      return quotedPieces(part.parts);
    case 'Glob':
      return [{ type: 'pattern', text: part.text }];
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return [variablePiece(part, false)];
    case 'BraceExpansion': {
      const alternatives = braceAlternatives(part.text);
      return [
        alternatives === undefined ? { type: 'computed', quoted: false } : { type: 'braces', alternatives },
      ];
    }
    default:
      return [{ type: 'computed', quoted: false }];
  }
};

// `\0` ends the string early, `\c` makes control characters: nobody means them well in a command.
const ansiPiece = (text: string, value: string): WordPiece =>
  /\\(c|0|x0{0,2}(?![1-9a-f])|u0|U0)/i.test(text) || /[\p{Cc}]/u.test(value.replace(/[\t\n]/g, ''))
    ? { type: 'computed', quoted: true }
    : { type: 'literal', value, quoted: true };

const quotedPieces = (parts: readonly WordPart[]): readonly WordPiece[] =>
  parts.length === 0
    ? [{ type: 'literal', value: '', quoted: true }]
    : parts.map((part) => {
        if (part.type === 'Literal') return { type: 'literal', value: part.value, quoted: true };
        if (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion')
          return variablePiece(part, true);
        return { type: 'computed', quoted: true };
      });

type Expansion = Extract<WordPart, { readonly type: 'SimpleExpansion' | 'ParameterExpansion' }>;

// What the shell itself sets as it goes: the text may have made it what it is.
const moving = /^(_|BASH\w*|REPLY|MAPFILE|OPTARG|DIRSTACK|OLDPWD|PIPESTATUS|FUNCNAME|COPROC|RANDOM)$/;

const variablePiece = (part: Expansion, quoted: boolean): WordPiece => {
  const name = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/.exec(part.text);
  const single = name?.[1] ?? name?.[2];
  if (single !== undefined && !moving.test(single)) return { type: 'variable', name: single, quoted };
  // `"$@"` is as many words as there are, quotes or not.
  return { type: 'computed', quoted: quoted && !/@/.test(part.text) };
};

/** Finds what a piece of syntax runs, however deep it hides; nothing of it is known to run later or not at all. */
export const findScripts = (node: SyntaxNode, found: Findings): void => {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (/^\$\{[\s|]/.test(node.text)) found.hazard('a substitution that runs in the shell itself');
      found.script(node.script);
      return;
    case 'ExtendedGlob':
      found.hazard('an extended pattern, which shells read differently');
      break;
    case 'ArithmeticExpansion':
      found.arithmetic();
      break;
    case 'ParameterExpansion':
      if (evaluates(node)) found.hazard('an expansion that evaluates what a variable holds');
      if (/=$/.test(node.operation?.type === 'Default' ? node.operation.operator : '')) {
        found.hazard('an expansion that sets a variable');
      }
      if (node.index !== undefined || node.operation?.type === 'Slice') found.arithmetic();
      break;
  }
  forEachChild(node, (child) => findScripts(child, found));
};

const evaluates = ({
  prefix,
  index,
  operation,
  text,
}: Extract<WordPart, { type: 'ParameterExpansion' }>): boolean => {
  if (operation?.type === 'Unknown') return true;
  if (operation?.type === 'Transform') return !/@[QUuLEAaKk]\}$/.test(text);
  return prefix === '!' && operation?.type !== 'Names' && !/^[@*]$/.test(index?.text ?? '');
};
