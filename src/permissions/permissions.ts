import { InvalidOptionError } from '../contract/errors.js';
import type {
  PermissionBehavior,
  PermissionMode,
  PermissionOptions,
  Permissions,
  RuleUpdate,
} from '../contract/permissions.js';
import { isMode } from './modes.js';
import { behaviors, type RuleSource, readOptions } from './options.js';
import { Prompts } from './prompts.js';
import type { Rule, RulePlace } from './rule.js';
import { parseRule } from './rules.js';

/**
 * Rules and mode that outlive a turn: what is remembered in one holds in the next, and prompts of all turns that
 * share it are shown one at a time.
 *
 * Everything is read once, here; what becomes of the given objects afterwards changes nothing. Folders are compared
 * with real paths, so `cwd` had better be one.
 *
 * @param options mode, rules, and the absolute folders patterns start from; default: mode `default`, no rules
 * @throws InvalidOptionError for an option that can't be meant, and for every rule that can't be understood
 * @example
 * ```ts
 * const permissions = createPermissions({
 *   cwd: '/home/me/project',
 *   rules: { allow: ['Bash(npm run *)', 'Edit(src/**)'], deny: ['Read(.env)'], ask: ['Bash(git push:*)'] },
 * });
 * ```
 */
export const createPermissions = (options: PermissionOptions = {}): Permissions =>
  new PermissionStore(options);

/** What `createPermissions` makes. Internal. */
export class PermissionStore implements Permissions {
  readonly options: PermissionOptions;
  readonly prompts = new Prompts();
  readonly #rules: Record<PermissionBehavior, readonly Rule[]> = { allow: [], deny: [], ask: [] };
  readonly #place: Omit<RulePlace, 'option'>;
  #mode: PermissionOptions['mode'];
  #version = 0;
  #warnings: readonly string[] = [];

  constructor(given: PermissionOptions) {
    const { options, sources, place } = readOptions(given, 'permissions');
    this.options = options;
    this.#place = place;
    this.#mode = options.mode;
    for (const source of sources) this.#addSource(source);
  }

  get version(): number {
    return this.#version;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  get mode(): NonNullable<PermissionOptions['mode']> {
    return this.#mode ?? 'default';
  }

  get isConfigured(): boolean {
    return this.#mode !== undefined || behaviors.some((behavior) => this.#rules[behavior].length > 0);
  }

  /** Absolute folders where edits may be accepted by mode. */
  get workingDirectories(): readonly string[] {
    const { cwd, additionalDirectories = [] } = this.#place;
    return cwd === undefined ? additionalDirectories : [cwd, ...additionalDirectories];
  }

  get home(): string | undefined {
    return this.#place.home;
  }

  rules(behavior: PermissionBehavior): readonly Rule[] {
    return this.#rules[behavior];
  }

  remember(updates: readonly RuleUpdate[]): void {
    if (!Array.isArray(updates)) throw new InvalidOptionError('updates', 'a list of rule updates', updates);
    const rules = updates.map((update: RuleUpdate, at) => {
      const option = `updates[${at}]`;
      if (!behaviors.includes(update?.behavior)) {
        throw new InvalidOptionError(`${option}.behavior`, behaviors.join(', '), update?.behavior);
      }
      return this.read(update.rule, update.behavior, { option: `${option}.rule`, source: 'remembered' });
    });
    const added = rules.filter((rule, at) => !this.#has(rule) && firstOf(rules, rule) === at);
    if (added.length === 0) return;
    this.#add(added);
    this.#version++;
  }

  setMode(mode: PermissionMode): void {
    if (!isMode(mode)) throw new InvalidOptionError('mode', 'a permission mode', mode);
    const isNew = mode !== this.mode;
    this.#mode = mode;
    if (isNew) this.#version++;
  }

  /** Reads a rule with the folders of this one. */
  read(text: string, behavior: PermissionBehavior, place: RulePlace): Rule {
    return Object.freeze(parseRule(text, behavior, { ...this.#place, ...place }));
  }

  #addSource({ option, rules, source, base }: RuleSource): void {
    const place = { ...(source === undefined ? {} : { source }), ...(base === undefined ? {} : { base }) };
    for (const behavior of behaviors) {
      const texts = rules[behavior] ?? [];
      this.#add(
        texts.map((text, at) =>
          this.read(text, behavior, { ...place, option: `${option}.${behavior}[${at}]` }),
        ),
      );
    }
  }

  #add(rules: readonly Rule[]): void {
    for (const behavior of behaviors) {
      const more = rules.filter(({ kind }) => kind === behavior);
      if (more.length > 0) this.#rules[behavior] = [...this.#rules[behavior], ...more];
    }
    const warnings = rules.map(({ warning }) => warning).filter((warning) => warning !== undefined);
    this.#warnings = Object.freeze([...this.#warnings, ...warnings]);
  }

  #has(rule: Rule): boolean {
    return this.#rules[rule.kind as PermissionBehavior].some(
      ({ text, source }) => text === rule.text && source === rule.source,
    );
  }
}

const firstOf = (rules: readonly Rule[], rule: Rule): number =>
  rules.findIndex(({ text, kind }) => text === rule.text && kind === rule.kind);

/** @throws InvalidOptionError for what was not made by `createPermissions`: nobody else reads rules once and for all. */
export const storeOf = (permissions: Permissions): PermissionStore => {
  if (permissions instanceof PermissionStore) return permissions;
  throw new InvalidOptionError('permissions', 'what `createPermissions` makes', permissions);
};

/** The line in which prompts of all turns that share the permissions wait. */
export const promptsOf = (permissions: Permissions): Prompts => storeOf(permissions).prompts;

/** Whether there is a mode or a rule: folders alone decide nothing, and leave everything allowed. */
export const isConfigured = (permissions: Permissions): boolean => storeOf(permissions).isConfigured;
