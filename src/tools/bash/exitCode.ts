import { readCommands } from './commands.js';

/** Programs that answer a question with exit code 1: nothing found, not equal, not so. */
const answering: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'diff', 'cmp', 'test', '[']);
const answeringGit: ReadonlySet<string> = new Set(['diff', 'grep']);

/**
 * The program whose exit code 1 is an answer and no error, where a shell text ends with one; else `undefined`.
 *
 * After `&&` and `||` it can't be told who ended with 1, so such a text names nobody.
 */
export const answeringProgram = (text: string): string | undefined => {
  const last = readCommands(text)?.commands.at(-1);
  if (last === undefined || last.after === '&&' || last.after === '||') return undefined;
  const [program = '', subcommand = ''] = last.words;
  if (program === 'git' && answeringGit.has(subcommand)) return `git ${subcommand}`;
  return answering.has(program) ? program : undefined;
};
