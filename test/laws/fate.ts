import type { PermissionMode } from '../../src/index.js';
import { type HookAct, hookTimeoutMs, type RuleSpec, type TurnGuards, type Variant } from './guardSpecs.js';
import { promptOf } from './guards.js';
import type { Played } from './play.js';
import type { CallSpec } from './schedule.js';
import type { Deed } from './witness.js';

/** What the hooks before a call make of it, as drawn: an independent model of SPEC §5.5 and §10. */
export interface HookFate {
  readonly decision: 'deny' | 'failed' | 'defer' | 'ask' | 'allow' | 'none';
  readonly by: string;
  /** Who wrote the input they leave. */
  readonly variant: Variant;
  readonly valid: boolean;
  readonly safe: boolean;
}

const order = ['none', 'allow', 'ask', 'defer', 'failed', 'deny'] as const;

const decisionOf = (act: HookAct, onFailure: TurnGuards['onFailure']): HookFate['decision'] => {
  if (isBroken(act)) return onFailure === 'continue' ? 'none' : 'failed';
  const { does } = act;
  return does === 'allow' || does === 'deny' || does === 'ask' || does === 'defer' ? does : 'none';
};

/** It throws, answers what is no answer, or does not answer in time. */
export const isBroken = ({ ms, does }: { readonly ms: number; readonly does: string }): boolean =>
  ms > hookTimeoutMs || does === 'throw' || does === 'rubbish';

export const guardsOf = ({ schedule }: Played): TurnGuards => schedule.guards as TurnGuards;

export const callOf = ({ schedule }: Played, index: number): CallSpec & Required<Pick<CallSpec, 'guards'>> =>
  schedule.calls[index] as CallSpec & Required<Pick<CallSpec, 'guards'>>;

/** The input before the hooks: the model's, or a repair's. */
const repaired = (played: Played, index: number): Pick<HookFate, 'variant' | 'valid' | 'safe'> => {
  const { trouble, safe, guards } = callOf(played, index);
  const valid = trouble !== 'invalid';
  const { repair } = guards;
  if (valid || !guardsOf(played).repair || repair.does !== 'valid' || repair.ms === Number.POSITIVE_INFINITY)
    return { variant: 'm', valid, safe };
  return { variant: 'r', valid: true, safe: true };
};

export const hookFate = (played: Played, index: number): HookFate => {
  const { pre, onFailure } = guardsOf(played);
  let fate: HookFate = { decision: 'none', by: '', ...repaired(played, index) };
  for (const [i, act] of callOf(played, index).guards.pre.slice(0, pre).entries()) {
    const decision = decisionOf(act, onFailure);
    if (order.indexOf(decision) > order.indexOf(fate.decision)) fate = { ...fate, decision, by: `h${i}` };
    const isFinal = fate.decision === 'deny' || fate.decision === 'failed';
    if (act.rewrites !== undefined && !isBroken(act) && !isFinal)
      fate = { ...fate, variant: `h${i}` as Variant, ...act.rewrites };
  }
  return fate;
};

interface Change {
  readonly seq: number;
  readonly index: number;
  readonly change: RuleSpec | PermissionMode;
  /** The answer it was part of. */
  readonly by: Deed;
}

/** Every change of rules and mode in a run, in order: from outside, by hooks, by people. */
const changes = (played: Played): readonly Change[] =>
  played.deeds
    .flatMap((deed) => {
      if (deed.how !== 'answered') return [];
      const change = changeBy(played, deed);
      return change === undefined ? [] : [{ seq: deed.untilSeq, index: deed.index, change, by: deed }];
    })
    .sort((a, b) => a.seq - b.seq);

const changeBy = (played: Played, deed: Deed): RuleSpec | PermissionMode | undefined => {
  if (deed.what === 'change') return deed.input as RuleSpec | PermissionMode;
  if (deed.what === 'request') {
    const { request } = callOf(played, deed.index).guards;
    const isDecided = request.does === 'allow' || request.does === 'deny' || request.does === 'interrupt';
    return isDecided && !isBroken(request) ? request.updates : undefined;
  }
  if (deed.what !== 'prompt') return undefined;
  const act = promptOf(callOf(played, deed.index).guards.prompts, deed.round);
  return act.does === 'allow' ? act.remembers : undefined;
};

export interface Rules {
  readonly mode: PermissionMode | undefined;
  readonly rules: readonly (RuleSpec & { readonly index: number })[];
}

/** Rules and mode at a place in the order; without what some answer itself has changed. */
export const rulesAt = (played: Played, seq: number, except?: Deed): Rules => {
  const made = changes(played).filter((each) => each.seq <= seq && each.by !== except);
  const modes = made.map(({ change }) => change).filter((each) => typeof each === 'string');
  const given = played.schedule.calls.flatMap(({ guards }, index) =>
    (guards?.rules ?? []).map((rule) => ({ ...rule, index })),
  );
  // What is remembered already is no change.
  const added = new Map(
    made.flatMap(({ change, index }) =>
      typeof change === 'string' ? [] : [[JSON.stringify([index, change]), { ...change, index }] as const],
    ),
  );
  return { mode: modes.at(-1) ?? guardsOf(played).mode, rules: [...given, ...added.values()] };
};

/** Whether the permissions became others between two places, not counting one answer's own change. */
export const changedBetween = (played: Played, from: number, to: number, except: Deed): boolean => {
  const told = (seq: number): string => {
    const { mode = 'default', rules } = rulesAt(played, seq, except);
    return JSON.stringify([mode, rules]);
  };
  return changes(played).some(
    ({ seq, by }) => seq > from && seq <= to && by !== except && told(seq) !== told(seq - 1),
  );
};

/** `deny`: it must not run. `hard`: only a person may allow it. `soft`: a classifier too. */
export type Need = 'deny' | 'hard' | 'soft' | 'allow';

/** What may become of a call whose input somebody wrote so, under these rules: the lattice of SPEC §10. */
export const needOf = (played: Played, index: number, variant: Variant, { mode, rules }: Rules): Need => {
  const { guards, trouble } = callOf(played, index);
  const turn = guardsOf(played);
  // A check that never answers has not allowed anything.
  const says = guards.check?.ms === Number.POSITIVE_INFINITY ? 'throw' : guards.check?.says;
  const own = rules.filter((rule) => rule.index === index);
  // What the model wrote is tested too, where it could be read.
  const seen = new Set<Variant>(trouble === 'invalid' ? [variant] : ['m', variant]);
  const matches = (behavior: RuleSpec['behavior']): boolean =>
    own.some((rule) => rule.behavior === behavior && (rule.variant === '*' || seen.has(rule.variant)));
  const isAllowed = own.some(
    (rule) =>
      rule.behavior === 'allow' &&
      (rule.variant === '*' || (rule.variant === variant && guards.target !== 'none')),
  );
  const isConfigured = turn.canUseTool || mode !== undefined || rules.length > 0;
  const hook = hookFate(played, index).decision;
  if (matches('deny') || says === 'deny' || says === 'throw' || says === 'rubbish') return 'deny';
  if (mode === 'plan' && guards.target !== 'read') return 'deny';
  const asked = (kind: 'hard' | 'soft'): Need =>
    mode === 'dontAsk' || !(turn.canUseTool || turn.request) ? 'deny' : kind;
  if (matches('ask') || hook === 'ask' || says === 'interact') return asked('hard');
  if (mode === 'bypassPermissions' || isAllowed || hook === 'allow') return 'allow';
  if (mode === 'acceptEdits' && guards.target !== 'none') return 'allow';
  if (says === 'ask') return classified(played, index, variant) ?? asked('soft');
  if (says === 'allow' || mode === 'plan' || !isConfigured) return 'allow';
  return classified(played, index, variant) ?? asked('soft');
};

/** A classifier has allowed it, or has still to answer. */
const classified = (played: Played, index: number, variant: Variant): 'soft' | 'allow' | undefined => {
  const { classifier } = callOf(played, index).guards;
  if (!guardsOf(played).classifier || !classifier.applies || classifier.says !== 'allow') return undefined;
  const said = played.deeds.some(
    (deed) =>
      deed.what === 'classify' &&
      deed.index === index &&
      variantOf(deed.input) === variant &&
      deed.how === 'answered',
  );
  return said ? 'allow' : undefined;
};

export const variantOf = (input: unknown): Variant => (input as { readonly v: Variant }).v;
export const isSafeInput = (input: unknown): boolean => (input as { readonly safe: boolean }).safe;
