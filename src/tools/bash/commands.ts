/** One simple command of a shell text: its words as the program gets them. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** What stands before it: `|`, `;`, `&&`, `||`, or nothing for the first. */
  readonly after: string;
}

/** A shell text that is nothing but simple commands in a row. */
export interface CommandList {
  readonly commands: readonly SimpleCommand[];
  /** No pattern and no redirection in it: the words are final, and the shell opens no file for them. */
  readonly literal: boolean;
}

// One piece of the text each, tried in this order. Whatever none of them takes is beyond this reader.
const pieces = {
  space: /[ \t]+/y,
  single: /'([^']*)'/y,
  // Inside double quotes a backslash stands for itself before any character but these.
  double: /"((?:[^"$`\\]|\\[^"$`\\\n])*)"/y,
  operator: /\|\||&&|\||;/y,
  // To a descriptor that is not open a redirection fails, and the shell with it, before the program has begun.
  redirection: /[12]?>&[12](?![0-9])|[0-9]?>{1,2} ?\/dev\/null(?![\w/.-])/y,
  plain: /[\w./:=@%+,-]+/y,
  pattern: /[*?]/y,
} as const;
type Piece = keyof typeof pieces;

/**
 * Reads a shell text that is certain to mean what it seems to; `undefined` for everything else.
 *
 * Knows words, quotes without expansion and `|`, `;`, `&&`, `||`. Variables, substitutions, escapes, groups,
 * here-documents, jobs and line ends are beyond it on purpose: a wrong reading would let a write overlap a read.
 */
export const readCommands = (text: string): CommandList | undefined => {
  const commands: { words: string[]; after: string }[] = [{ words: [], after: '' }];
  let word: string | undefined;
  let literal = true;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.words.push(word);
    word = undefined;
  };
  for (const [piece, value] of split(text.trim())) {
    if (piece === undefined) return undefined;
    if (piece === 'single' || piece === 'double' || piece === 'plain' || piece === 'pattern')
      word = (word ?? '') + value;
    else endWord();
    if (piece === 'operator') commands.push({ words: [], after: value });
    if (piece === 'pattern' || piece === 'redirection') literal = false;
  }
  endWord();
  return commands.some(({ words }) => words.length === 0) ? undefined : { commands, literal };
};

function* split(text: string): Generator<readonly [Piece | undefined, string]> {
  let at = 0;
  while (at < text.length) {
    const found = pieceAt(text, at);
    yield [found?.piece, found?.value ?? ''];
    if (found === undefined) return;
    at = found.end;
  }
}

const pieceAt = (text: string, at: number) => {
  for (const piece of Object.keys(pieces) as Piece[]) {
    const pattern = pieces[piece];
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { piece, value: match[1] ?? match[0], end: pattern.lastIndex };
  }
  return undefined;
};
