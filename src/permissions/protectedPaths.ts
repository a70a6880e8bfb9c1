import type { RuleTarget } from '../contract/permissions.js';
import { isBelow, segmentsOf } from './folders.js';

/*
 * The public documentation of Claude Code names these as protected paths, which no looser mode approves; to its
 * list of shell files are added the others that shells of the same families read at their start. Whoever can write
 * them can have code run later, or change the very rules that are asked here.
 */
const folders: ReadonlySet<string> = new Set([
  '.git',
  '.claude',
  '.vscode',
  '.idea',
  '.husky',
  '.devcontainer',
]);
const files: ReadonlySet<string> = new Set([
  '.gitconfig',
  '.gitmodules',
  '.mcp.json',
  '.claude.json',
  '.ripgreprc',
  '.envrc',
  '.profile',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
]);

/**
 * The first path the call would change that is protected: by name, in any case, since disks may be blind to it; or
 * because it is the root, the home, or holds the working directory, so that changing it can only mean removing it.
 */
export const protectedPathOf = (
  targets: readonly RuleTarget[],
  cwd: string | undefined,
  home: string | undefined,
): string | undefined =>
  targets
    .flatMap((target) => (target.type === 'path' && target.access === 'edit' ? target.paths : []))
    .find((path) => isProtected(path, cwd, home));

const isProtected = (path: string, cwd: string | undefined, home: string | undefined): boolean => {
  const segments = segmentsOf(path).map((segment) => segment.toLowerCase());
  if (segments.length === 0) return true;
  if (home !== undefined && isBelow(home, path)) return true;
  if (cwd !== undefined && isBelow(cwd, path) && !isBelow(path, cwd)) return true;
  return segments.some((segment) => folders.has(segment)) || files.has(segments[segments.length - 1] ?? '');
};
