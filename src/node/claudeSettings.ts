import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { InvalidOptionError } from '../contract/errors.js';
import type { Hooks } from '../contract/hooks.js';
import type { PermissionOptions } from '../contract/permissions.js';
import { definedMembers } from './definedMembers.js';
import { type EnvLimits, limitsFromEnv } from './env.js';
import type { HookSession } from './hookPayload.js';
import { readSettingsFile, type SettingsFile, type SettingsScope, settingsFilesOf } from './settingsFile.js';
import type { SettingsHookOptions } from './settingsHandlers.js';
import { type FoundHook, hooksOf } from './settingsHooks.js';
import { permissionsOf } from './settingsPermissions.js';

export interface ClaudeSettingsOptions {
  /** Absolute; where `.claude/settings.json` of the user stands. Default: the user's home. */
  readonly home?: string;
  /** Absolute path of a managed settings file. Default none. */
  readonly managed?: string;
  /**
   * Whether the project's own files may run hooks and loosen permissions. Default false: of them only deny and ask
   * rules hold, for a folder that was just cloned must not start programs.
   */
  readonly trustProject?: boolean;
  /** The environment that limits are read from, below what the files set. Default: this program's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly session?: HookSession;
  /** What a broken hook counts as where its file does not say. Default: the hook's own, `deny` for those that decide. */
  readonly onFailure?: 'deny' | 'continue';
}

export interface ClaudeSettings {
  /** Left out where no hook is configured. */
  readonly hooks?: Hooks;
  /** The folders alone where there are hooks and neither rules nor a mode; left out where there are none of them. */
  readonly permissions?: PermissionOptions;
  readonly limits: EnvLimits;
  /** What the files set, for hooks and tools. */
  readonly env: Readonly<Record<string, string>>;
  /** The files that were there, the weakest first. */
  readonly files: readonly string[];
  /** What stands in the files and is not applied, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the settings files of coding agents: user, project, local, managed, the stronger behind the weaker. Hooks and
 * rules add up; of a mode or a variable the strongest counts. Nothing is dropped without a word in `warnings`.
 *
 * @param dir absolute folder of the project
 * @throws SettingsError naming file, line and reason where a file can't be meant
 * @example
 * ```ts
 * const { hooks, permissions, warnings } = loadClaudeSettings(process.cwd(), { trustProject: true });
 * ```
 */
export const loadClaudeSettings = (dir: string, options: ClaudeSettingsOptions = {}): ClaudeSettings => {
  const { home = homedir(), managed, trustProject = false, session, onFailure } = options;
  for (const [where, path] of Object.entries({ dir, home, managed })) {
    if (path === undefined || isAbsolute(path)) continue;
    throw new InvalidOptionError(where, 'an absolute path', path);
  }
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const files = settingsFilesOf(dir, home, managed).flatMap(
    ({ scope, path, base }) => readSettingsFile(scope, path, base, warn) ?? [],
  );
  const isTrusted = ({ scope }: SettingsFile): boolean => trustProject || !fromProject.has(scope);
  for (const file of files.filter((each) => !isTrusted(each))) tellUntrusted(file, warn);
  const trusted = files.filter(isTrusted);
  const env = Object.assign({}, ...trusted.map(({ settings }) => settings.env)) as Record<string, string>;
  const run: SettingsHookOptions = {
    ...{ projectDir: dir, env, warn, ...definedMembers({ session, onFailure }) },
    // Of a file that is not trusted too: these only make things tighter.
    allowedUrls: listsOf(files, 'allowedHttpHookUrls'),
    allowedEnvVars: listsOf(files, 'httpHookAllowedEnvVars'),
  };
  const hooks = grouped(hookFiles(trusted, warn).flatMap((file) => hooksOf(file, run)));
  const limits = limitsFromEnv({ ...(options.env ?? process.env), ...env });
  const permissions = permissionsOf(files, trusted, { dir, home }, warn);
  // The `if` of a hook is a rule, and needs to know where its paths start.
  const folders = hooks === undefined ? undefined : { cwd: dir, home };
  return {
    ...definedMembers({ hooks, permissions: permissions ?? folders }),
    limits,
    env,
    files: files.map(({ path }) => path),
    warnings: [...warnings, ...limits.warnings],
  };
};

const listsOf = (
  files: readonly SettingsFile[],
  member: 'allowedHttpHookUrls' | 'httpHookAllowedEnvVars',
): readonly (readonly string[])[] =>
  files.flatMap(({ settings: { [member]: list } }) => (list ? [list] : []));

const fromProject: ReadonlySet<SettingsScope> = new Set(['project', 'local']);

const tellUntrusted = ({ path, settings }: SettingsFile, warn: (warning: string) => void): void => {
  const { allow, defaultMode, additionalDirectories } = settings.permissions ?? {};
  const held = {
    hooks: settings.hooks,
    disableAllHooks: settings.disableAllHooks,
    env: settings.env,
    'permissions.allow': allow,
    'permissions.defaultMode': defaultMode,
    'permissions.additionalDirectories': additionalDirectories,
  };
  const names = Object.keys(definedMembers(held));
  if (names.length === 0) return;
  warn(`${path}: the project is not trusted, so these do not hold: ${names.join(', ')}.`);
};

/** The files whose hooks run. What an administrator has set is switched off by an administrator alone. */
const hookFiles = (
  trusted: readonly SettingsFile[],
  warn: (warning: string) => void,
): readonly SettingsFile[] => {
  const managed = trusted.find(({ scope }) => scope === 'managed');
  if (managed?.settings.disableAllHooks === true) return switchedOff(trusted, managed, warn);
  const others = trusted.filter((file) => file !== managed);
  const last = [...others].reverse().find(({ settings }) => settings.disableAllHooks !== undefined);
  const off = last?.settings.disableAllHooks === true ? last : undefined;
  const only = managed?.settings.allowManagedHooksOnly === true ? managed : undefined;
  const by = only ?? off;
  if (by === undefined) return trusted;
  switchedOff(others, by, warn);
  return managed === undefined ? [] : [managed];
};

const switchedOff = (
  files: readonly SettingsFile[],
  by: SettingsFile,
  warn: (warning: string) => void,
): readonly SettingsFile[] => {
  for (const { path, settings } of files) {
    if (settings.hooks !== undefined) warn(`${path}: its hooks are switched off by ${by.path}.`);
  }
  return [];
};

const grouped = (found: readonly FoundHook[]): Hooks | undefined => {
  if (found.length === 0) return undefined;
  const hooks: Record<string, FoundHook['hook'][]> = {};
  for (const { event, hook } of found) {
    const list = hooks[event];
    if (list === undefined) hooks[event] = [hook];
    else list.push(hook);
  }
  return hooks as Hooks;
};
