import type { Permissions, RuleTarget } from '../contract/permissions.js';
import { isBelow, segmentsOf } from './folders.js';
import { coveringRule, partsOf } from './judge.js';
import { covers } from './match.js';
import { type PermissionStore, storeOf } from './permissions.js';
import type { RuleCall } from './rule.js';
import type { parseRule } from './rules.js';
import type { RuleVerdict } from './verdict.js';

/** Rules suggested at most. */
const SUGGESTED = 5;

/**
 * Allow rules that would cover a call next time, at most five: one for each part no rule covers yet. A command is
 * suggested as it is, a path as its folder, a host as its domain.
 *
 * None where no allow rule can help: a deny or ask rule, a protected path, a part that can't be looked into or that
 * no rule could name without allowing more (`rm *.log` would be a pattern).
 */
export const suggestRules = (
  permissions: Permissions,
  call: RuleCall,
  { behavior, uncovered, protectedPath }: RuleVerdict,
): readonly string[] => {
  if (behavior !== 'none' || protectedPath !== undefined) return [];
  const store = storeOf(permissions);
  const [name = ''] = call.names;
  if (call.targets.length === 0) return isReadable(name, store) ? [name] : [];
  const rules = new Set<string>();
  for (const part of uncovered.flatMap(partsOf)) {
    if (coveringRule(store, call, part) !== undefined) continue;
    const rule = ruleFor(part, name, store);
    if (rule === undefined || !isCovering(rule, call, part, store)) return [];
    rules.add(rule);
  }
  return [...rules].slice(0, SUGGESTED);
};

const ruleFor = (part: RuleTarget, name: string, store: PermissionStore): string | undefined => {
  if (part.type === 'host') return `${name}(domain:${part.host})`;
  if (part.type === 'path') return pathRule(part.access, part.paths[0] ?? '', store);
  if (part.type !== 'command' || part.allowText === undefined || part.allowText.includes('*'))
    return undefined;
  return `${name}(${part.allowText})`;
};

const pathRule = (access: 'read' | 'edit', path: string, store: PermissionStore): string => {
  const tool = access === 'read' ? 'Read' : 'Edit';
  const { cwd } = store.options;
  const folder = folderOf(path, store);
  const isInside = cwd !== undefined && isBelow(folder ?? path, cwd);
  const segments = segmentsOf(folder ?? path).slice(isInside ? segmentsOf(cwd).length : 0);
  // A name of a file may hold what a pattern would read as more than that.
  const names = segments.map((segment) => segment.replace(/[\\*?[]/g, '\\$&'));
  if (folder !== undefined) names.push('**');
  return `${tool}(${isInside ? './' : '//'}${names.join('/')})`;
};

/** The folder to allow with a path; `undefined` where it would be far more than the call was about. */
const folderOf = (path: string, { workingDirectories, home }: PermissionStore): string | undefined => {
  // A search through a whole working directory names the directory itself.
  if (workingDirectories.some((folder) => isBelow(folder, path))) return path;
  const parent = path.slice(0, path.replace(/\/+$/, '').lastIndexOf('/'));
  const isWide = segmentsOf(parent).length === 0 || (home !== undefined && isBelow(home, parent));
  return isWide ? undefined : parent;
};

/** What is suggested is read as it will be: a name or a command can hold what no rule can say. */
const isCovering = (text: string, call: RuleCall, part: RuleTarget, store: PermissionStore): boolean => {
  const rule = readRule(text, store);
  return rule !== undefined && covers(rule, call, part);
};

const isReadable = (text: string, store: PermissionStore): boolean => readRule(text, store) !== undefined;

const readRule = (text: string, store: PermissionStore): ReturnType<typeof parseRule> | undefined => {
  try {
    return store.read(text, 'allow', { option: 'suggestion' });
  } catch {
    return undefined;
  }
};
