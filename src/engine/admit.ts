import type { OperatorFunction, Subscriber } from 'rxjs';
import { operate } from '../../operators/operate.js';
import { type Admitted, Call, type Refusal } from '../call/call.js';
import type { Deadline } from '../call/deadlines.js';
import { findTool, nearestNames } from '../call/find.js';
import { type ParseResult, parseInput, thrown } from '../call/schema.js';
import { invalid, isSafe, judgeInput } from '../call/validate.js';
import {
  cutOffText,
  infrastructureText,
  invalidJsonText,
  notSentText,
  unknownToolText,
} from '../contract/texts.js';
import type { Tool } from '../contract/tool.js';
import type { ToolUse } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import { discard } from './discard.js';
import { sameInput } from './sameInput.js';
import type { Turn } from './turn.js';

/**
 * Tool uses in, calls out, in order: looked up, parsed, asked whether they are safe, queued.
 *
 * A schema that answers later holds the calls behind it: a batch can't be cut before the question of safety is
 * answered.
 */
export const admit =
  (turn: Turn): OperatorFunction<ToolUse, Call> =>
  (source) =>
    operate<ToolUse, Call>(source, (subscriber) => {
      const intake = new Intake(turn, subscriber);
      turn.intake = intake;
      // Not when the source ends: a schema that answers later outlives it.
      subscriber.add(() => intake.close());
      return {
        next: (toolUse) => intake.take(toolUse),
        complete: () => intake.end(),
        // SPEC §4.3: a model stream that fails takes its attempt with it.
        error: (error) => {
          turn.tick();
          if (turn.discardCause === undefined) turn.sourceError = error;
          turn.during(() => discard(turn, messageOf(error)));
          intake.end();
        },
      };
    });

class Intake {
  /** What has been taken in, from `#head` on not yet admitted. */
  #line: Call[] = [];
  #head = 0;
  /** Queued, and not yet handed on. */
  readonly #admitted: Call[] = [];
  #busy = false;
  /** The call whose schema has not answered. */
  #pending: Call | undefined;
  #clock: Deadline | undefined;
  #ended = false;
  #closed = false;

  constructor(
    private readonly turn: Turn,
    private readonly subscriber: Subscriber<Call>,
  ) {}

  take(toolUse: ToolUse): void {
    const { turn } = this;
    turn.tick();
    if (turn.discardCause !== undefined || !this.#isNew(toolUse)) return;
    const call = new Call(toolUse, turn.calls.length);
    turn.calls.push(call);
    turn.byId.set(call.id, call);
    this.#line.push(call);
    if (this.#pending !== undefined) turn.waiting(call, 'validation', [this.#pending.id], 1);
    this.#work();
  }

  /** No more will come; what is held is still admitted. */
  end(): void {
    this.turn.tick();
    this.#ended = true;
    this.#finish();
  }

  close(): void {
    this.#closed = true;
  }

  /** The turn is stopping: whatever is not queued yet is queued as it stands, and answered there. */
  flush(): void {
    // The one in hand too: what its checks made happen may be what stops the turn. One by one: whoever sees
    // one answered may stop the turn once more, and comes back here.
    this.#head = Math.max(0, this.#head - 1);
    if (this.#pending !== undefined) this.#line.splice(this.#head, 0, this.#pending);
    this.#settled();
    while (this.#head < this.#line.length) {
      this.#queue(this.#line[this.#head++] as Call, unsafe(undefined, undefined));
    }
    this.turn.deadlines.settle();
  }

  #work(): void {
    if (this.#busy) return;
    this.#busy = true;
    // The line grows while it is worked off, and a schema that answers later leaves the rest standing.
    while (this.#head < this.#line.length && this.#pending === undefined && !this.#closed) {
      this.#admitSafely(this.#line[this.#head++] as Call);
    }
    if (this.#head === this.#line.length) {
      // One by one as a rule: then the array is kept.
      if (this.#head === 1) this.#line.pop();
      else this.#line = [];
      this.#head = 0;
    }
    this.#busy = false;
    this.#finish();
  }

  #finish(): void {
    const holds = this.#pending !== undefined || this.#admitted.length > 0 || this.#head < this.#line.length;
    if (!this.#ended || this.#busy || this.#closed || holds) return;
    this.#closed = true;
    const { turn } = this;
    turn.batches.end();
    turn.messageEnded.trip();
    this.subscriber.complete();
  }

  /** Whatever a tool's own parts do, the call is answered and the line goes on. */
  #admitSafely(call: Call): void {
    try {
      this.#admit(call);
    } catch (error) {
      this.#queue(call, unsafe(undefined, invalid(call.name, [`it can't be read: ${messageOf(error)}`])));
    }
  }

  #admit(call: Call): void {
    // A turn that is stopping only answers: no schema is asked, for it may answer never.
    if (this.turn.stop !== undefined) {
      this.#queue(call, unsafe(undefined, undefined));
      return;
    }
    const tool = this.#find(call);
    const refusal = tool === undefined ? this.#unknown(call) : faultOf(tool, call.toolUse);
    if (tool === undefined || refusal !== undefined) {
      this.#queue(call, unsafe(tool, refusal));
      return;
    }
    const parsed = parseInput(tool.inputSchema, call.toolUse.input);
    if (!isLater(parsed)) this.#queue(call, this.#judge(call, tool, parsed));
    else this.#await(call, tool, parsed);
  }

  #await(call: Call, tool: Tool, parsed: PromiseLike<ParseResult>): void {
    this.#pending = call;
    const answer = (judge: () => Admitted): void => {
      // Flushed meanwhile, answered already, or the turn was left.
      if (this.#pending !== call || this.#closed) return;
      this.turn.tick();
      // Still pending while it is judged: a stop in the middle of that must find it.
      const admitted = judge();
      this.#settled();
      this.#queue(call, admitted);
      this.#work();
      this.turn.deadlines.settle();
    };
    const resume = (result: ParseResult): void => {
      answer(() => this.#judge(call, tool, result));
    };
    // It has no clock of its own, and must not hold the turn for ever: what a call may take is enough for it too.
    const ms = this.turn.timeoutMs;
    this.#clock = this.turn.deadlines.after(ms, () => answer(() => unanswered(tool, ms)));
    this.turn.waiting(call, 'validation', [], 0);
    try {
      parsed.then(resume, (error: unknown) => resume(thrown(error)));
    } catch (error) {
      resume(thrown(error));
    }
  }

  #settled(): void {
    this.#pending = undefined;
    this.#clock?.cancel();
    this.#clock = undefined;
  }

  #queue(call: Call, admitted: Admitted): void {
    // Queued by a stop while it was being looked at.
    if (call.queuedAt >= 0) return;
    call.admit(admitted);
    this.#admitted.push(call);
    this.turn.queue(call);
    this.#handOn();
    this.turn.explain(call);
  }

  /** In the order of the batches they have joined, also where a stop has queued others meanwhile. */
  #handOn(): void {
    for (let call = this.#admitted.shift(); call !== undefined; call = this.#admitted.shift())
      this.subscriber.next(call);
  }

  #judge(call: Call, tool: Tool, answer: unknown): Admitted {
    const judged = judgeInput(tool, call.toolUse.input, answer);
    if (judged.refusal !== undefined) return unsafe(tool, this.#hinted(tool, judged.refusal));
    const { input } = judged;
    const fault = (what: string): void => this.turn.anomaly('safety_check_failed', what, call);
    return { tool, input, refusal: undefined, isConcurrencySafe: isSafe(tool, input, fault) };
  }

  /** SPEC §5.3: whoever never got the schema is told how to get it. */
  #hinted(tool: Tool, refusal: Refusal): Refusal {
    if (tool.deferred !== true || this.#isSchemaSent(tool.name)) return refusal;
    return invalid(tool.name, [...(refusal.issues ?? []), notSentText(tool.name)]);
  }

  #isSchemaSent(name: string): boolean {
    try {
      return this.turn.settings.isSchemaSent?.(name) === true;
    } catch {
      return false;
    }
  }

  #find(call: Call): Tool | undefined {
    const { registry, offered } = this.turn.settings;
    return findTool(registry, call.toolUse.name, offered && ((name) => this.#isOffered(name, offered)));
  }

  #isOffered(name: string, offered: (name: string) => boolean): boolean {
    try {
      const answer: unknown = offered(name);
      if (disown(answer)) throw new TypeError('it answered with a promise, which is no answer in time');
      return answer === true;
    } catch (error) {
      this.turn.anomaly('offered_failed', `offered failed: ${messageOf(error)}`);
      return false;
    }
  }

  #unknown(call: Call): Refusal {
    const { registry, offered } = this.turn.settings;
    const names = [...registry.byName.keys()];
    const known = offered === undefined ? names : names.filter((name) => this.#isOffered(name, offered));
    const { name } = call.toolUse;
    return { code: 'unknown_tool', text: unknownToolText(name, nearestNames(name, known), known) };
  }

  /** SPEC §4.5: an id is taken in once. What can't be answered at all is not taken in either. */
  #isNew(toolUse: ToolUse): boolean {
    const { turn } = this;
    if (typeof toolUse?.id !== 'string' || typeof toolUse.name !== 'string') {
      turn.anomaly('invalid_tool_use', 'a tool use without an id or a name can not be answered');
      return false;
    }
    const first = turn.byId.get(toolUse.id);
    if (first === undefined) return true;
    const same = first.toolUse.name === toolUse.name && sameInput(first.toolUse.input, toolUse.input);
    const inputs = same ? 'with the same input' : 'with another input';
    turn.anomaly(
      'duplicate_id',
      `the id ${toolUse.id} came twice, ${inputs}; the second is not taken in`,
      first,
    );
    return false;
  }
}

const unsafe = (tool: Tool | undefined, refusal: Refusal | undefined): Admitted => ({
  tool,
  input: undefined,
  refusal,
  isConcurrencySafe: false,
});

const unanswered = (tool: Tool, ms: number): Admitted => {
  const text = infrastructureText(tool.name, `its schema has not answered within ${ms} ms`, 'no');
  return unsafe(tool, { code: 'infrastructure', text });
};

const faultOf = (tool: Tool, { fault }: ToolUse): Refusal | undefined => {
  if (fault === undefined) return undefined;
  // Whoever builds tool uses by hand may say anything here; what is said to be at fault is not run.
  if (typeof fault?.text !== 'string')
    return { code: 'invalid_json', text: invalidJsonText(tool.name, 'it is marked as faulty') };
  const text =
    fault.code === 'cut_off' ? cutOffText(tool.name, fault.text) : invalidJsonText(tool.name, fault.text);
  return { code: fault.code, text };
};

const isLater = (parsed: ParseResult | PromiseLike<ParseResult>): parsed is PromiseLike<ParseResult> =>
  typeof (parsed as { readonly then?: unknown }).then === 'function';
