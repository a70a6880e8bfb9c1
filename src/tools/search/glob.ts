import { relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { defineTool, failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { isBelow } from '../../permissions/folders.js';
import { fileTargets, readPermission } from '../files/fileTargets.js';
import { withFsFailures } from '../files/fsErrors.js';
import { plural } from '../files/lines.js';
import { readingFolders, type SearchOptions, workingDirectory } from '../workingDirectory.js';
import { type PathTest, signedGlobPattern } from './globPattern.js';
import { globRoot } from './globRoot.js';
import { Reach } from './reach.js';
import { type Search, searchAt, stoppedSearch } from './searchRoot.js';

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

type GlobInput = z.infer<typeof inputSchema>;

/** The tool `Glob`: finds files by the pattern of their path. Safe to overlap. */
export const glob = (options: SearchOptions) => {
  const cwd = workingDirectory(options.cwd);
  const folders = readingFolders(options);
  const targets = (input: GlobInput) =>
    searchedFolders(input, cwd).flatMap((path) => fileTargets(path, 'read'));
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
    ruleTargets: (input) => targets(input),
    checkPermissions: (input) => readPermission(targets(input), folders),
    call: ({ pattern, path = '.' }, ctx) => {
      const folder = resolve(cwd, path);
      return withFsFailures(`search ${folder}`, () => findFiles(pattern, folder, options, ctx.signal));
    },
    mapResult: globText,
  });
};

/** Where files are looked for; a pattern may lead elsewhere than the folder beside it, which is looked at too. */
const searchedFolders = ({ pattern, path = '.' }: GlobInput, cwd: string): readonly string[] => {
  const folder = resolve(cwd, path);
  const { root } = globRoot(pattern, folder);
  return isBelow(root, folder) ? [root] : [root, folder];
};

const findFiles = async (
  pattern: string,
  folder: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<GlobOutput | ToolFailure> => {
  const cwd = workingDirectory(options.cwd);
  const { root, rest } = globRoot(pattern, folder);
  const matches = signedGlobPattern(rest === '' ? '**' : rest);
  if (isFailure(matches)) return matches;
  const whole = await searchAt(new Reach(folder, options), cwd, signal);
  if (isFailure(whole)) return whole;
  if (whole.isFile) return failure(`${folder} is a file, not a folder. Give its name as the pattern.`);
  // A pattern that leads nowhere has found nothing; only the folder given beside it should have been there.
  const search = root === whole.root ? whole : await searchAt(new Reach(root, options), cwd, signal);
  if (isFailure(search)) return signal.aborted ? stoppedSearch() : noFiles;
  const result = await collect(search, (path) => (search.isFile ? rest === '' : matches(path)), cwd);
  return signal.aborted ? stoppedSearch() : result;
};

const collect = async (search: Search, isWanted: PathTest, cwd: string): Promise<GlobOutput> => {
  const paths: string[] = [];
  let found = 0;
  for await (const file of search.files) {
    if (!isWanted(relative(search.root, file).split(sep).join('/'))) continue;
    found++;
    if (paths.length < MAX_PATHS) paths.push(relative(cwd, file));
  }
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
