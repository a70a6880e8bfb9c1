import { asyncScheduler, isObservable, type Observable, type SchedulerLike } from 'rxjs';
import type { SlotLimits } from '../../operators/slots.js';
import { type Registry, registerTools } from '../call/find.js';
import type { Guards } from '../call/guards.js';
import { InvalidOptionError } from '../contract/errors.js';
import type { ExecuteToolsOptions, LateEvent, StartRule } from '../contract/options.js';
import type { ToolUse } from '../contract/toolUse.js';
import { readGuards } from './guards.js';
import { readLimits } from './limits.js';
import { type LendableSlots, LentPool, TurnPool } from './pool.js';
import { callback, milliseconds } from './readOptions.js';

/** The options of a turn, read and checked once. */
export interface Settings {
  readonly options: ExecuteToolsOptions;
  readonly registry: Registry;
  readonly scheduler: SchedulerLike;
  readonly limits: SlotLimits;
  readonly pool: LendableSlots | undefined;
  readonly start: StartRule;
  readonly siblingAbort: 'turn' | 'batch' | 'off';
  readonly timeoutMs: number;
  readonly graceMs: number | undefined;
  readonly offered: ((name: string) => boolean) | undefined;
  readonly isSchemaSent: ((name: string) => boolean) | undefined;
  readonly priority: ((call: ToolUse) => number) | undefined;
  readonly onLate: ((late: LateEvent) => void) | undefined;
  readonly controls: Readonly<Record<'interrupt$' | 'discard$', Observable<unknown> | undefined>>;
  readonly signal: AbortSignal | undefined;
  readonly guards: Guards | undefined;
  readonly onDeny: 'call' | 'rest-of-turn';
  readonly random: () => number;
}

const defaultTimeoutMs = 600_000;
const startRules = ['eager', 'eager-safe', 'after-message'] as const;
const siblingScopes = ['turn', 'batch', 'off'] as const;
const denialScopes = ['call', 'rest-of-turn'] as const;

/** @throws InvalidOptionError naming the option, what was expected and what came */
export const readSettings = (options: ExecuteToolsOptions): Settings => {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError('options', 'an object with `tools`', options);
  }
  refuseUnknown(options);
  const siblingAbort = oneOf('siblingAbort', siblingScopes, options.siblingAbort ?? 'turn');
  const registry = registerTools(options.tools);
  return {
    options,
    registry,
    scheduler: readScheduler(options.scheduler),
    limits: readLimits(options.limits, 'limits'),
    pool: readPool(options.pool),
    start: oneOf('start', startRules, options.start ?? 'eager'),
    siblingAbort: registry.canCascade ? siblingAbort : 'off',
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs) ?? defaultTimeoutMs,
    graceMs: milliseconds('graceMs', options.graceMs),
    offered: callback('offered', options.offered),
    isSchemaSent: callback('isSchemaSent', options.isSchemaSent),
    priority: callback('priority', options.priority),
    onLate: callback('onLate', options.onLate),
    controls: {
      interrupt$: observable('interrupt$', options.interrupt$),
      discard$: observable('discard$', options.discard$),
    },
    signal: readSignal(options.signal),
    guards: readGuards(options, registry),
    onDeny: oneOf('onDeny', denialScopes, options.onDeny ?? 'call'),
    random: callback('random', options.random) ?? Math.random,
  };
};

const known: Readonly<Record<keyof ExecuteToolsOptions, true>> = {
  tools: true,
  offered: true,
  isSchemaSent: true,
  context: true,
  signal: true,
  interrupt$: true,
  discard$: true,
  start: true,
  limits: true,
  pool: true,
  priority: true,
  siblingAbort: true,
  timeoutMs: true,
  graceMs: true,
  onLate: true,
  hooks: true,
  hookTimeoutMs: true,
  permissions: true,
  canUseTool: true,
  classifier: true,
  onDeny: true,
  inputRepair: true,
  resultStore: true,
  random: true,
  scheduler: true,
};

/** An option that is not applied must not look as if it were: a permission that nobody asks allows everything. */
const refuseUnknown = (options: object): void => {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new InvalidOptionError('options', `made of ${Object.keys(known).join(', ')}`, unknown);
};

const readScheduler = (scheduler: SchedulerLike | undefined): SchedulerLike => {
  if (scheduler === undefined) return asyncScheduler;
  if (typeof scheduler?.now === 'function' && typeof scheduler.schedule === 'function') return scheduler;
  throw new InvalidOptionError('scheduler', 'a scheduler of RxJS', scheduler);
};

const readPool = (pool: unknown): LendableSlots | undefined => {
  if (pool === undefined) return undefined;
  if (pool instanceof TurnPool || pool instanceof LentPool) return pool.slots;
  throw new InvalidOptionError('pool', 'what createPool() returns', pool);
};

const readSignal = (signal: unknown): AbortSignal | undefined => {
  if (signal === undefined) return undefined;
  if (typeof (signal as AbortSignal | null)?.addEventListener === 'function') return signal as AbortSignal;
  throw new InvalidOptionError('signal', 'an AbortSignal', signal);
};

const observable = (name: string, value: unknown): Observable<unknown> | undefined => {
  if (value === undefined || isObservable(value)) return value;
  throw new InvalidOptionError(name, 'an Observable', value);
};

const oneOf = <T extends string>(name: string, allowed: readonly T[], value: T): T => {
  if (allowed.includes(value)) return value;
  throw new InvalidOptionError(name, `one of ${allowed.join(', ')}`, value);
};
