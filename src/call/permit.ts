import type { PermissionEvent } from '../contract/events.js';
import type { Cause } from '../contract/outcome.js';
import type {
  DecidedBy,
  PermissionAnswer,
  PermissionRequest,
  ToolPermission,
} from '../contract/permissions.js';
import type { Tool } from '../contract/tool.js';
import { askPermissionRequest, type PermissionRequestVerdict } from '../hooks/index.js';
import { type Inquiry, Question } from '../hooks/inquiry.js';
import {
  type Decision,
  decide,
  type HookOpinion,
  isConfigured,
  judgeRules,
  modeOf,
  promptsOf,
  type RuleCall,
  type RuleVerdict,
  readPermissionAnswer,
  readToolPermission,
  strictestVerdict,
  suggestRules,
} from '../permissions/index.js';
import { messageOf } from '../results/json.js';
import type { Clearance } from './clearance.js';
import type { Deadline } from './deadlines.js';
import { causeOf, nameOfDecider } from './deciders.js';
import { freezeData } from './frozen.js';
import type { Guards } from './guards.js';
import { readHint } from './hints.js';
import { namesOf } from './hooksOfCall.js';
import { denied, hookFailed } from './outcomes.js';

/** How often an approval may expire before the call is given up: something keeps changing under it. */
const mostRounds = 8;

/** What was looked at when a decision was made. */
interface Judgement {
  readonly call: RuleCall;
  readonly verdict: RuleVerdict;
  readonly version: number;
}

/**
 * The permission of one call (SPEC §5.6, §10): rules, the tool's opinion, mode and hooks are weighed; who must be
 * asked is asked, one prompt at a time, while others may have the slot; an approval holds for what was looked at.
 */
export class Permit {
  #tool: ToolPermission | undefined;
  #judged: Judgement | undefined;
  #rounds = 0;
  #asked = false;
  #over = false;
  /** Allowed; what is left is a slot, and another look. */
  #granting = false;
  #clock: Deadline | undefined;
  #leavePrompt: (() => void) | undefined;

  /** Whether anybody has a say; where not, nothing is asked and nothing is told. */
  static isNeeded(guards: Guards, tool: Tool, opinion: HookOpinion | undefined): boolean {
    return (
      tool.checkPermissions !== undefined ||
      opinion?.decision === 'ask' ||
      guards.canUseTool !== undefined ||
      isConfigured(guards.permissions)
    );
  }

  constructor(
    private readonly clearance: Clearance,
    private readonly guards: Guards,
    private readonly opinion: HookOpinion | undefined,
    private readonly granted: () => void,
  ) {}

  begin(): void {
    const { call, host } = this.clearance.owner;
    call.permission.begin(host.now());
    this.#consult();
  }

  /** It runs while somebody is to answer, not while a call that was allowed waits for others: that is nobody's no. */
  #startClock(): void {
    const ms = this.guards.permissions.options.timeoutMs ?? Number.POSITIVE_INFINITY;
    this.#clock ??= this.clearance.owner.host.deadlines.after(ms, () => {
      this.#deny({ type: 'limit', ms }, `Nobody has answered within the limit of ${ms} ms.`);
    });
  }

  #stopClock(): void {
    this.#clock?.cancel();
    this.#clock = undefined;
  }

  cancel(_cause: Cause): void {
    this.#over = true;
    this.#clock?.cancel();
    this.#leavePrompt?.();
  }

  /** The call ends for another reason: nothing of the permission is left. */
  close(): void {
    if (this.#over) return;
    this.#end();
    this.#leavePrompt?.();
  }

  // ── what rules, tool, mode and hooks say ─────────────────────────────────────────────────────────────────

  #consult(): void {
    this.#granting = false;
    if (this.clearance.isStopped) return;
    this.#startClock();
    if (++this.#rounds > mostRounds) {
      this.#deny(
        { type: 'nobody' },
        'What it would do, or the rules, kept changing while it was asked about.',
      );
      return;
    }
    this.#askTool(() => this.#judge((judged) => this.#decide(judged)));
  }

  #askTool(then: () => void): void {
    const { tool, call, owner } = this.clearance;
    if (tool.checkPermissions === undefined) {
      then();
      return;
    }
    const question = () => tool.checkPermissions?.(call.input as never, owner.checkContext);
    this.clearance.inquire('permission', owner.host.timeoutMs, question, (reply) => {
      // A check that is broken has not allowed anything.
      const message =
        reply.type === 'timeout'
          ? `its own check has not answered within ${reply.ms} ms`
          : reply.type === 'error'
            ? `its own check failed: ${messageOf(reply.error)}`
            : '';
      this.#tool = reply.type === 'answer' ? readToolPermission(reply.value) : { behavior: 'deny', message };
      then();
    });
  }

  #judge(receive: (judged: Judgement) => void): void {
    const { targets } = this.clearance;
    const { permissions } = this.guards;
    const { version } = permissions;
    targets.read((call) =>
      targets.readOriginal((original) => {
        const final = judgeRules(permissions, call);
        const verdict =
          original === undefined ? final : strictestVerdict(judgeRules(permissions, original), final);
        receive({ call: { ...call, targets: freezeData(call.targets) }, verdict, version });
      }),
    );
  }

  #decide(judged: Judgement): void {
    if (this.#over || this.clearance.isStopped) return;
    this.#judged = judged;
    const decision = this.#decisionOf(judged);
    if (decision.decision === 'deny') this.#deny(decision.decidedBy, decision.message);
    else if (decision.decision === 'allow') this.#grant(decision.decidedBy);
    else if (decision.asks === 'classifier') this.#awaitClassifier(judged);
    else this.#ask(decision);
  }

  #decisionOf({ call, verdict }: Judgement): Decision {
    const { clearance, guards, opinion } = this;
    const state = clearance.speculation?.state ?? 'none';
    const isReadOnly = readHint(clearance.tool, 'isReadOnly', clearance.call.input);
    return decide({
      rules: verdict,
      mode: modeOf(guards.permissions, clearance.call.context),
      ...(this.#tool === undefined ? undefined : { tool: this.#tool }),
      ...(opinion === undefined ? undefined : { hook: opinion }),
      ...(state === 'none' ? undefined : { classifier: state }),
      targets: call.targets,
      ...(isReadOnly === undefined ? undefined : { isReadOnly }),
      canAsk: guards.canUseTool !== undefined || guards.hooks?.PermissionRequest !== undefined,
      isConfigured: guards.canUseTool !== undefined || isConfigured(guards.permissions),
    });
  }

  #awaitClassifier(judged: Judgement): void {
    this.#tell({ phase: 'classifying' });
    this.clearance.steps.begin('permission', () => {
      // Rules may have changed meanwhile: nobody is to be asked what they have settled.
      this.clearance.speculation?.wait(() => {
        if (judged.version === this.guards.permissions.version) this.#decide(judged);
        else this.#consult();
      });
      return { cancel: () => undefined };
    });
  }

  // ── who is asked ─────────────────────────────────────────────────────────────────────────────────────────

  #ask(decision: Decision): void {
    const { owner } = this.clearance;
    this.#asked = true;
    this.#tell({ phase: 'asked', decidedBy: nameOfDecider(decision.decidedBy), message: decision.message });
    if (this.#over) return;
    const round = this.#rounds;
    this.#askHooks(decision, () => this.#askPerson(decision));
    // A safe call's slot is free while somebody thinks; an unsafe one keeps its place, and has nothing to give. Not
    // before it stands in the line of prompts: who starts in its stead may ask at once, and comes after it.
    if (!this.#over && !this.#granting && this.#rounds === round) owner.slot?.giveBack();
  }

  #askHooks(decision: Decision, then: () => void): void {
    const hooks = this.guards.hooks?.PermissionRequest;
    if (hooks === undefined) {
      then();
      return;
    }
    const { tool, call, input, targets } = this.clearance;
    const about = {
      toolUse: call.toolUse,
      name: tool.name,
      names: namesOf(tool),
      input,
      message: decision.message,
      suggestions: this.#suggestions(decision),
      conditionCall: (given: unknown) => targets.conditionCall(given),
    };
    this.clearance.steps.begin('permission', () =>
      askPermissionRequest(hooks, about, this.clearance.hookHost('PermissionRequest'), (verdict) => {
        this.clearance.note(verdict);
        this.#heardHooks(verdict, then);
      }),
    );
  }

  #heardHooks(verdict: PermissionRequestVerdict, then: () => void): void {
    const { decision, by = '', message = '', interrupt, updates, rewrittenBy, input } = verdict;
    if (decision === undefined) then();
    else if (decision === 'failed') {
      this.#end();
      this.clearance.refuse(hookFailed(this.clearance.tool.name, by, message));
      this.#leavePrompt?.();
    } else {
      // As with a person's answer: an approval that was given under other rules is none, its own changes set aside.
      const expired = this.#judged?.version !== this.guards.permissions.version;
      for (const update of updates) {
        if (update.type === 'setMode') this.#change(() => this.guards.permissions.setMode(update.mode));
        else this.#change(() => this.guards.permissions.remember([update]));
      }
      if (decision === 'deny') this.#deny({ type: 'hook', hook: by }, message, interrupt);
      else if (expired) this.#consult();
      else this.#approve({ type: 'hook', hook: by }, rewrittenBy.length > 0 ? { input } : undefined);
    }
  }

  #askPerson(decision: Decision): void {
    const { canUseTool } = this.guards;
    if (canUseTool === undefined) {
      this.#deny({ type: 'nobody' }, `${decision.message} Nobody can be asked, so it was denied.`);
      return;
    }
    this.clearance.steps.begin('permission', () => {
      let open = true;
      const leave = promptsOf(this.guards.permissions).wait(this.clearance.call.index, (close) => {
        this.#leavePrompt = close;
        const { call, owner } = this.clearance;
        // It is about to be stopped, with the one whose prompt has just been left.
        if (owner.host.stopFor(call) !== undefined) return;
        // What was remembered of a prompt before this one may answer it.
        if (this.#judged?.version !== this.guards.permissions.version) {
          close();
          this.#consult();
        } else this.#prompt(canUseTool, decision, close);
        open = false;
      });
      // Shown at once, and perhaps asked anew meanwhile: then what leaves that prompt must be kept.
      if (open) this.#leavePrompt = leave;
      return open ? { cancel: leave } : undefined;
    });
  }

  #prompt(canUseTool: NonNullable<Guards['canUseTool']>, decision: Decision, close: () => void): void {
    const request = (inquiry: Inquiry) => this.#requestOf(decision, inquiry);
    // Its own clock is the permission's.
    const ms = Number.POSITIVE_INFINITY;
    this.clearance.inquire(
      'permission',
      ms,
      (inquiry) => canUseTool(request(inquiry)),
      (reply) => {
        const answer = reply.type === 'answer' ? readPermissionAnswer(reply.value) : undefined;
        const why =
          reply.type === 'error' ? `it failed: ${messageOf(reply.error)}` : 'it gave no answer that is one';
        // Broken, it has decided nothing: that is nobody's refusal.
        if (answer === undefined)
          this.#deny({ type: 'callback' }, `The permission callback is broken: ${why}.`, false, true);
        // Remembered before the next prompt is shown.
        else this.#answered(answer, close);
      },
    );
  }

  #requestOf(decision: Decision, inquiry: Inquiry): PermissionRequest {
    const { call, tool, input } = this.clearance;
    return Question.of(inquiry, {
      toolUse: call.toolUse,
      name: tool.name,
      input,
      askedBy: decision.decidedBy,
      message: decision.message,
      isHard: decision.isHard,
      targets: this.#judged?.call.targets ?? [],
      suggestions: this.#suggestions(decision),
    });
  }

  #suggestions({ isHard }: Decision): readonly string[] {
    const judged = this.#judged;
    if (judged === undefined || isHard) return [];
    return suggestRules(this.guards.permissions, judged.call, judged.verdict);
  }

  #answered(answer: PermissionAnswer, close: () => void): void {
    const by: DecidedBy = { type: 'callback' };
    if (answer.behavior === 'deny') {
      this.#deny(by, answer.message ?? '', answer.interrupt === true);
      return;
    }
    const { permissions } = this.guards;
    // An approval that was given under other rules is no approval any more; its own change does not count.
    const expired = this.#judged?.version !== permissions.version;
    if (answer.remember !== undefined) this.#change(() => permissions.remember(answer.remember ?? []));
    if (expired) {
      close();
      this.#consult();
      return;
    }
    this.#approve(by, 'input' in answer ? { input: answer.input } : undefined);
    close();
  }

  #change(apply: () => void): void {
    try {
      apply();
    } catch (error) {
      this.clearance.owner.host.anomaly('remember_failed', messageOf(error), this.clearance.call);
    }
    if (this.#judged !== undefined)
      this.#judged = { ...this.#judged, version: this.guards.permissions.version };
  }

  /** Somebody has said yes. To other input than was judged: the rules are asked about that, and only they. */
  #approve(by: DecidedBy, changed: { readonly input: unknown } | undefined): void {
    if (this.#over) return;
    if (changed === undefined) {
      this.#grant(by);
      return;
    }
    this.#stopClock();
    const who = by.type === 'hook' ? `the hook ${by.hook}` : 'the user';
    this.clearance.rewrite(changed.input, who, () =>
      this.#askTool(() =>
        this.#judge((judged) => {
          this.#judged = judged;
          const decision = this.#decisionOf(judged);
          if (decision.decision === 'deny' && decision.decidedBy.type !== 'nobody')
            this.#deny(decision.decidedBy, decision.message);
          // A hard ask is about the new input, and a hook that has changed it can't answer that: the person does.
          else if (decision.decision === 'ask' && decision.isHard && by.type !== 'callback') {
            this.#granting = false;
            this.#startClock();
            this.#askPerson(decision);
          } else this.#grant(by);
        }),
      ),
    );
  }

  // ── how it ends ──────────────────────────────────────────────────────────────────────────────────────────

  /** Granted; what was approved must still be what runs, also after waiting for a slot. */
  #grant(by: DecidedBy): void {
    const { owner } = this.clearance;
    const { slot } = owner;
    this.#granting = true;
    this.#stopClock();
    if (slot === undefined || !this.#asked) {
      this.#confirm(by);
      return;
    }
    this.clearance.steps.begin(undefined, () => {
      let has = false;
      slot.takeAgain(
        () => {
          has = true;
          owner.host.tick();
          if (!this.#over && !this.clearance.isStopped) this.#confirm(by);
        },
        (reason) => owner.host.waitsForSlot(this.clearance.call, reason),
      );
      return has ? undefined : { cancel: () => undefined };
    });
  }

  /** SPEC §10: paths are looked at again directly before an unsafe call, and so are rules that have changed. */
  #confirm(by: DecidedBy): void {
    const judged = this.#judged;
    const { call } = this.clearance;
    // A prompt may have stood open for hours: then a safe call is looked at again too.
    const looksAgain = (!call.isConcurrencySafe || this.#asked) && isConfigured(this.guards.permissions);
    if (judged === undefined || (!looksAgain && judged.version === this.guards.permissions.version)) {
      this.#finish(by);
      return;
    }
    this.#judge((now) => {
      if (this.#over) return;
      const same = JSON.stringify(now.call.targets) === JSON.stringify(judged.call.targets);
      if (same && now.version === judged.version) this.#finish(by);
      else this.#consult();
    });
  }

  #finish(by: DecidedBy): void {
    const told = this.#asked || by.type !== 'default';
    this.#end();
    if (told) this.#tell({ phase: 'decided', decision: 'allow', decidedBy: nameOfDecider(by) });
    if (!this.clearance.steps.cancelled) this.granted();
    // Last: who is asked next may have the turn stopped at once.
    this.#leavePrompt?.();
  }

  #deny(by: DecidedBy, message: string, interrupt = false, isBroken = false): void {
    if (this.#over) return;
    const { owner, tool, call } = this.clearance;
    const cause = causeOf(by, tool.name);
    this.#end();
    this.clearance.steps.drop(cause);
    this.#tell({ phase: 'decided', decision: 'deny', decidedBy: nameOfDecider(by), message });
    const refuse = (): void => this.clearance.refuse(denied(tool.name, cause, message, isBroken));
    if (interrupt) owner.host.interrupt(message, refuse);
    else owner.host.denied(call, refuse);
    // Last: whoever is stopped by this denial is not shown any more.
    this.#leavePrompt?.();
  }

  #end(): void {
    const { call, owner, speculation } = this.clearance;
    this.#over = true;
    this.#clock?.cancel();
    speculation?.cancel({ type: 'signal', reason: 'the decision is made' });
    call.permission.end(owner.host.now());
  }

  #tell(event: Pick<PermissionEvent, 'phase' | 'decision' | 'decidedBy' | 'message'>): void {
    const { call, owner } = this.clearance;
    const { host } = owner;
    owner.emit({ type: 'permission', at: host.now(), toolUseId: call.id, name: call.name, ...event });
  }
}
