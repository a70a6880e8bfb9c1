import { basename, relative, resolve, sep } from 'node:path';
import { defineTool, isFailure, type ToolFailure } from '../../contract/index.js';
import { fileTargets, readPermission } from '../files/fileTargets.js';
import { withFsFailures } from '../files/fsErrors.js';
import { plural } from '../files/lines.js';
import { readingFolders, type SearchOptions, workingDirectory } from '../workingDirectory.js';
import { signedGlobPattern } from './globPattern.js';
import { printMatches, type SearchedFile, searchFile } from './grepFile.js';
import { DEFAULT_HEAD_LIMIT, type GrepInput, grepInput } from './grepInput.js';
import { linearPattern } from './linearPattern.js';
import { Reach } from './reach.js';
import { type Search, searchAt, stoppedSearch } from './searchRoot.js';

/** What `Grep` ends with. */
export interface GrepOutput {
  /** Lines of the result, as `output_mode` says; paths are relative to the working directory. */
  readonly lines: readonly string[];
  /** Whether `head_limit` ended it. */
  readonly more: boolean;
  /** Files left out because they are large or may not be read, and folders that may not. */
  readonly skipped: number;
  /** Lines left out because they are longer than this pattern may be tested on: a plain text may be on any. */
  readonly untested: number;
}

/** The tool `Grep`: finds lines by a regular expression. Safe to overlap. */
export const grep = (options: SearchOptions) => {
  const cwd = workingDirectory(options.cwd);
  const folders = readingFolders(options);
  const rootOf = ({ path = '.' }: GrepInput) => resolve(cwd, path);
  return defineTool({
    name: 'Grep',
    description: `Searches the text of files with a regular expression, line by line.

- \`output_mode\` is \`files_with_matches\` (default), \`content\` or \`count\`.
- Narrow it with \`glob\` and \`path\`. What \`.gitignore\` files name and binary files are left out.
- The syntax is that of RE2, as in ripgrep: without lookaround and back-references.
- Escape brackets and dots to find them as they are: \`interface\\{\\}\`.`,
    inputSchema: grepInput,
    kind: 'file',
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    isDestructive: () => false,
    ruleTargets: (input) => fileTargets(rootOf(input), 'read'),
    checkPermissions: (input) => readPermission(fileTargets(rootOf(input), 'read'), folders),
    call: (input, ctx) => {
      const root = rootOf(input);
      const search = () => searchFiles(input, new Reach(root, options), cwd, ctx.signal);
      return withFsFailures(`search ${root}`, search);
    },
    mapResult: grepText,
  });
};

const searchFiles = async (
  input: GrepInput,
  reach: Reach,
  cwd: string,
  signal: AbortSignal,
): Promise<GrepOutput | ToolFailure> => {
  const pattern = linearPattern(input.pattern, input['-i'] === true);
  if (isFailure(pattern)) return pattern;
  const search = await searchAt(reach, cwd, signal);
  if (isFailure(search)) return search;
  const limit = input.head_limit === 0 ? Number.POSITIVE_INFINITY : (input.head_limit ?? DEFAULT_HEAD_LIMIT);
  const isWanted = pathFilter(input.glob, search);
  if (isFailure(isWanted)) return isWanted;
  const lines: string[] = [];
  let skipped = 0;
  let untested = 0;
  for await (const file of search.files) {
    if (lines.length > limit) break;
    if (!isWanted(file)) continue;
    const searched = await searchFile(file, pattern, search.slice, signal);
    if (searched === 'stopped') break;
    if (searched === 'large' || searched === 'unreadable') skipped++;
    if (typeof searched === 'string') continue;
    untested += searched.untested;
    for (const line of resultLines(input, relative(cwd, file), searched)) {
      lines.push(line);
      if (lines.length > limit || (search.slice.isOver() && !(await search.slice.next()))) break;
    }
  }
  if (signal.aborted) return stoppedSearch();
  return {
    lines: lines.slice(0, limit),
    more: lines.length > limit,
    skipped: skipped + search.unreadable.length,
    untested,
  };
};

/** A pattern without a slash is compared with the name alone; one that begins with `!` leaves out. */
const pathFilter = (
  pattern: string | undefined,
  { root, isFile }: Search,
): ((file: string) => boolean) | ToolFailure => {
  if (pattern === undefined || isFile) return () => true;
  const matches = signedGlobPattern(pattern);
  if (isFailure(matches)) return matches;
  const byName = !pattern.includes('/');
  return (file) => matches(byName ? basename(file) : relative(root, file).split(sep).join('/'));
};

const resultLines = (input: GrepInput, path: string, searched: SearchedFile): Iterable<string> => {
  const { found } = searched;
  if (found.length === 0) return [];
  if (input.output_mode === 'count') return [`${path}:${found.length}`];
  if (input.output_mode !== 'content') return [path];
  const around = { before: input['-B'] ?? input['-C'] ?? 0, after: input['-A'] ?? input['-C'] ?? 0 };
  return printMatches(path, searched, around, input['-n'] ?? true);
};

const grepText = ({ lines, more, skipped, untested }: GrepOutput): string => {
  const text = lines.length === 0 ? ['No matches found.'] : [...lines];
  if (more) text.push('[more matches follow; narrow the search or raise head_limit]');
  if (skipped > 0)
    text.push(
      `[${skipped === 1 ? '1 file or folder' : `${skipped} files or folders`} left out: too large or not readable]`,
    );
  if (untested > 0)
    text.push(`[${plural(untested, 'line')} left out: too long for this pattern; search for a plain text]`);
  return text.join('\n');
};
