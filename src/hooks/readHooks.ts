import { InvalidOptionError } from '../contract/errors.js';
import type { Hook, HookEventName, HookFunction, Hooks } from '../contract/hooks.js';
import type { Condition, ConditionParser, HookSet, ReadyHook } from './hookSet.js';
import { readMatcher } from './matcher.js';

/** The points hooks are asked at, in the order of a call's life. */
export const hookEvents = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
] as const satisfies readonly HookEventName[];

/** What these decide must not be lost with a broken hook: they fail closed. */
const deciders: ReadonlySet<HookEventName> = new Set(['PreToolUse', 'PermissionRequest']);
const members = ['name', 'key', 'matcher', 'if', 'timeoutMs', 'onFailure', 'run'];

/**
 * Checks the hooks of a turn once, when it is made.
 *
 * @param parseCondition reads the `if` of a hook
 * @returns the hooks in configured order; `undefined` where there are none
 * @throws InvalidOptionError naming the hook, what was expected and what came
 */
export const readHooks = (
  hooks: Hooks | undefined,
  where: string,
  parseCondition?: ConditionParser,
): HookSet | undefined => {
  if (hooks === undefined) return undefined;
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) {
    throw new InvalidOptionError(where, 'an object of lists of hooks', hooks);
  }
  const unknown = Object.keys(hooks).find((event) => !(hookEvents as readonly string[]).includes(event));
  if (unknown !== undefined) {
    throw new InvalidOptionError(where, `lists for ${hookEvents.join(', ')}`, unknown);
  }
  const read: Partial<Record<HookEventName, readonly ReadyHook[]>> = {};
  for (const event of hookEvents) {
    const list = readList(event, hooks[event], `${where}.${event}`, parseCondition);
    if (list.length > 0) read[event] = list;
  }
  return Object.keys(read).length === 0 ? undefined : (Object.freeze(read) as HookSet);
};

const readList = (
  event: HookEventName,
  list: unknown,
  where: string,
  parseCondition: ConditionParser | undefined,
): readonly ReadyHook[] => {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new InvalidOptionError(where, 'a list of hooks', list);
  return list.map((hook: unknown, index) =>
    Object.freeze(readHook(event, hook, `${where}[${index}]`, `${event}[${index}]`, parseCondition)),
  );
};

const readHook = (
  event: HookEventName,
  given: unknown,
  where: string,
  place: string,
  parseCondition: ConditionParser | undefined,
): ReadyHook => {
  const hook = asHook(given, where);
  const { timeoutMs, onFailure = deciders.has(event) ? 'deny' : 'continue' } = hook;
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0)) {
    throw new InvalidOptionError(`${where}.timeoutMs`, 'a number of milliseconds from 0 up', timeoutMs);
  }
  if (onFailure !== 'deny' && onFailure !== 'continue') {
    throw new InvalidOptionError(`${where}.onFailure`, "'deny' or 'continue'", onFailure);
  }
  return {
    event,
    name: nameOf(hook, given, where) ?? place,
    identity: readText(hook.key, `${where}.key`) ?? identityOf(hook),
    matches: readMatcher(notForBatches(event, hook.matcher, `${where}.matcher`), `${where}.matcher`),
    condition: readCondition(notForBatches(event, hook.if, `${where}.if`), `${where}.if`, parseCondition),
    timeoutMs,
    onFailure,
    // With its object as `this`: a hook may be an instance of a class.
    run: hook === given ? (input) => hook.run(input) : hook.run,
  };
};

/** Instances of one class share their `run`, and are different hooks all the same. */
const identityOf = (hook: Hook): unknown => (Object.hasOwn(hook, 'run') ? hook.run : hook);

const asHook = (given: unknown, where: string): Hook => {
  if (typeof given === 'function') return { run: given as HookFunction<HookEventName> };
  if (typeof given !== 'object' || given === null) {
    throw new InvalidOptionError(where, 'a function or an object with `run`', given);
  }
  if (typeof (given as Hook).run !== 'function') {
    throw new InvalidOptionError(`${where}.run`, 'a function', (given as Hook).run);
  }
  // `matchers: 'Bash'` would make a hook of every tool out of one for shells. A class may have members of its own.
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(given));
  const unknown = isPlain && Object.keys(given).find((member) => !members.includes(member));
  if (typeof unknown === 'string')
    throw new InvalidOptionError(where, `made of ${members.join(', ')}`, unknown);
  return given as Hook;
};

const nameOf = (hook: Hook, given: unknown, where: string): string | undefined => {
  const name = readText(hook.name, `${where}.name`);
  if (name !== undefined) return name;
  const own = hook.run.name;
  // A method is called `run` because the contract calls it so.
  return own === '' || (given === hook && own === 'run') ? undefined : own;
};

const readText = (text: unknown, where: string): string | undefined => {
  if (text === undefined || (typeof text === 'string' && text !== '')) return text;
  throw new InvalidOptionError(where, 'a text that is not empty', text);
};

/** A batch has many tools: what was meant by naming one can't be guessed. */
const notForBatches = (event: HookEventName, text: string | undefined, where: string): string | undefined => {
  if (event !== 'PostToolBatch' || text === undefined) return text;
  throw new InvalidOptionError(where, 'left out, for a batch is no single tool', text);
};

const readCondition = (
  text: string | undefined,
  where: string,
  parse: ConditionParser | undefined,
): Condition | undefined => {
  if (readText(text, where) === undefined) return undefined;
  if (parse === undefined) throw new InvalidOptionError(where, 'left out: no rules can be read here', text);
  return parse(text as string, where);
};
