import type { PostToolUseAnswer, PostToolUseFailureInput, PostToolUseInput } from '../contract/hooks.js';
import { askHooks } from './askHooks.js';
import type { HookFields, HookHost, HookPoint, PendingHooks } from './hookPoint.js';
import type { ConditionCallFor, ReadyHook } from './hookSet.js';
import { shortened } from './longText.js';
import type { HookNotes, HookText } from './notes.js';
import type { HookedCall } from './preToolUse.js';
import { blockText, failureNote } from './texts.js';

export interface HookedOutput extends HookedCall, Pick<PostToolUseInput, 'output' | 'durationMs'> {}

export interface PostToolUseVerdict extends HookNotes {
  /** What the model sees: the tool's output, or what hooks have put in its place. */
  readonly output: unknown;
  /** The hooks that have replaced it, in order; empty: it is the tool's. */
  readonly replacedBy: readonly string[];
  /** What hooks find wrong with the call, which has run; for the model. */
  readonly blocks: readonly HookText[];
}

/** Asks the hooks after a call that ended `ok`. A broken one keeps the real output, and adds a note for the model. */
export const askPostToolUse = (
  hooks: readonly ReadyHook<'PostToolUse'>[],
  call: HookedOutput,
  host: HookHost,
  receive: (verdict: PostToolUseVerdict) => void,
): PendingHooks | undefined => {
  const point = new PostToolUsePoint(call);
  return askHooks(hooks, point, host, (notes) => receive(point.verdict(notes)));
};

class PostToolUsePoint implements HookPoint<'PostToolUse'> {
  readonly names: readonly string[];
  readonly conditionCall?: ConditionCallFor;
  readonly #replacedBy: string[] = [];
  readonly #blocks: HookText[] = [];
  #output: unknown;

  constructor(private readonly call: HookedOutput) {
    this.names = call.names;
    if (call.conditionCall !== undefined) this.conditionCall = call.conditionCall;
    this.#output = call.output;
  }

  fields() {
    const { toolUse, name, input, durationMs } = this.call;
    return { event: 'PostToolUse', toolUse, name, input, output: this.#output, durationMs } as const;
  }

  take({ name }: ReadyHook<'PostToolUse'>, answer: PostToolUseAnswer): void {
    if (answer.decision === 'block') this.#blocks.push({ hook: name, text: blockText(name, answer.reason) });
    if (!('updatedToolOutput' in answer)) return;
    this.#output = answer.updatedToolOutput;
    this.#replacedBy.push(name);
  }

  fail({ name, onFailure }: ReadyHook<'PostToolUse'>, failure: string): string | undefined {
    const note = failureNote('PostToolUse', name, failure);
    if (onFailure === 'continue') return note;
    this.#blocks.push({ hook: name, text: note });
    return undefined;
  }

  verdict(notes: HookNotes): PostToolUseVerdict {
    const blocks = this.#blocks.map(({ hook, text }) => ({ hook, text: shortened(text) }));
    return { output: this.#output, replacedBy: this.#replacedBy, blocks, ...notes };
  }
}

export interface HookedFailure
  extends HookedCall,
    Pick<PostToolUseFailureInput, 'outcome' | 'error' | 'isInterrupt' | 'durationMs'> {}

/** Asks the hooks after a call that ran and did not end `ok`. They add context; the outcome stands. */
export const askPostToolUseFailure = (
  hooks: readonly ReadyHook<'PostToolUseFailure'>[],
  call: HookedFailure,
  host: HookHost,
  receive: (notes: HookNotes) => void,
): PendingHooks | undefined => {
  const { names, conditionCall, toolUse, name, input, outcome, error, isInterrupt, durationMs } = call;
  const about = { toolUse, name, input, outcome, error, isInterrupt, durationMs };
  const fields: HookFields<'PostToolUseFailure'> = { event: 'PostToolUseFailure', ...about };
  const point: HookPoint<'PostToolUseFailure'> = {
    names,
    ...(conditionCall === undefined ? undefined : { conditionCall }),
    fields: () => fields,
    take: () => undefined,
    fail: (hook, failure) => failureNote('PostToolUseFailure', hook.name, failure),
  };
  return askHooks(hooks, point, host, receive);
};
