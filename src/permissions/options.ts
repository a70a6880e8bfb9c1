import { InvalidOptionError } from '../contract/errors.js';
import type { PermissionBehavior, PermissionOptions, PermissionRules } from '../contract/permissions.js';
import { isAbsolute } from './folders.js';
import { isMode } from './modes.js';
import type { RulePlace } from './rule.js';

export const behaviors = ['deny', 'ask', 'allow'] as const satisfies readonly PermissionBehavior[];

/** The rules of one source, checked but for their syntax. */
export interface RuleSource {
  readonly option: string;
  readonly rules: Readonly<Partial<Record<PermissionBehavior, readonly string[]>>>;
  readonly base?: string;
  readonly source?: string;
}

export interface ReadOptions {
  /** A frozen copy. */
  readonly options: PermissionOptions;
  readonly sources: readonly RuleSource[];
  readonly place: Omit<RulePlace, 'option'>;
}

const known: ReadonlySet<string> = new Set([
  'mode',
  'rules',
  'cwd',
  'home',
  'additionalDirectories',
  'timeoutMs',
]);
const knownOfRules: ReadonlySet<string> = new Set([...behaviors, 'base', 'source']);

/**
 * Checks all options but the syntax of rules, and copies them.
 *
 * @throws InvalidOptionError
 */
export const readOptions = (given: PermissionOptions, option: string): ReadOptions => {
  refuseUnknown(given, known, option);
  const { mode, timeoutMs, rules = [] } = given;
  if (mode !== undefined && typeof mode !== 'function' && !isMode(mode)) {
    throw new InvalidOptionError(`${option}.mode`, 'a permission mode or a function', mode);
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    throw new InvalidOptionError(`${option}.timeoutMs`, 'a number of milliseconds above 0', timeoutMs);
  }
  const place = readFolders(given, option);
  const sources = readSources(rules, `${option}.rules`);
  const copies = sources.map(({ rules: lists, option: _option, ...rest }) =>
    Object.freeze({ ...lists, ...rest }),
  );
  return { options: Object.freeze({ ...given, ...place, rules: Object.freeze(copies) }), sources, place };
};

const readFolders = (
  { cwd, home, additionalDirectories = [] }: PermissionOptions,
  option: string,
): Omit<RulePlace, 'option'> => {
  checkFolder(cwd, `${option}.cwd`);
  checkFolder(home, `${option}.home`);
  const beside: unknown = additionalDirectories;
  if (!Array.isArray(beside)) {
    throw new InvalidOptionError(`${option}.additionalDirectories`, 'a list of folders', beside);
  }
  beside.forEach((folder: unknown, at) => {
    checkFolder(folder ?? null, `${option}.additionalDirectories[${at}]`);
  });
  return {
    ...(cwd === undefined ? undefined : { cwd }),
    ...(home === undefined ? undefined : { home }),
    additionalDirectories: Object.freeze([...additionalDirectories]),
  };
};

const readSources = (rules: unknown, option: string): readonly RuleSource[] =>
  Array.isArray(rules)
    ? rules.map((each: unknown, at) => readSource(each, `${option}[${at}]`))
    : [readSource(rules, option)];

const readSource = (given: unknown, option: string): RuleSource => {
  refuseUnknown(given, knownOfRules, option);
  const { base, source, ...lists } = given as PermissionRules;
  checkFolder(base, `${option}.base`);
  if (source !== undefined && typeof source !== 'string') {
    throw new InvalidOptionError(`${option}.source`, 'a text', source);
  }
  const rules: Partial<Record<PermissionBehavior, readonly string[]>> = {};
  for (const behavior of behaviors) {
    const list: unknown = lists[behavior];
    if (list === undefined) continue;
    if (!Array.isArray(list)) throw new InvalidOptionError(`${option}.${behavior}`, 'a list of rules', list);
    rules[behavior] = Object.freeze([...(list as readonly string[])]);
  }
  return {
    option,
    rules,
    ...(base === undefined ? undefined : { base }),
    ...(source === undefined ? undefined : { source }),
  };
};

/** A misspelt list of deny rules would deny nothing. */
const refuseUnknown = (given: unknown, names: ReadonlySet<string>, option: string): void => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidOptionError(option, 'an object', given);
  }
  for (const name of Object.keys(given)) {
    if (!names.has(name)) throw new InvalidOptionError(option, `one of ${[...names].join(', ')}`, name);
  }
};

const checkFolder = (folder: unknown, option: string): void => {
  if (folder === undefined) return;
  if (typeof folder === 'string' && isAbsolute(folder) && !/(^|[\\/])\.{1,2}([\\/]|$)/.test(folder)) return;
  throw new InvalidOptionError(option, 'an absolute folder without `.` or `..`', folder);
};
