import type { PermissionMode, PermissionRules } from '../../../../src/contract/permissions.js';
import { createPermissions, decide, judgeRules } from '../../../../src/permissions/index.js';
import { isReadOnlyCommand, shellTargets } from '../../../../src/tools/bash/shell/index.js';

export const cwd = '/home/me/project';
export const home = '/home/me';

export type Expected = 'allow' | 'ask' | 'deny';

/** What becomes of commands under given rules, as in a session where a person can be asked. */
export const judge = (
  rules: PermissionRules,
  mode: PermissionMode = 'default',
): ((command: string) => Expected) => {
  const permissions = createPermissions({ rules, cwd, home, mode });
  return (command) => {
    const targets = shellTargets(command, { cwd, home });
    const input = { command };
    const verdict = judgeRules(permissions, { names: ['Bash'], input, parsed: input, targets });
    const isReadOnly = isReadOnlyCommand(command);
    const question = { rules: verdict, mode, targets, isReadOnly, canAsk: true, isConfigured: true } as const;
    return decide(question).decision;
  };
};
