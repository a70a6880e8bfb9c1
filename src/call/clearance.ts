import type { Slot } from '../../operators/slotReturns.js';
import type { CheckContext } from '../contract/context.js';
import type { ToolEvent, WaitReason } from '../contract/events.js';
import type { HookEventName } from '../contract/hooks.js';
import type { Cause } from '../contract/outcome.js';
import type { Tool } from '../contract/tool.js';
import { askPreToolUse, type HookNotes, type PreToolUseVerdict } from '../hooks/index.js';
import { Inquiry, Question, type Reply } from '../hooks/inquiry.js';
import type { HookOpinion } from '../permissions/index.js';
import { messageOf } from '../results/json.js';
import type { Call } from './call.js';
import { copyData } from './copyData.js';
import { freezeData } from './frozen.js';
import type { Guards } from './guards.js';
import { hookHost, namesOf, toldBy } from './hooksOfCall.js';
import type { CallHost } from './host.js';
import { type Ending, hookDenied, hookFailed, machineryFailed, refused } from './outcomes.js';
import { Permit } from './permit.js';
import { parseInput } from './schema.js';
import { Speculation } from './speculation.js';
import { type PendingStep, Steps } from './steps.js';
import { TargetReader } from './targetReader.js';
import { invalid, isSafe, judgeInput } from './validate.js';

/** Whose call is cleared. */
export interface ClearanceOwner {
  readonly call: Call;
  readonly host: CallHost;
  /** The slot it holds, where that may be given back. */
  readonly slot: Slot | undefined;
  /** What the tool's checks get; made on first use. */
  readonly checkContext: CheckContext;
  emit(event: ToolEvent): void;
  /** All have agreed: the tool may be called. */
  cleared(): void;
  refuse(ending: Ending): void;
}

/**
 * The way of a call from the beginning of its place to its tool (SPEC §5, steps 3 to 6): its own check, a repair,
 * hooks, rules, and whoever is asked. What needs no waiting takes none.
 */
export class Clearance {
  readonly steps: Steps;
  readonly targets: TargetReader;
  readonly speculation: Speculation | undefined;
  /** The input side of what would run: the model's, as hooks and people have left it. */
  #input: unknown;
  #rewritten = false;
  #permit: Permit | undefined;

  constructor(
    readonly owner: ClearanceOwner,
    readonly tool: Tool,
    readonly guards: Guards | undefined,
  ) {
    this.steps = new Steps((reason) => this.#waits(reason));
    this.targets = new TargetReader(this);
    this.speculation = guards?.classifier && new Speculation(this, guards.classifier);
    const { input } = owner.call.toolUse;
    // Hooks must not change what the model wrote.
    this.#input = guards === undefined ? input : copied(input)?.input;
  }

  get call(): Call {
    return this.owner.call;
  }

  get input(): unknown {
    return this.#input;
  }

  /** Somebody has changed the input: rules are tested on what the model wrote too. */
  get rewritten(): boolean {
    return this.#rewritten;
  }

  begin(): void {
    const { refusal } = this.call;
    if (refusal === undefined) this.#validate(() => this.#askHooks());
    else if (refusal.code === 'invalid_input' && this.guards?.repair !== undefined) this.#repair();
    else this.#askHooks();
  }

  /** The call is stopped, or left: nobody's answer is wanted any more. */
  cancel(cause: Cause): void {
    this.speculation?.cancel(cause);
    // Its own prompt first: leaving the line shows the next one.
    this.steps.cancel(cause);
    this.#permit?.cancel(cause);
  }

  refuse(ending: Ending): void {
    if (this.steps.cancelled) return;
    this.speculation?.cancel({ type: 'signal', reason: 'the call is not run' });
    this.#permit?.close();
    this.owner.refuse(ending);
  }

  /** Asks somebody else's code; `receive` hears the reply, at once where it is there at once. */
  inquire(
    reason: WaitReason,
    ms: number,
    question: (inquiry: Inquiry) => unknown,
    receive: (reply: Reply) => void,
  ): void {
    const { host } = this.owner;
    this.steps.begin(reason, () => {
      let later = false;
      let over = false;
      const inquiry = new Inquiry(host.deadlines, ms, (reply) => {
        over = true;
        if (later) host.tick();
        receive(reply);
      });
      inquiry.ask(() => question(inquiry));
      later = true;
      return over ? undefined : inquiry;
    });
  }

  // ── the tool's own check ─────────────────────────────────────────────────────────────────────────────────

  #validate(then: () => void): void {
    const { tool, owner } = this;
    if (tool.validateInput === undefined) {
      then();
      return;
    }
    const check = () => tool.validateInput?.(this.call.input as never, owner.checkContext);
    this.inquire('validation', owner.host.timeoutMs, check, (reply) => {
      const message = reply.type === 'answer' ? reply.value : undefined;
      if (reply.type === 'answer' && (message === undefined || message === null)) then();
      else if (typeof message === 'string') this.refuse(refused(invalid(tool.name, [message])));
      else this.refuse(machineryFailed(tool.name, `its validateInput ${wrong(reply)}`, 'no'));
    });
  }

  // ── input that is not what the model wrote ───────────────────────────────────────────────────────────────

  #repair(): void {
    const { call, tool, guards, owner } = this;
    const { issues = [] } = call.refusal ?? {};
    const { toolUse } = call;
    const about = { toolUse, name: tool.name, input: this.#input, issues };
    const question = (inquiry: Inquiry) => guards?.repair?.(Question.of(inquiry, about));
    this.inquire('validation', owner.host.timeoutMs, question, (reply) => {
      const input = reply.type === 'answer' ? repairedInput(reply.value) : undefined;
      if (input === undefined) this.#askHooks();
      else
        this.rewrite(
          input.input,
          'a repair',
          () => this.#askHooks(),
          () => this.#askHooks(),
        );
    });
  }

  /** Other input takes the place of the model's: it is parsed and checked like that one, once. */
  rewrite(input: unknown, by: string, then: () => void, otherwise?: () => void): void {
    const { tool, owner } = this;
    const own = copied(input);
    if (own === undefined) {
      this.refuse(refused(invalid(tool.name, [`${by} changed it to something that can't be read`])));
      return;
    }
    const { input: changed } = own;
    this.inquire(
      'validation',
      owner.host.timeoutMs,
      () => parseInput(tool.inputSchema, changed),
      (reply) => {
        if (reply.type === 'timeout') {
          this.refuse(machineryFailed(tool.name, `its schema ${wrong(reply)}`, 'no'));
          return;
        }
        const answer =
          reply.type === 'answer' ? reply.value : { issues: [{ message: messageOf(reply.error) }] };
        const judged = judgeInput(tool, changed, answer);
        if (judged.refusal === undefined) this.#accept(changed, judged.input, then);
        else if (otherwise !== undefined) otherwise();
        else this.refuse(refused(invalid(tool.name, [`${by} changed it`, ...(judged.refusal.issues ?? [])])));
      },
    );
  }

  #accept(input: unknown, parsed: unknown, then: () => void): void {
    const { call, tool } = this;
    // Rules are tested on what the model wrote too, as far as it could be parsed.
    if (!this.#rewritten && call.refusal === undefined) this.targets.keepOriginal(this.#input, call.input);
    this.#rewritten = true;
    this.#input = input;
    call.input = parsed;
    call.refusal = undefined;
    this.speculation?.restart();
    const fault = (what: string): void => this.owner.host.anomaly('safety_check_failed', what, call);
    const next = (): void => this.#validate(then);
    if (call.isConcurrencySafe && !isSafe(tool, parsed, fault)) this.#leaveBatch(next);
    else next();
  }

  /** SPEC §5.5: a call that a rewriting makes unsafe runs alone, after what its batch has started. */
  #leaveBatch(then: () => void): void {
    const { call, owner } = this;
    call.isConcurrencySafe = false;
    const { slot } = owner;
    if (slot === undefined) {
      then();
      return;
    }
    owner.host.leavesBatch(call);
    this.steps.begin(undefined, () => {
      let alone = false;
      slot.alone(
        () => {
          alone = true;
          if (this.isStopped) return;
          owner.host.tick();
          then();
        },
        () => owner.host.waitsAlone(call),
      );
      return alone ? undefined : { cancel: () => undefined };
    });
  }

  // ── hooks ────────────────────────────────────────────────────────────────────────────────────────────────

  #askHooks(): void {
    if (this.isStopped) return;
    const { guards, call, tool, owner } = this;
    const hooks = guards?.hooks?.PreToolUse;
    if (call.refusal === undefined) this.speculation?.begin();
    if (hooks === undefined || guards === undefined) {
      this.#heard(undefined);
      return;
    }
    call.hooks.begin(owner.host.now());
    const { toolUse } = call;
    const conditionCall = (input: unknown) => this.targets.conditionCall(input);
    const about = { toolUse, name: tool.name, names: namesOf(tool), input: this.#input, conditionCall };
    this.steps.begin('hooks', () =>
      askPreToolUse(hooks, about, this.hookHost('PreToolUse'), (verdict) => {
        call.hooks.end(owner.host.now());
        this.note(verdict);
        this.#heard(verdict);
      }),
    );
  }

  hookHost(point: HookEventName) {
    return hookHost(point, this.owner, this.guards as Guards, this);
  }

  /**
   * Also before `cancel` was called: what is asked at once may have had the turn stopped, and a slot may come free
   * because another call is being stopped first.
   */
  get isStopped(): boolean {
    return this.steps.cancelled || this.owner.host.stopFor(this.call) !== undefined;
  }

  note(notes: HookNotes): void {
    toldBy(notes, this.owner);
  }

  #heard(verdict: PreToolUseVerdict | undefined): void {
    // Whoever was told of what the hooks say may have stopped the turn.
    if (this.isStopped) return;
    const { call, tool } = this;
    const { decision, by = '', reason = '' } = verdict ?? {};
    if (decision === 'failed') this.refuse(hookFailed(tool.name, by, reason));
    else if (decision === 'deny' || decision === 'defer') {
      if (decision === 'defer') this.owner.host.wantStop('tool_deferred', by, reason);
      this.refuse(hookDenied(tool.name, by, reason, decision === 'defer'));
    } else if (verdict !== undefined && verdict.rewrittenBy.length > 0) {
      const last = verdict.rewrittenBy[verdict.rewrittenBy.length - 1];
      this.rewrite(verdict.input, `the hook ${last}`, () => this.#askPermission(opinionOf(verdict)));
    } else if (call.refusal !== undefined) this.refuse(refused(call.refusal));
    else this.#askPermission(verdict && opinionOf(verdict));
  }

  // ── permission ───────────────────────────────────────────────────────────────────────────────────────────

  #askPermission(opinion: HookOpinion | undefined): void {
    const { guards } = this;
    if (guards === undefined || !Permit.isNeeded(guards, this.tool, opinion)) {
      this.speculation?.cancel({ type: 'signal', reason: 'no decision needs it' });
      this.#go();
      return;
    }
    this.#permit = new Permit(this, guards, opinion, () => this.#go());
    this.#permit.begin();
  }

  #go(): void {
    if (!this.steps.cancelled) this.owner.cleared();
  }

  #waits(reason: WaitReason): void {
    this.owner.host.waiting(this.call, reason, [], 0);
  }
}

const opinionOf = ({ decision, by = '', reason }: PreToolUseVerdict): HookOpinion | undefined =>
  decision === 'allow' || decision === 'ask'
    ? { decision, hook: by, ...(reason === undefined ? undefined : { reason }) }
    : undefined;

/** A frozen copy: what somebody else holds can't change under us. Nothing where it can't be read. */
const copied = (input: unknown): { readonly input: unknown } | undefined => {
  try {
    return { input: freezeData(copyData(input)) };
  } catch {
    // A getter that throws, or a proxy that was revoked.
    return undefined;
  }
};

const repairedInput = (answer: unknown): { readonly input: unknown } | undefined => {
  try {
    if (typeof answer !== 'object' || answer === null || !('input' in answer)) return undefined;
    return { input: answer.input };
  } catch {
    return undefined;
  }
};

/** What is wrong with a reply; the middle of a sentence. */
const wrong = (reply: Reply): string => {
  if (reply.type === 'timeout') return `has not answered within ${reply.ms} ms`;
  if (reply.type === 'error') return `failed: ${messageOf(reply.error)}`;
  return `answered ${typeof reply.value}, expected a message or undefined`;
};

export type { PendingStep };
