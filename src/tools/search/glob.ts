import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import { defineTool, failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { withFsFailures } from '../files/fsErrors.js';
import { plural } from '../files/lines.js';
import { type ToolOptions, workingDirectory } from '../workingDirectory.js';
import { searchAt } from './searchRoot.js';

/** Paths told in one result. */
const MAX_PATHS = 200;

/** What `Glob` ends with. */
export interface GlobOutput {
  /** Relative to the working directory, in the order of their names. */
  readonly paths: readonly string[];
  /** How many were found, told or not. */
  readonly found: number;
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
}

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('Glob pattern: `**/*.ts`, `src/*.{js,json}`, `docs/**`.'),
  path: z.string().min(1).optional().describe('Folder to search. Default: the working directory.'),
});

/** The tool `Glob`: finds files by the pattern of their path. Safe to overlap. */
export const glob = (options: ToolOptions) => {
  const cwd = workingDirectory(options.cwd);
  return defineTool({
    name: 'Glob',
    description: `Finds files by a pattern: \`*\` within a name, \`**\` over folders, \`{a,b}\` for either.

- Returns up to ${MAX_PATHS} paths relative to the working directory, sorted by path.
- Leaves out what \`.gitignore\` files name, unless that folder is asked for by its path.
- To find files by what is in them use Grep.`,
    inputSchema,
    kind: 'file',
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    isDestructive: () => false,
    call: ({ pattern, path = '.' }, ctx) => {
      const folder = resolve(cwd, path);
      return withFsFailures(`search ${folder}`, () => findFiles(pattern, folder, cwd, ctx.signal));
    },
    mapResult: globText,
  });
};

const findFiles = async (
  pattern: string,
  folder: string,
  cwd: string,
  signal: AbortSignal,
): Promise<GlobOutput | ToolFailure> => {
  const { base, glob: rest } = picomatch.scan(pattern);
  // Only the folder the pattern begins with is walked; a pattern without wildcards is the path of one file.
  const root = isAbsolute(base) ? base : join(folder, base);
  const search = await searchAt(root, cwd, signal);
  if (isFailure(search)) {
    // A pattern that leads nowhere has found nothing; the folder given beside it should have been there.
    const whole = await searchAt(folder, cwd, signal);
    return isFailure(whole) ? whole : noFiles;
  }
  const matches = picomatch(rest === '' ? '**' : rest, { dot: true });
  const paths: string[] = [];
  let found = 0;
  for await (const file of search.files) {
    const isWanted = search.isFile ? rest === '' : matches(relative(root, file).split(sep).join('/'));
    if (!isWanted) continue;
    found++;
    if (paths.length < MAX_PATHS) paths.push(relative(cwd, file));
  }
  if (signal.aborted) return failure('The search was asked to stop before it had ended.');
  return { paths, found, unreadable: search.unreadable };
};

const noFiles: GlobOutput = { paths: [], found: 0, unreadable: [] };

const globText = ({ paths, found, unreadable }: GlobOutput): string => {
  const lines = found === 0 ? ['No files found.'] : [...paths];
  const more = found - paths.length;
  if (more > 0) lines.push(`[${plural(more, 'more file')} found; use a narrower pattern or path]`);
  if (unreadable.length > 0) lines.push(`[${plural(unreadable.length, 'folder')} could not be read]`);
  return lines.join('\n');
};
