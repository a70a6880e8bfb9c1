import type { HostTarget, PathTarget, RuleTarget } from '../contract/permissions.js';
import { matchesName } from './namePattern.js';
import { coversPath, mayHold, reachesPath } from './pathPattern.js';
import type { HostPattern, ParamPattern, Rule, RuleCall, RuleMatch } from './rule.js';
import { matchesCommand, matchesText } from './textPattern.js';

/** Tools that are named by a member of their input, as in `Agent(Explore)` and `Skill(review *)`. */
const namingMembers: Readonly<Record<string, readonly string[]>> = {
  Agent: ['subagent_type'],
  Task: ['subagent_type'],
  Skill: ['skill', 'args'],
};

/**
 * Whether a rule matches a call.
 *
 * An allow rule matches where it covers the whole call by itself; every other where it reaches any part of it, and
 * answers `unknown` where that can't be excluded. A hook whose `if` is not answered `no` is asked.
 */
export const matchesRule = (rule: Rule, call: RuleCall): RuleMatch => {
  if (rule.kind !== 'allow') return reaches(rule, call);
  const isCovered =
    call.targets.length === 0
      ? coversBareCall(rule, call)
      : call.targets.every((target) => covers(rule, call, target));
  return isCovered ? 'yes' : 'no';
};

/** Whether an allow rule covers a call that offers nothing to compare. */
export const coversBareCall = (rule: Rule, call: RuleCall): boolean => {
  if (!matchesName(rule.name, call.names)) return false;
  if (rule.content.type === 'any') return true;
  if (rule.content.type !== 'own' || rule.content.command === undefined) return false;
  const { command } = rule.content;
  return namedTexts(call, [call.parsed]).some((text) => matchesCommand(command, text));
};

/** Whether an allow rule covers one part of a call. */
export const covers = (rule: Rule, call: RuleCall, target: RuleTarget): boolean => {
  const { content, access } = rule;
  const isNamed = matchesName(rule.name, call.names);
  // Every use of the tool, so also what could not be looked into: there is nothing the rule would compare.
  if (content.type === 'any' && isNamed) return true;
  if (access !== undefined) {
    if (target.type !== 'path' || target.access !== access) return false;
    return content.type === 'any' || (content.type === 'path' && coversPath(content.path, target));
  }
  if (content.type !== 'own' || !isNamed) return false;
  if (target.type === 'path') return content.path !== undefined && coversPath(content.path, target);
  if (target.type === 'host') return content.host !== undefined && matchesHost(content.host, target);
  if (target.type !== 'command' || target.allowText === undefined) return false;
  return content.command !== undefined && matchesCommand(content.command, target.allowText);
};

const reaches = (rule: Rule, call: RuleCall): RuleMatch => {
  const isNamed = matchesName(rule.name, call.names);
  if (isNamed && rule.param !== undefined && hasParam(rule.param, call)) return 'yes';
  if (rule.access !== undefined) return reachesPaths(rule, rule.access, call, isNamed);
  const { content } = rule;
  if (content.type === 'any') return isNamed ? 'yes' : 'no';
  if (content.type !== 'own') return 'no';
  // A host that is denied is denied to whatever tool would talk to it.
  if (call.targets.some((target) => target.type === 'host' && reachesOwn(content, target))) return 'yes';
  return isNamed ? reachesNamed(rule, content, call) : 'no';
};

const reachesPaths = (rule: Rule, access: 'read' | 'edit', call: RuleCall, isNamed: boolean): RuleMatch => {
  const { content } = rule;
  if (content.type === 'any' && isNamed) return 'yes';
  const paths = call.targets.filter((target): target is PathTarget => target.type === 'path');
  // What may not be read may not be changed either: a change shows what was there, and can put a link in its place.
  const isMeant = (target: PathTarget): boolean =>
    target.access === access || (access === 'read' && rule.kind !== 'if');
  const isReached = (target: PathTarget): boolean =>
    content.type === 'any' || (content.type === 'path' && reachesPath(content.path, target));
  if (paths.some((target) => isMeant(target) && isReached(target))) return 'yes';
  if (content.type === 'path' && paths.some((target) => isMeant(target) && mayHold(content.path, target)))
    return 'unknown';
  if (call.targets.some(({ type }) => type === 'unparsed')) return 'unknown';
  return isNamed && paths.length === 0 ? 'unknown' : 'no';
};

type OwnContent = Extract<Rule['content'], { readonly type: 'own' }>;

const reachesNamed = (rule: Rule, content: OwnContent, call: RuleCall): RuleMatch => {
  if (call.targets.some((target) => reachesOwn(content, target))) return 'yes';
  if (call.targets.some(({ type }) => type === 'unparsed')) return 'unknown';
  const texts = namedTexts(call, [call.input, call.parsed]);
  if (content.command !== undefined && texts.some((text) => matchesCommand(content.command!, text)))
    return 'yes';
  const isCompared = texts.length > 0 || rule.param !== undefined;
  return isCompared || call.targets.some((target) => isComparable(content, target)) ? 'no' : 'unknown';
};

const isComparable = (content: OwnContent, { type }: RuleTarget): boolean =>
  type !== 'unparsed' && content[type] !== undefined;

const reachesOwn = ({ command, path, host }: OwnContent, target: RuleTarget): boolean => {
  if (target.type === 'path') return path !== undefined && reachesPath(path, target);
  if (target.type === 'host') return host !== undefined && matchesHost(host, target);
  if (target.type !== 'command' || command === undefined) return false;
  const { forms, allowText } = target;
  return [...forms, ...(allowText === undefined ? [] : [allowText])].some((text) =>
    matchesCommand(command, text),
  );
};

const matchesHost = ({ host, below }: HostPattern, target: HostTarget): boolean => {
  const actual = target.host.toLowerCase().replace(/\.$/, '');
  if (host === '*') return true;
  return below ? actual.endsWith(`.${host}`) : actual === host;
};

/** Tested on what the model wrote and on what its schema made of it: a default or a transform may add a member. */
const hasParam = ({ member, value }: ParamPattern, { input, parsed }: RuleCall): boolean =>
  [input, parsed].some((each) => {
    const scalar = ownScalar(each, member);
    return scalar !== undefined && matchesText(value, scalar);
  });

const ownScalar = (input: unknown, member: string): string | undefined => {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, member)) return undefined;
  const value = (input as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol'
    ? undefined
    : String(value);
};

const namedTexts = ({ names }: RuleCall, inputs: readonly unknown[]): readonly string[] => {
  const members = names.flatMap((name) => (Object.hasOwn(namingMembers, name) ? namingMembers[name]! : []));
  return inputs
    .map((input) => members.map((member) => ownScalar(input, member)).filter((text) => text !== undefined))
    .filter((words) => words.length > 0)
    .map((words) => words.join(' '));
};
