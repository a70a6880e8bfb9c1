import type { PermissionMode, RuleTarget } from '../contract/permissions.js';

/** All modes there are. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

export const isMode = (value: unknown): value is PermissionMode =>
  permissionModes.some((mode) => mode === value);

/** Why the mode can't be told: its function threw, or answered something that is none. Denies every call. */
export interface ModeFault {
  /** In a few words without an end. */
  readonly fault: string;
}

/**
 * Whether a call is known to change nothing: the tool says so and no target says otherwise, or the tool has no
 * opinion and each of its targets is read.
 */
export const onlyReads = (targets: readonly RuleTarget[], isReadOnly: boolean | undefined): boolean => {
  if (isReadOnly === false || targets.some(mayChange)) return false;
  return isReadOnly === true || (targets.length > 0 && targets.every(({ type }) => type !== 'host'));
};

const mayChange = (target: RuleTarget): boolean => {
  if (target.type === 'path') return target.access === 'edit';
  return target.type === 'command' ? !target.isReadOnly : target.type === 'unparsed';
};
