import { readCommands, type SimpleCommand } from './commands.js';
import { exitCodeMeaning } from './shell/index.js';
import type { ShellSettings } from './shellSettings.js';

/** Programs that answer a question with exit code 1: nothing found, not equal, not so. */
const answering: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'diff', 'cmp', 'test', '[']);
const answeringGit: ReadonlySet<string> = new Set(['diff', 'grep']);

/** What may stand before a `;`: none of these ends the shell, or tells it when to end or whose code to end with. */
const passing: ReadonlySet<string> = new Set(
  'basename cat cd cp date dirname echo false find git grep head ls mkdir mv printf pwd rg rm sed sleep sort stat tail touch true uniq wc which'.split(
    ' ',
  ),
);

/**
 * The program whose exit code 1 is an answer and no error, where a shell text is certain to end with its code.
 *
 * That is one simple command, the last of a pipeline, or the last after `;`. After `&&` and `||`, and after `set`,
 * `exit` or whatever else may end the shell, it can't be told who ended with 1: in doubt it is an error. Two readers
 * have to agree, this one and the parser.
 */
export const answeringProgram = (text: string, settings: ShellSettings): string | undefined => {
  if (exitCodeMeaning(text, 1) !== 'no-match') return undefined;
  const commands = readCommands(text)?.commands;
  const last = commands?.at(-1);
  if (commands === undefined || last === undefined) return undefined;
  if (commands.length > 1 && (settings.preset || !lastDecides(commands))) return undefined;
  const [program = '', subcommand = ''] = last.words;
  if (program === 'git' && answeringGit.has(subcommand)) return `git ${subcommand}`;
  return answering.has(program) ? program : undefined;
};

/** What stands before a `|` runs in a shell of its own; what stands before a `;` in the one whose code it is. */
const lastDecides = (commands: readonly SimpleCommand[]): boolean =>
  commands.every(({ after }, index) => {
    if (after === '&&' || after === '||') return false;
    return after !== ';' || passing.has(commands[index - 1]?.words[0] ?? '');
  });
