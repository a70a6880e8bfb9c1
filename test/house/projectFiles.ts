import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is made by tools, not written: left out of every look at the project. */
const made = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git', '.stryker-tmp']);

/** Paths of all files of the project, from its folder, with `/`; found by walking, so no git is needed. */
export const projectFiles = (folder = root): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (made.has(entry.name) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? projectFiles(path) : [relative(root, path).split(sep).join('/')];
  });

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const rooms = /^(operators|src|marbles|test|examples|bench)\//;

/** The TypeScript of the rooms; the workspace of the example is somebody else's project. */
export const sourceFiles = (): readonly string[] =>
  projectFiles().filter(
    (path) => rooms.test(path) && path.endsWith('.ts') && !path.startsWith('examples/workspace/'),
  );
