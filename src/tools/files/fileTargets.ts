import { resolve, sep } from 'node:path';
import type { RuleTarget, ToolPermission } from '../../contract/index.js';
import { isBelow } from '../../permissions/folders.js';
import { realPath } from '../bash/realPath.js';

/**
 * What permission rules compare of a file or folder: the path as named and the real one, or the one it would have.
 *
 * Looks at the disk each time, for a link may be put in its place while somebody is asked.
 */
export const fileTargets = (path: string, access: 'read' | 'edit'): readonly RuleTarget[] => {
  const named = resolve(path);
  const real = realPath(named);
  const paths = real === undefined || real === named ? [named] : [named, real];
  const target = { type: 'path', access, paths: paths.map(slashed) } as const;
  if (real !== undefined) return [target];
  return [target, { type: 'unparsed', reason: "where its links lead can't be told" }];
};

const slashed = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'));

/** The opinion of a tool that reads: allowed below its folders, under both of its names; none elsewhere. */
export const readPermission = (
  targets: readonly RuleTarget[],
  folders: readonly string[],
): ToolPermission | undefined => {
  const all = folders.flatMap((folder) => [folder, realPath(folder) ?? folder]);
  const isInside = (target: RuleTarget): boolean =>
    target.type === 'path' && target.paths.every((path) => all.some((folder) => isBelow(path, folder)));
  return targets.every(isInside) ? { behavior: 'allow' } : undefined;
};
