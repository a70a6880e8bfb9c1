import type { Registry } from '../call/find.js';
import type { Guards } from '../call/guards.js';
import { InvalidOptionError } from '../contract/errors.js';
import type { ExecuteToolsOptions, ResultStore } from '../contract/options.js';
import type { PermissionOptions, Permissions } from '../contract/permissions.js';
import { type ConditionParser, readHooks, type TextStore } from '../hooks/index.js';
import { createPermissions, isConfigured, matchesRule, parseRule, promptsOf } from '../permissions/index.js';
import { callback, milliseconds } from './readOptions.js';

const defaultHookTimeoutMs = 60_000;

/**
 * What stands around the calls of a turn; nothing, where nothing is configured and no tool has a say of its own.
 *
 * @throws InvalidOptionError naming the option, what was expected and what came
 */
export const readGuards = (options: ExecuteToolsOptions, registry: Registry): Guards | undefined => {
  // Most turns have none, and must not pay for finding that out.
  if (!registry.hasChecks && names.every((name) => options[name] === undefined)) return undefined;
  const permissions = readPermissions(options.permissions);
  const guards: Guards = {
    hooks: readHooks(options.hooks, 'hooks', conditionsOf(permissions)),
    hookTimeoutMs: milliseconds('hookTimeoutMs', options.hookTimeoutMs) ?? defaultHookTimeoutMs,
    permissions,
    canUseTool: callback('canUseTool', options.canUseTool),
    classifier: readClassifier(options.classifier),
    repair: callback('inputRepair', options.inputRepair),
    store: readStore(options.resultStore),
  };
  const { hooks, canUseTool, classifier, repair } = guards;
  const isUsed = [hooks, canUseTool, classifier, repair].some((each) => each !== undefined);
  if (isUsed || registry.hasChecks || isConfigured(permissions)) return guards;
  // Shared permissions may get rules while the turn runs.
  return isShared(options.permissions) ? guards : undefined;
};

const names = [
  'hooks',
  'hookTimeoutMs',
  'permissions',
  'canUseTool',
  'classifier',
  'inputRepair',
  'resultStore',
] as const;

const isShared = (given: PermissionOptions | Permissions | undefined): given is Permissions =>
  typeof (given as Permissions | undefined)?.remember === 'function';

const readPermissions = (given: PermissionOptions | Permissions | undefined): Permissions => {
  if (!isShared(given)) return createPermissions(given);
  // Refuses what `createPermissions` has not made.
  promptsOf(given);
  return given;
};

/** Permissions know the syntax of rules; hooks stand beside them and do not. */
const conditionsOf =
  ({ options }: Permissions): ConditionParser =>
  (text, option) => {
    const { cwd, home } = options;
    const place = { option, ...(cwd === undefined ? {} : { cwd }), ...(home === undefined ? {} : { home }) };
    const rule = parseRule(text, 'if', place);
    return (call) => matchesRule(rule, call);
  };

const readClassifier = (given: ExecuteToolsOptions['classifier']): ExecuteToolsOptions['classifier'] => {
  if (given === undefined || typeof given?.classify === 'function') return given;
  throw new InvalidOptionError('classifier', 'an object with `classify`', given);
};

const readStore = (given: ResultStore | undefined): ((hook: string) => TextStore) | undefined => {
  if (given === undefined) return undefined;
  if (typeof given?.put !== 'function') {
    throw new InvalidOptionError('resultStore', 'an object with `put`', given);
  }
  return (hook) => (text) => given.put(text, { hook });
};
