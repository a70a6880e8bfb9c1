import { resolve } from 'node:path';
import type { PermissionMode, PermissionOptions, PermissionRules } from '../contract/permissions.js';
import { definedMembers } from './definedMembers.js';
import type { SettingsFile } from './settingsFile.js';

/**
 * Rules and mode of all files. Of files that are not trusted only what makes things tighter holds: deny and ask rules,
 * and the word that there is no bypass.
 */
export const permissionsOf = (
  files: readonly SettingsFile[],
  trusted: readonly SettingsFile[],
  { dir, home }: { readonly dir: string; readonly home: string },
  warn: (warning: string) => void,
): PermissionOptions | undefined => {
  const managed = files.find(
    ({ settings, scope }) => scope === 'managed' && settings.allowManagedPermissionRulesOnly,
  );
  const rules = files.flatMap((file) => {
    if (managed === undefined || file === managed) return rulesOf(file, trusted.includes(file));
    if (file.settings.permissions !== undefined)
      warn(`${file.path}: its rules are switched off by ${managed.path}.`);
    return [];
  });
  const mode = modeOf(files, trusted, warn);
  const directories = trusted.flatMap(({ settings }) => settings.permissions?.additionalDirectories ?? []);
  if (rules.length === 0 && mode === undefined && directories.length === 0) return undefined;
  const additionalDirectories = directories.map((each) =>
    resolve(
      dir,
      each.replace(/^~(?=\/|$)/, () => home),
    ),
  );
  return {
    ...definedMembers({ mode }),
    ...{ rules, cwd: dir, home },
    ...(directories.length === 0 ? undefined : { additionalDirectories }),
  };
};

const rulesOf = ({ settings, base, scope }: SettingsFile, isTrusted: boolean): readonly PermissionRules[] => {
  const { allow, ask, deny } = settings.permissions ?? {};
  const rules = definedMembers({ allow: isTrusted ? allow : undefined, ask, deny });
  return Object.keys(rules).length === 0 ? [] : [{ ...rules, base, source: `${scope} settings` }];
};

const modeOf = (
  files: readonly SettingsFile[],
  trusted: readonly SettingsFile[],
  warn: (warning: string) => void,
): PermissionMode | undefined => {
  const named = trusted.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined);
  const mode = named?.settings.permissions?.defaultMode;
  // A project may forbid it without being trusted: that only makes things tighter.
  const against = files.find(
    ({ settings }) => settings.permissions?.disableBypassPermissionsMode !== undefined,
  );
  if (mode !== 'bypassPermissions' || against === undefined) return mode;
  warn(`${named?.path}: the mode bypassPermissions is disabled by ${against.path}.`);
  return undefined;
};
