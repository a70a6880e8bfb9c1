import fc from 'fast-check';
import type { PermissionMode } from '../../src/index.js';
import { callSpec, consistent, type Schedule, sometimes, turnSpec, usually } from './schedule.js';

/** How somebody who is asked takes their time. Milliseconds; 0: at once; `Infinity`: never. */
export interface Pace {
  readonly ms: number;
  /** A thenable can't be left: only its signal says that nobody waits any more. */
  readonly form: 'observable' | 'thenable';
}

/** Input in place of what was there. A tool's safety follows from its input. */
export interface Rewriting {
  readonly valid: boolean;
  readonly safe: boolean;
}

/** What a hook does of one call. Behind a tool `allow` is nothing, and a rewriting replaces the output. */
export interface HookAct extends Pace {
  readonly does: 'nothing' | 'allow' | 'deny' | 'ask' | 'defer' | 'throw' | 'rubbish' | 'halt';
  readonly rewrites: Rewriting | undefined;
}

/** A change of the rules: of all uses of a call's tool, or of one variant of its input. */
export interface RuleSpec {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly variant: Variant | '*';
}

/** Who wrote the input: the model, a repair, the two hooks, a hook that answers prompts, a person. */
export type Variant = 'm' | 'r' | 'h0' | 'h1' | 'q' | 'p';

export interface RequestAct extends Pace {
  readonly does: 'nothing' | 'allow' | 'deny' | 'interrupt' | 'throw' | 'rubbish';
  readonly rewrites: Rewriting | undefined;
  readonly updates: RuleSpec | PermissionMode | undefined;
}

export interface PromptAct extends Pace {
  readonly does: 'allow' | 'deny' | 'interrupt' | 'throw' | 'rubbish';
  readonly rewrites: Rewriting | undefined;
  readonly remembers: RuleSpec | undefined;
}

export interface RetrySpec {
  readonly maxAttempts: number;
  readonly attemptTimeoutMs: number | undefined;
  /** So many attempts fail in a way that may pass. */
  readonly failures: number;
  /** They may have taken effect. */
  readonly unknown: boolean;
  readonly idempotent: boolean;
  readonly initialMs: number;
  readonly jitter: number;
}

/** What stands around one call. */
export interface CallGuards {
  readonly pre: readonly [HookAct, HookAct];
  readonly request: RequestAct;
  readonly post: HookAct;
  /** One for each time that a person is asked; the last one stands for all that follow. */
  readonly prompts: readonly PromptAct[];
  readonly check:
    | (Pace & { readonly says: 'nothing' | 'allow' | 'ask' | 'interact' | 'deny' | 'throw' | 'rubbish' })
    | undefined;
  readonly classifier: Pace & { readonly says: 'allow' | 'ask' | 'throw'; readonly applies: boolean };
  readonly rules: readonly RuleSpec[];
  /** What the tool offers rules to compare. */
  readonly target: 'none' | 'read' | 'edit';
  readonly repair: Pace & { readonly does: 'valid' | 'invalid' | 'nothing' | 'throw' };
  readonly retry: RetrySpec | undefined;
  readonly idleMs: number | undefined;
}

/** Somebody changes the shared permissions while the turn runs. */
export interface ChangeSpec {
  readonly at: number;
  /** Which call's rules; taken round the number of calls. */
  readonly call: number;
  readonly change: RuleSpec | PermissionMode;
}

/** What stands around a turn. */
export interface TurnGuards {
  readonly pre: 0 | 1 | 2;
  /** The first hook stands in the list once more. */
  readonly twice: boolean;
  readonly request: boolean;
  readonly post: boolean;
  readonly batch: HookAct | undefined;
  readonly onFailure: 'deny' | 'continue' | undefined;
  readonly mode: PermissionMode | undefined;
  readonly canUseTool: boolean;
  readonly permissionMs: number | undefined;
  readonly classifier: boolean;
  readonly repair: boolean;
  readonly onDeny: 'call' | 'rest-of-turn';
  readonly changes: readonly ChangeSpec[];
  readonly random: number;
  /** Slots shared with another turn, whose calls take so long each. */
  readonly pool: { readonly slots: number; readonly others: readonly number[] } | undefined;
}

const endless = Number.POSITIVE_INFINITY;

/** Never in the same instant with the answers: those come at whole milliseconds. */
export const hookTimeoutMs = 4.5;

const pace = {
  ms: usually(0, 1, 2, 3, 7, endless),
  form: usually<Pace['form']>('observable', 'thenable'),
};

const rewriting = fc.record({ valid: usually(true, true, true, false), safe: fc.boolean() });

const hookAct: fc.Arbitrary<HookAct> = fc.record({
  ...pace,
  does: fc.oneof(
    { weight: 8, arbitrary: fc.constant<HookAct['does']>('nothing') },
    { weight: 3, arbitrary: fc.constant<HookAct['does']>('allow') },
    {
      weight: 5,
      arbitrary: fc.constantFrom<HookAct['does']>('deny', 'ask', 'defer', 'throw', 'rubbish', 'halt'),
    },
  ),
  rewrites: sometimes(rewriting, 2),
});

const ruleSpec: fc.Arbitrary<RuleSpec> = fc.record({
  behavior: fc.constantFrom('allow', 'deny', 'ask'),
  variant: fc.constantFrom('*', 'm', 'h0', 'h1', 'q', 'p', 'r'),
});

const mode = fc.constantFrom<PermissionMode>(
  'default',
  'acceptEdits',
  'plan',
  'auto',
  'dontAsk',
  'bypassPermissions',
);

const callGuards: fc.Arbitrary<CallGuards> = fc.record({
  pre: fc.tuple(hookAct, hookAct),
  request: fc.record({
    ...pace,
    does: usually<RequestAct['does']>('nothing', 'allow', 'allow', 'deny', 'interrupt', 'throw', 'rubbish'),
    rewrites: sometimes(rewriting, 2),
    updates: sometimes(fc.oneof(ruleSpec, mode), 1),
  }),
  post: hookAct,
  prompts: fc.array(
    fc.record({
      ...pace,
      does: usually<PromptAct['does']>('allow', 'allow', 'deny', 'interrupt', 'throw', 'rubbish'),
      rewrites: sometimes(rewriting, 2),
      remembers: sometimes(ruleSpec),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  check: sometimes(
    fc.record({
      ...pace,
      // Left as an Observable is: what a check gets has no signal of its own.
      form: fc.constant<Pace['form']>('observable'),
      says: fc.constantFrom('nothing', 'allow', 'ask', 'ask', 'interact', 'deny', 'throw', 'rubbish'),
    }),
    2,
  ),
  classifier: fc.record({
    ...pace,
    says: usually<'allow' | 'ask' | 'throw'>('allow', 'ask', 'throw'),
    applies: usually(true, false),
  }),
  rules: fc.array(ruleSpec, { maxLength: 2 }),
  target: usually<CallGuards['target']>('none', 'read', 'edit'),
  repair: fc.record({
    ...pace,
    does: usually<'valid' | 'invalid' | 'nothing' | 'throw'>('valid', 'invalid', 'nothing', 'throw'),
  }),
  retry: sometimes(
    fc.record({
      maxAttempts: fc.integer({ min: 1, max: 3 }),
      attemptTimeoutMs: sometimes(fc.integer({ min: 1, max: 4 }), 2),
      failures: fc.integer({ min: 0, max: 3 }),
      unknown: usually(false, true),
      idempotent: fc.boolean(),
      initialMs: fc.integer({ min: 0, max: 4 }),
      jitter: fc.constantFrom(0, 0.5, 1),
    }),
    2,
  ),
  idleMs: sometimes(fc.integer({ min: 1, max: 6 }), 6),
});

const turnGuards: fc.Arbitrary<TurnGuards> = fc.record({
  pre: fc.constantFrom(0, 1, 2),
  twice: usually(false, true),
  request: fc.boolean(),
  post: fc.boolean(),
  batch: sometimes(hookAct, 3),
  onFailure: fc.constantFrom(undefined, 'deny', 'continue'),
  mode: sometimes(mode, 1),
  canUseTool: usually(true, false),
  permissionMs: sometimes(fc.constantFrom(2.5, 5.5, 9.5), 1),
  classifier: usually(false, true),
  repair: fc.boolean(),
  onDeny: usually<TurnGuards['onDeny']>('call', 'rest-of-turn'),
  changes: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 12 }),
      call: fc.integer({ min: 0, max: 8 }),
      change: fc.oneof({ weight: 3, arbitrary: ruleSpec }, { weight: 1, arbitrary: mode }),
    }),
    { maxLength: 2 },
  ),
  random: fc.constantFrom(0, 0.5, 0.75),
  pool: sometimes(
    fc.record({
      slots: fc.constantFrom(1, 2),
      others: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    }),
  ),
});

/**
 * Schedules of everything, with guards around the calls. A person who never answers has a limit; some turns have safe
 * calls alone, and a person who is asked about them, so that many prompts and slots are wanted together.
 */
export const guardedSchedule: fc.Arbitrary<Schedule> = fc
  .record({
    calls: fc.array(fc.record({ spec: callSpec, guards: callGuards }), { minLength: 1, maxLength: 6 }),
    ...turnSpec(40),
    guards: turnGuards,
    together: usually(false, true),
  })
  .map(({ calls, guards, together, ...turn }) =>
    consistent({
      ...turn,
      calls: calls.map(({ spec, guards: own }) => ({
        ...spec,
        ...(together ? { safe: true, trouble: 'none' as const } : undefined),
        guards: own,
      })),
      guards: {
        ...guards,
        ...(together ? { canUseTool: true, mode: undefined, request: false } : undefined),
        permissionMs: guards.permissionMs ?? (isAnswered(calls) ? undefined : 9.5),
      },
    }),
  );

const isAnswered = (calls: readonly { readonly guards: CallGuards }[]): boolean =>
  calls.every(({ guards }) => guards.prompts.every(({ ms }) => ms < endless));
