import type { HookCall, PreToolUseAnswer } from '../contract/hooks.js';
import { askHooks } from './askHooks.js';
import type { HookHost, HookPoint, PendingHooks } from './hookPoint.js';
import type { ConditionCallFor, ReadyHook } from './hookSet.js';
import { shortened } from './longText.js';
import type { HookNotes } from './notes.js';

/** A call, as the hooks before it are asked about it. */
export interface HookedCall extends HookCall {
  /** The primary name, and the former ones. */
  readonly names: readonly string[];
  /** Needed where a hook has an `if`; without it, such hooks are always asked. */
  readonly conditionCall?: ConditionCallFor;
}

/** `failed`: a hook that had to decide is broken; it is nobody's refusal. */
export type PreToolUseDecision = 'deny' | 'failed' | 'defer' | 'ask' | 'allow';

export interface PreToolUseVerdict extends HookNotes {
  /** Left out: no hook has an opinion. */
  readonly decision?: PreToolUseDecision;
  /** The first hook of those that decided so. */
  readonly by?: string;
  readonly reason?: string;
  /** The input side of what may run. */
  readonly input: unknown;
  /** The hooks that have changed it, in order; empty: it is what was given. */
  readonly rewrittenBy: readonly string[];
}

const strength = { allow: 1, ask: 2, defer: 3, failed: 4, deny: 5 } as const;

/**
 * Asks the hooks before a call. Each sees the input as the one before left it; deny beats a broken hook that had to
 * decide, then come defer, ask, allow, whatever the order; of equals the first is named. (Law 9.)
 */
export const askPreToolUse = (
  hooks: readonly ReadyHook<'PreToolUse'>[],
  call: HookedCall,
  host: HookHost,
  receive: (verdict: PreToolUseVerdict) => void,
): PendingHooks | undefined => {
  const point = new PreToolUsePoint(call);
  return askHooks(hooks, point, host, (notes) => receive(point.verdict(notes)));
};

class PreToolUsePoint implements HookPoint<'PreToolUse'> {
  readonly names: readonly string[];
  readonly conditionCall?: ConditionCallFor;
  readonly #rewrittenBy: string[] = [];
  #input: unknown;
  #decided: { decision: PreToolUseDecision; by: string; reason?: string } | undefined;

  constructor(private readonly call: HookedCall) {
    this.names = call.names;
    if (call.conditionCall !== undefined) this.conditionCall = call.conditionCall;
    this.#input = call.input;
  }

  fields() {
    const { toolUse, name } = this.call;
    return { event: 'PreToolUse', toolUse, name, input: this.#input } as const;
  }

  take({ name }: ReadyHook<'PreToolUse'>, answer: PreToolUseAnswer): void {
    if (answer.decision !== undefined) this.#decide(answer.decision, name, answer.reason);
    // What will not run needs no rewriting; the hooks that follow hear of what was denied.
    if (answer.updatedInput === undefined || this.#isFinal) return;
    this.#input = answer.updatedInput;
    this.#rewrittenBy.push(name);
  }

  fail(hook: ReadyHook<'PreToolUse'>, failure: string): undefined {
    if (hook.onFailure === 'deny') this.#decide('failed', hook.name, failure);
  }

  get #isFinal(): boolean {
    return this.#decided?.decision === 'deny' || this.#decided?.decision === 'failed';
  }

  #decide(decision: PreToolUseDecision, by: string, reason: string | undefined): void {
    if (this.#decided !== undefined && strength[this.#decided.decision] >= strength[decision]) return;
    this.#decided = { decision, by, ...(reason === undefined ? undefined : { reason: shortened(reason) }) };
  }

  verdict(notes: HookNotes): PreToolUseVerdict {
    return { ...this.#decided, input: this.#input, rewrittenBy: this.#rewrittenBy, ...notes };
  }
}
