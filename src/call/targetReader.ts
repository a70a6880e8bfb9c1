import type { RuleTarget } from '../contract/permissions.js';
import type { MaybeLater } from '../contract/tool.js';
import type { ConditionCall } from '../hooks/index.js';
import type { Reply } from '../hooks/inquiry.js';
import { type RuleCall, readTargets } from '../permissions/index.js';
import { messageOf } from '../results/json.js';
import type { Clearance } from './clearance.js';
import { namesOf } from './hooksOfCall.js';
import { parseInput } from './schema.js';
import { judgeInput } from './validate.js';

/** What rules compare: the tool's own word on what a call would do, asked once for each input. */
export class TargetReader {
  #original: { readonly input: unknown; readonly parsed: unknown } | undefined;

  constructor(private readonly clearance: Clearance) {}

  /** The model's own input, before it was first changed. */
  keepOriginal(input: unknown, parsed: unknown): void {
    this.#original = { input, parsed };
  }

  /** The call as rules see it. */
  read(receive: (call: RuleCall) => void): void {
    const { input, call } = this.clearance;
    this.#read(input, call.input, receive);
  }

  /** The same of what the model wrote, where somebody has changed it. */
  readOriginal(receive: (call: RuleCall | undefined) => void): void {
    if (this.#original === undefined) receive(undefined);
    else this.#read(this.#original.input, this.#original.parsed, receive);
  }

  #read(input: unknown, parsed: unknown, receive: (call: RuleCall) => void): void {
    const { tool, owner } = this.clearance;
    const about = { names: namesOf(tool), input, parsed };
    if (tool.ruleTargets === undefined) {
      receive({ ...about, targets: [] });
      return;
    }
    const question = () => tool.ruleTargets?.(parsed as never, owner.checkContext);
    this.clearance.inquire('permission', owner.host.timeoutMs, question, (reply) =>
      receive({ ...about, targets: targetsOf(reply) }),
    );
  }

  /** For the `if` of a hook, whose input may be one that hooks before it have changed. */
  conditionCall(input: unknown): MaybeLater<ConditionCall | undefined> {
    const { tool, owner } = this.clearance;
    const answer = parseInput(tool.inputSchema, input);
    // A schema or targets that answer later can't be waited for inside a hook's condition: the hook is asked.
    if (isLater(answer)) return undefined;
    const judged = judgeInput(tool, input, answer);
    if (judged.refusal !== undefined) return undefined;
    const about = { names: namesOf(tool), input, parsed: judged.input };
    const targets: unknown = tool.ruleTargets?.(judged.input as never, owner.checkContext);
    if (!isLater(targets)) return { ...about, targets: readTargets(targets) };
    return targets.then((given) => ({ ...about, targets: readTargets(given) }));
  }
}

const isLater = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | undefined | null)?.then === 'function';

const targetsOf = (reply: Reply): readonly RuleTarget[] => {
  if (reply.type === 'answer') return readTargets(reply.value);
  const why =
    reply.type === 'error' ? `failed: ${messageOf(reply.error)}` : `took longer than ${reply.ms} ms`;
  return [{ type: 'unparsed', reason: `the tool's ruleTargets ${why}` }];
};
