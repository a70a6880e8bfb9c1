import type { Permissions } from '../contract/index.js';
import { judgeRules } from '../permissions/index.js';

/**
 * What `Read` rules hide from a search: files and folders that a deny rule names, and those an ask rule names where
 * the search did not begin in one, for nobody was asked about them. For `isHidden` of the tools that search.
 *
 * @param permissions what `createPermissions` made; rules that are remembered later count too
 * @example
 * ```ts
 * const permissions = createPermissions({ cwd, rules: { deny: ['Read(./secrets/**)'] } });
 * const tools = builtinTools({ cwd, isHidden: hiddenBy(permissions) });
 * ```
 */
export const hiddenBy = (permissions: Permissions): ((path: string, root: string) => boolean) => {
  const ruled = (path: string) =>
    judgeRules(permissions, {
      names: ['Read'],
      input: undefined,
      parsed: undefined,
      targets: [{ type: 'path', access: 'read', paths: [path] }],
    }).behavior;
  return (path, root) => {
    const behavior = ruled(path);
    return behavior === 'deny' || (behavior === 'ask' && ruled(root) !== 'ask');
  };
};
