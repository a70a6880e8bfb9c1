import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  type CanUseTool,
  type Classifier,
  type Hooks,
  InvalidOptionError,
  type PermissionOptions,
  type Permissions,
} from '../../contract/index.js';
import { executeTools } from '../../engine/executeTools.js';
import { type ClaudeSettings, type EnvLimits, loadClaudeSettings, SettingsError } from '../../node/index.js';
import { createPermissions, harmless, isConfigured, readOnlyClassifier } from '../../permissions/index.js';
import { CliError } from '../cliError.js';
import { isBypassDisabled } from './bypass.js';
import type { GuardOptions } from './guardOptions.js';

/** What stands around the calls of a run; empty where nothing was asked for, and then everything is allowed. */
export interface RunGuard {
  readonly hooks?: Hooks;
  readonly permissions?: Permissions;
  readonly classifier?: Classifier;
  readonly canUseTool?: CanUseTool;
  readonly limits?: EnvLimits;
  /** Added to the environment of commands. */
  readonly env?: Readonly<Record<string, string>>;
}

/** @throws CliError where there is no such folder */
export const existingFolder = (option: string, path: string): string => {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CliError(`${option} ${harmless(path)}: no such folder`);
};

/**
 * Reads settings and modes; what stands in the files and is not applied is told to `warn`.
 *
 * @param cwd real path of the folder tools work in
 * @param ask how a person is asked, where one can be
 * @throws CliError for settings that can't be meant
 */
export const readGuard = (
  options: GuardOptions,
  cwd: string,
  ask: CanUseTool | undefined,
  warn: (warning: string) => void,
): RunGuard => {
  if (options.trust === true && options.settings === undefined) {
    throw new CliError('--trust is about the settings of a folder: give --settings <folder> too');
  }
  try {
    return guardOf(options, cwd, ask, warn);
  } catch (error) {
    if (error instanceof SettingsError) throw new CliError(harmless(error.message));
    if (error instanceof InvalidOptionError) throw new CliError(`the settings: ${harmless(error.message)}`);
    throw error;
  }
};

const guardOf = (
  options: GuardOptions,
  cwd: string,
  ask: CanUseTool | undefined,
  warn: (warning: string) => void,
): RunGuard => {
  const settings = settingsOf(options, cwd);
  for (const warning of settings?.warnings ?? []) warn(warning);
  const given = permissionsOf(options, settings, cwd);
  const permissions = given && createPermissions(given);
  for (const warning of permissions?.warnings ?? []) warn(warning);
  const { additionalDirectories = [] } = permissions?.options ?? {};
  const hooks = settings?.hooks && checkedHooks(settings.hooks, permissions);
  return {
    ...(hooks && { hooks }),
    ...(settings && { limits: settings.limits, env: settings.env }),
    ...(permissions && { permissions }),
    ...(permissions &&
      isConfigured(permissions) && { classifier: readOnlyClassifier({ cwd, additionalDirectories }) }),
    ...(ask && { canUseTool: ask }),
  };
};

/** Hooks whose conditions have been read: one that can't be meant is told before anything runs. */
const checkedHooks = (hooks: Hooks, permissions: Permissions | undefined): Hooks => {
  executeTools({ tools: [], hooks, ...(permissions && { permissions }) });
  return hooks;
};

const settingsOf = ({ settings, trust }: GuardOptions, cwd: string): ClaudeSettings | undefined => {
  if (settings === undefined) return undefined;
  const folder = realpathSync(existingFolder('--settings', settings));
  // Hooks are told where files are from the folder of their settings: elsewhere a guard would look at other files.
  if (folder !== cwd)
    throw new CliError('--cwd: with --settings the tools work in the folder of the settings');
  return loadClaudeSettings(folder, { trustProject: trust === true });
};

/** Undefined where nothing asks for permissions: then everything is allowed, save by hooks, which need the folders. */
const permissionsOf = (
  { ask, permissionMode }: GuardOptions,
  settings: ClaudeSettings | undefined,
  cwd: string,
): PermissionOptions | undefined => {
  const folders = settings?.permissions;
  const asks = folders?.rules !== undefined || folders?.mode !== undefined;
  const given = asks ? folders : undefined;
  if (permissionMode === 'bypassPermissions' && isBypassDisabled(settings?.files ?? [])) {
    throw new CliError('--permission-mode bypassPermissions: the settings disable that mode');
  }
  if (given === undefined && permissionMode === undefined && ask !== true) {
    return settings?.hooks && { cwd, home: homedir() };
  }
  const additionalDirectories = (given?.additionalDirectories ?? []).flatMap(namedAndReal);
  const mode = permissionMode ?? given?.mode ?? 'default';
  return { cwd, home: homedir(), ...given, mode, additionalDirectories };
};

/** A folder that is a link counts under both of its names, as the files in it do. */
const namedAndReal = (folder: string): readonly string[] => {
  try {
    const real = realpathSync(folder);
    return real === folder ? [folder] : [folder, real];
  } catch {
    return [folder];
  }
};
