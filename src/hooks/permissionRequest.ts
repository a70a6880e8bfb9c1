import type { PermissionRequestAnswer } from '../contract/hooks.js';
import { askHooks } from './askHooks.js';
import type { HookHost, HookPoint, PendingHooks } from './hookPoint.js';
import type { ConditionCallFor, ReadyHook } from './hookSet.js';
import { shortened } from './longText.js';
import type { HookNotes } from './notes.js';
import type { HookedCall } from './preToolUse.js';

export interface HookedRequest extends HookedCall {
  /** Why the call is asked about. */
  readonly message: string;
  readonly suggestions: readonly string[];
}

export type PermissionUpdates = NonNullable<PermissionRequestAnswer['updatedPermissions']>;

export interface PermissionRequestVerdict extends HookNotes {
  /** Left out: no hook has an opinion, and the question stands. `failed`: a broken hook; denies, as nobody's refusal. */
  readonly decision?: 'allow' | 'deny' | 'failed';
  /** The first hook of those that decided so. */
  readonly by?: string;
  /** For the model. */
  readonly message?: string;
  /** A hook that denied wants the turn stopped. */
  readonly interrupt: boolean;
  readonly input: unknown;
  readonly rewrittenBy: readonly string[];
  /** What the hooks that agree with the decision want changed, in order. */
  readonly updates: PermissionUpdates;
}

type Decision = NonNullable<PermissionRequestVerdict['decision']>;
interface Opinion {
  readonly decision: Decision;
  readonly by: string;
  readonly answer: PermissionRequestAnswer;
}

const strength = { allow: 1, failed: 2, deny: 3 } as const;

/**
 * Asks the hooks that may answer for a person. Any denial beats every allow, and so does a broken hook that had to
 * decide: an answer can only get tighter (law 9). A hook after one that has changed the input judges the changed one.
 */
export const askPermissionRequest = (
  hooks: readonly ReadyHook<'PermissionRequest'>[],
  request: HookedRequest,
  host: HookHost,
  receive: (verdict: PermissionRequestVerdict) => void,
): PendingHooks | undefined => {
  const point = new PermissionRequestPoint(request);
  return askHooks(hooks, point, host, (notes) => receive(point.verdict(notes)));
};

class PermissionRequestPoint implements HookPoint<'PermissionRequest'> {
  readonly names: readonly string[];
  readonly conditionCall?: ConditionCallFor;
  readonly #rewrittenBy: string[] = [];
  readonly #opinions: Opinion[] = [];
  #input: unknown;

  constructor(private readonly request: HookedRequest) {
    this.names = request.names;
    if (request.conditionCall !== undefined) this.conditionCall = request.conditionCall;
    this.#input = request.input;
  }

  fields() {
    const { toolUse, name, message, suggestions } = this.request;
    return { event: 'PermissionRequest', toolUse, name, input: this.#input, message, suggestions } as const;
  }

  take({ name }: ReadyHook<'PermissionRequest'>, answer: PermissionRequestAnswer): void {
    if (answer.decision !== undefined) this.#opinions.push({ decision: answer.decision, by: name, answer });
    if (answer.updatedInput === undefined || this.#opinions.some(({ decision }) => decision !== 'allow'))
      return;
    this.#input = answer.updatedInput;
    this.#rewrittenBy.push(name);
  }

  fail(hook: ReadyHook<'PermissionRequest'>, failure: string): undefined {
    if (hook.onFailure === 'continue') return;
    this.#opinions.push({ decision: 'failed', by: hook.name, answer: { message: failure } });
  }

  verdict(notes: HookNotes): PermissionRequestVerdict {
    const first = this.#opinions.reduce<Opinion | undefined>(
      (best, each) =>
        best !== undefined && strength[best.decision] >= strength[each.decision] ? best : each,
      undefined,
    );
    const agreeing = this.#opinions.filter(({ decision }) => decision === first?.decision);
    const message = first?.answer.message;
    return {
      ...(first === undefined ? undefined : { decision: first.decision, by: first.by }),
      ...(message === undefined ? undefined : { message: shortened(message) }),
      interrupt: first?.decision === 'deny' && agreeing.some(({ answer }) => answer.interrupt === true),
      input: this.#input,
      rewrittenBy: this.#rewrittenBy,
      updates: agreeing.flatMap(({ answer }) => answer.updatedPermissions ?? []),
      ...notes,
    };
  }
}
