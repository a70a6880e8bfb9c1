import type { Permissions, RuleTarget } from '../contract/permissions.js';
import { isBelow } from './folders.js';
import { covers, coversBareCall, matchesRule } from './match.js';
import { type PermissionStore, storeOf } from './permissions.js';
import { protectedPathOf } from './protectedPaths.js';
import type { Rule, RuleCall } from './rule.js';
import type { RuleVerdict } from './verdict.js';

/**
 * What the rules say of a call: a deny rule before an ask rule before allow rules, however specific they are.
 *
 * Every part must be covered by some allow rule; a deny or ask rule needs to reach only one.
 *
 * @throws InvalidOptionError for permissions that `createPermissions` did not make
 */
export const judgeRules = (permissions: Permissions, call: RuleCall): RuleVerdict => {
  const store = storeOf(permissions);
  const denies = matching(store.rules('deny'), call);
  const asks = matching(store.rules('ask'), call);
  const allow = allowing(store, call);
  const [behavior, rule] = strictest(denies, asks) ?? [allow.isWhole ? 'allow' : 'none', allow.rule];
  const unparsed = allow.uncovered.find((target) => target.type === 'unparsed');
  const protectedPath = protectedPathOf(call.targets, store.options.cwd, store.home);
  return {
    behavior,
    ...(rule === undefined ? undefined : { rule: namedRule(rule) }),
    uncovered: allow.uncovered,
    ...(unparsed === undefined ? undefined : { unparsed: unparsed.reason }),
    ...(protectedPath === undefined ? undefined : { protectedPath }),
    isWithinDirectories: isWithin(
      [...allow.uncovered, ...call.targets.filter(isOfCommand)],
      store.workingDirectories,
    ),
  };
};

interface Matching {
  readonly yes: Rule | undefined;
  readonly unknown: Rule | undefined;
}

const matching = (rules: readonly Rule[], call: RuleCall): Matching => {
  let unknown: Rule | undefined;
  for (const rule of rules) {
    const match = matchesRule(rule, call);
    if (match === 'yes') return { yes: rule, unknown };
    if (match === 'unknown') unknown ??= rule;
  }
  return { yes: undefined, unknown };
};

const strictest = (
  denies: Matching,
  asks: Matching,
): readonly ['deny' | 'ask' | 'unsure', Rule] | undefined => {
  if (denies.yes !== undefined) return ['deny', denies.yes];
  // An unsure denial is asked about as an ask rule is, and says more: the person should know what it may be.
  if (denies.unknown !== undefined) return ['unsure', denies.unknown];
  if (asks.yes !== undefined) return ['ask', asks.yes];
  return asks.unknown === undefined ? undefined : ['unsure', asks.unknown];
};

interface Allowing {
  readonly isWhole: boolean;
  readonly rule: Rule | undefined;
  readonly uncovered: readonly RuleTarget[];
}

/** What a command's words name is allowed with the command, but not outside of where the work is. */
const isOfCommand = (target: RuleTarget): boolean => target.type === 'path' && target.ofCommand === true;

const allowing = (store: PermissionStore, call: RuleCall): Allowing => {
  const rules = store.rules('allow');
  if (call.targets.length === 0) {
    const rule = rules.find((each) => coversBareCall(each, call));
    return { isWhole: rule !== undefined, rule, uncovered: [] };
  }
  const folders = store.workingDirectories;
  const own = call.targets.filter((target) => !isOfCommand(target) || !isInside(target, folders));
  const covering = own.map((target) => coveringRule(store, call, target));
  const uncovered = own.filter((_target, at) => covering[at] === undefined);
  return {
    isWhole: uncovered.length === 0,
    rule: uncovered.length === 0 ? covering[0] : undefined,
    uncovered,
  };
};

/** The allow rule that covers a part of a call; where it takes several, for a link and what it leads to, the first. */
export const coveringRule = (
  store: PermissionStore,
  call: RuleCall,
  target: RuleTarget,
): Rule | undefined => {
  const rules = partsOf(target).map((part) => store.rules('allow').find((rule) => covers(rule, call, part)));
  return rules.includes(undefined) ? undefined : rules[0];
};

/** A target as what must be covered each by itself: the name of a link and its real path are two. */
export const partsOf = (target: RuleTarget): readonly RuleTarget[] =>
  target.type === 'path' ? target.paths.map((path) => ({ ...target, paths: [path] })) : [target];

const namedRule = ({ text, source }: Rule): NonNullable<RuleVerdict['rule']> =>
  source === undefined ? { text } : { text, source };

/** Paths below the working directories, and commands that only read: what `acceptEdits` is for. */
const isWithin = (targets: readonly RuleTarget[], folders: readonly string[]): boolean =>
  targets.length > 0 &&
  targets.every((target) => {
    // What a command reads is a target of its own, so it is looked at too.
    if (target.type === 'command') return target.isReadOnly;
    if (target.type !== 'path') return false;
    return isInside(target, folders);
  });

const isInside = (target: RuleTarget, folders: readonly string[]): boolean =>
  target.type === 'path' && target.paths.every((path) => folders.some((folder) => isBelow(path, folder)));

const ranks = { none: 0, allow: 0, ask: 1, unsure: 2, deny: 3 } as const;

/**
 * The verdict that holds where a hook or a person changed the input (law 9): what forbade the original still forbids,
 * and only what is said of the final input can allow.
 */
export const strictestVerdict = (original: RuleVerdict, final: RuleVerdict): RuleVerdict => {
  if (ranks[original.behavior] <= ranks[final.behavior]) return final;
  const { rule: _rule, ...rest } = final;
  return { ...rest, behavior: original.behavior, ...(original.rule && { rule: original.rule }) };
};
