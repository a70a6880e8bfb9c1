import type { HookAnswer, HookEventName } from '../contract/hooks.js';

/** What is wrong with a member, as the end of "expected … to be"; nothing where it may stand. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const anything: Check = () => undefined;
const record: Check = (value) => (isRecord(value) ? undefined : 'an object');
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string) ? undefined : `one of ${allowed.join(', ')}`;

const base = { additionalContext: text, continue: flag, stopReason: text, systemMessage: text };
const blocking = { ...base, decision: oneOf('block'), reason: text };
const modes = oneOf('default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions');
const behaviors = oneOf('allow', 'deny', 'ask');

const updates: Check = (value) =>
  Array.isArray(value) && value.every(isUpdate)
    ? undefined
    : "a list of { type: 'addRules', behavior, rule } and { type: 'setMode', mode }";

const isUpdate = (value: unknown): boolean =>
  isRecord(value) &&
  (value.type === 'setMode'
    ? modes(value.mode) === undefined
    : value.type === 'addRules' && behaviors(value.behavior) === undefined && typeof value.rule === 'string');

/** The members an answer may have, by point. */
const shapes: { readonly [E in HookEventName]: Readonly<Record<keyof HookAnswer<E>, Check>> } = {
  PreToolUse: {
    ...base,
    decision: oneOf('allow', 'deny', 'ask', 'defer'),
    reason: text,
    updatedInput: record,
  },
  PermissionRequest: {
    ...base,
    decision: oneOf('allow', 'deny'),
    updatedInput: record,
    updatedPermissions: updates,
    message: text,
    interrupt: flag,
  },
  PostToolUse: { ...blocking, updatedToolOutput: anything },
  PostToolUseFailure: base,
  PostToolBatch: blocking,
};

export type ReadAnswer<E extends HookEventName> =
  | { readonly answer: HookAnswer<E> | undefined; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Reads what a hook has answered: nothing, or an object of known members. Anything else is a fault, told in words.
 *
 * Strict on purpose. `{ permissionDecision: 'deny' }`, the form of another contract, read as "no opinion" would let
 * a call run that the hook means to stop.
 */
export const readAnswer = <E extends HookEventName>(event: E, value: unknown): ReadAnswer<E> => {
  if (value === undefined || value === null) return { answer: undefined };
  if (!isRecord(value)) return { fault: `it answered ${named(value)}, expected an object or nothing` };
  const shape: Readonly<Record<string, Check>> = shapes[event];
  const unknown = Object.keys(value).find((member) => !Object.hasOwn(shape, member));
  if (unknown !== undefined) {
    return {
      fault: `its answer has the unknown member ${quoted(unknown)}, expected ${Object.keys(shape).join(', ')}`,
    };
  }
  return readMembers<E>(shape, value);
};

const readMembers = <E extends HookEventName>(
  shape: Readonly<Record<string, Check>>,
  value: Readonly<Record<string, unknown>>,
): ReadAnswer<E> => {
  const answer: Record<string, unknown> = {};
  for (const [member, check] of Object.entries(shape)) {
    // Each is read once: a getter can't show one thing to the check and another to what follows.
    if (!(member in value)) continue;
    const given = value[member];
    const expected = given === undefined ? undefined : check(given);
    if (expected !== undefined) {
      return { fault: `its \`${member}\` is ${named(given)}, expected ${expected}` };
    }
    if (given !== undefined || member === 'updatedToolOutput') answer[member] = given;
  }
  return { answer: answer as HookAnswer<E> };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const named = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
};

const quoted = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
