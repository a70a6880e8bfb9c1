import { relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { defineTool, failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { withFsFailures } from '../files/fsErrors.js';
import { type ToolOptions, workingDirectory } from '../workingDirectory.js';
import { matchingLines, printMatches, searchableLines } from './grepFile.js';
import { DEFAULT_HEAD_LIMIT, type GrepInput, grepInput } from './grepInput.js';
import { type Search, searchAt } from './searchRoot.js';

/** What `Grep` ends with. */
export interface GrepOutput {
  /** Lines of the result, as `output_mode` says; paths are relative to the working directory. */
  readonly lines: readonly string[];
  /** Whether `head_limit` ended it. */
  readonly more: boolean;
  /** Files left out because they are large or may not be read, and folders that may not. */
  readonly skipped: number;
}

/** The tool `Grep`: finds lines by a regular expression. Safe to overlap. */
export const grep = (options: ToolOptions) => {
  const cwd = workingDirectory(options.cwd);
  return defineTool({
    name: 'Grep',
    description: `Searches the text of files with a JavaScript regular expression, line by line.

- \`output_mode\` is \`files_with_matches\` (default), \`content\` or \`count\`.
- Narrow it with \`glob\` and \`path\`. What \`.gitignore\` files name and binary files are left out.
- Escape brackets and dots to find them as they are: \`interface\\{\\}\`.`,
    inputSchema: grepInput,
    kind: 'file',
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    isDestructive: () => false,
    call: (input, ctx) => {
      const root = resolve(cwd, input.path ?? '.');
      return withFsFailures(`search ${root}`, () => searchFiles(input, root, cwd, ctx.signal));
    },
    mapResult: grepText,
  });
};

const searchFiles = async (
  input: GrepInput,
  root: string,
  cwd: string,
  signal: AbortSignal,
): Promise<GrepOutput | ToolFailure> => {
  const pattern = compile(input);
  if (isFailure(pattern)) return pattern;
  const search = await searchAt(root, cwd, signal);
  if (isFailure(search)) return search;
  const limit = input.head_limit === 0 ? Number.POSITIVE_INFINITY : (input.head_limit ?? DEFAULT_HEAD_LIMIT);
  const isWanted = pathFilter(input.glob, search);
  const lines: string[] = [];
  let skipped = 0;
  for await (const file of search.files) {
    if (signal.aborted || lines.length > limit) break;
    if (!isWanted(file)) continue;
    const text = await searchableLines(file);
    if (text === 'large' || text === 'unreadable') skipped++;
    if (typeof text !== 'string') append(lines, resultLines(input, relative(cwd, file), text, pattern));
  }
  if (signal.aborted) return failure('The search was asked to stop before it had ended.');
  return {
    lines: lines.slice(0, limit),
    more: lines.length > limit,
    skipped: skipped + search.unreadable.length,
  };
};

/** One by one: a spread of a hundred thousand lines is too many arguments for a call. */
const append = (lines: string[], more: readonly string[]): void => {
  for (const line of more) lines.push(line);
};

const compile = (input: GrepInput): RegExp | ToolFailure => {
  try {
    return new RegExp(input.pattern, input['-i'] === true ? 'i' : '');
  } catch (error) {
    const inline = /^\(\?[a-z]+\)/.test(input.pattern) ? ' For upper and lower case alike set "-i".' : '';
    const reason = error instanceof Error ? error.message : String(error);
    return failure(`The pattern is no valid JavaScript regular expression. ${reason}.${inline}`);
  }
};

/** A pattern without a slash is compared with the name alone; one that begins with `!` leaves out. */
const pathFilter = (pattern: string | undefined, { root, isFile }: Search): ((file: string) => boolean) => {
  if (pattern === undefined || isFile) return () => true;
  const isNegative = pattern.startsWith('!');
  const positive = isNegative ? pattern.slice(1) : pattern;
  const matches = picomatch(positive, { dot: true, basename: !positive.includes('/') });
  return (file) => matches(relative(root, file).split(sep).join('/')) !== isNegative;
};

const resultLines = (input: GrepInput, path: string, lines: readonly string[], pattern: RegExp): string[] => {
  const found = matchingLines(lines, pattern);
  if (found.length === 0) return [];
  if (input.output_mode === 'count') return [`${path}:${found.length}`];
  if (input.output_mode !== 'content') return [path];
  const around = { before: input['-B'] ?? input['-C'] ?? 0, after: input['-A'] ?? input['-C'] ?? 0 };
  return printMatches(path, lines, found, around, input['-n'] ?? true);
};

const grepText = ({ lines, more, skipped }: GrepOutput): string => {
  const text = lines.length === 0 ? ['No matches found.'] : [...lines];
  if (more) text.push('[more matches follow; narrow the search or raise head_limit]');
  if (skipped > 0)
    text.push(
      `[${skipped === 1 ? '1 file or folder' : `${skipped} files or folders`} left out: too large or not readable]`,
    );
  return text.join('\n');
};
