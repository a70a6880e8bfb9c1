import type { Observable, Unsubscribable } from 'rxjs';
import { LightObservable, type LightSubscriber } from '../../operators/lightObservable.js';
import { isFailure, isOutput, isProgress, type Output } from '../contract/emission.js';
import type { ToolEvent } from '../contract/events.js';
import type { Cause, Outcome } from '../contract/outcome.js';
import { invalidInputText } from '../contract/texts.js';
import type { Tool } from '../contract/tool.js';
import type { ToolResultBlock } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { firstAnswer } from '../interop/firstAnswer.js';
import { type AnswerReceiver, fromAnswer, type PendingAnswer } from '../interop/fromAnswer.js';
import { messageOf } from '../results/json.js';
import { errorBlock, presentOutput, resultBlock } from '../results/present.js';
import type { Call, Place, Stop } from './call.js';
import { ToolContext } from './context.js';
import type { Deadline, DeadlineTarget } from './deadlines.js';
import type { CallHost } from './host.js';
import {
  type Ending,
  machineryFailed,
  notRun,
  outcomeOf,
  refused,
  stopped,
  toolFailed,
  unstarted,
} from './outcomes.js';

const defaultUnsafeGraceMs = 2_000;
const left: Cause = { type: 'signal', reason: 'unsubscribed' };

/**
 * One call, from the moment its place comes to the end of its place: `started`, progress, `completed`, `result`.
 *
 * A call that was answered while it waited has nothing to say any more.
 */
export const runCall = (call: Call, host: CallHost): Observable<ToolEvent> => new RunningCall(call, host);

class RunningCall extends LightObservable<ToolEvent> {
  constructor(
    private readonly call: Call,
    private readonly host: CallHost,
  ) {
    super();
  }

  begin(subscriber: LightSubscriber<ToolEvent>): Unsubscribable | undefined {
    const { call, host } = this;
    if (call.outcome !== undefined) {
      subscriber.complete();
      return undefined;
    }
    const run = new CallRun(call, host, subscriber);
    run.begin();
    return run;
  }
}

class CallRun implements AnswerReceiver, DeadlineTarget, Place, Unsubscribable {
  before: Place | undefined;
  after: Place | undefined;
  /** The tool's answer is not wanted any more. */
  closed = false;
  /** The call's place has ended. */
  #ended = false;
  #stop: Stop | undefined;
  #context: ToolContext | undefined;
  #pending: PendingAnswer | undefined;
  #timeout: Deadline | undefined;
  #grace: Deadline | undefined;
  /** Given up while the tool may go on: what comes now is late. */
  #detached = false;
  #toldLate = false;

  constructor(
    readonly call: Call,
    private readonly host: CallHost,
    private readonly subscriber: LightSubscriber<ToolEvent>,
  ) {}

  begin(): void {
    const { call, host } = this;
    call.run = this;
    host.begin(this);
    const stop = host.stopFor(call);
    if (stop !== undefined) this.#end(unstarted(call, stop));
    else if (call.refusal !== undefined) this.#end(refused(call.refusal));
    else if (call.tool?.validateInput === undefined) this.#invoke(call.tool as Tool);
    else this.#check(call.tool);
  }

  // ── before the tool ──────────────────────────────────────────────────────────────────────────────────────

  #check(tool: Tool): void {
    const failed = (error: unknown): void => {
      this.host.tick();
      this.#pending = undefined;
      this.#end(machineryFailed(tool.name, `its validateInput failed: ${messageOf(error)}`, 'no'));
    };
    try {
      const answer = tool.validateInput?.(this.call.input as never, this.#newContext());
      this.#pending = firstAnswer(answer, (message) => this.#checked(tool, message), failed);
    } catch (error) {
      failed(error);
      return;
    }
    if (this.#pending === undefined || this.#ended) return;
    const ms = this.host.timeoutMs;
    const late = `its validateInput has not answered within ${ms} ms`;
    this.#timeout = this.host.deadlines.after(ms, () => this.#end(machineryFailed(tool.name, late, 'no')));
    this.#emitWaiting('validation');
  }

  #checked(tool: Tool, message: unknown): void {
    this.host.tick();
    this.#pending = undefined;
    this.#timeout?.cancel();
    if (this.#ended) return;
    if (message === undefined || message === null) this.#invoke(tool);
    else if (typeof message === 'string') {
      this.#end({ code: 'invalid_input', executed: 'no', text: invalidInputText(tool.name, [message]) });
    } else {
      const what = `its validateInput answered ${typeof message}, expected a message or undefined`;
      this.#end(machineryFailed(tool.name, what, 'no'));
    }
  }

  #emitWaiting(reason: 'validation'): void {
    const { call } = this;
    this.subscriber.next({
      type: 'waiting',
      at: this.host.now(),
      toolUseId: call.id,
      name: call.name,
      reason,
      on: [],
      count: 0,
    });
  }

  #newContext(): ToolContext {
    this.#context = new ToolContext(this.call, this.host, 1, this);
    return this.#context;
  }

  // ── the tool ─────────────────────────────────────────────────────────────────────────────────────────────

  #invoke(tool: Tool): void {
    const { call, host, subscriber } = this;
    call.startedAt = host.now();
    subscriber.next({ type: 'started', at: call.startedAt, toolUseId: call.id, name: call.name, attempt: 1 });
    // Whoever saw it start may have stopped or left the turn.
    if (this.#ended || subscriber.closed) return;
    const context = this.#context ?? this.#newContext();
    call.called = true;
    let answer: unknown;
    try {
      answer = tool.call(call.input as never, context as never);
    } catch (error) {
      this.error(error);
      return;
    }
    const pending = fromAnswer(answer, this);
    if (pending === undefined) return;
    // Ended meanwhile: by its own first emission, or by what that emission caused.
    if (this.closed) this.#abandon(pending);
    else {
      this.#pending = pending;
      // A stop that came while `call` was being entered has not reached a generator yet.
      if (this.#stop !== undefined) pending.requestStop();
      else this.#timeout = this.host.deadlines.at(tool.timeoutMs ?? this.host.timeoutMs, this);
    }
  }

  /** The call's own limit has come. */
  onDeadline(ms: number): void {
    this.requestStop({ code: 'timeout', cause: { type: 'limit', limit: 'timeout', ms } });
  }

  /** Progress, from the tool's emissions or its context. */
  report(data: unknown): void {
    // After a discard nothing of the call is delivered any more, also while its tool has its grace.
    disown(data);
    if (this.closed || !this.call.called || this.call.outcome !== undefined) return;
    this.host.tick();
    const { call } = this;
    this.subscriber.next({
      type: 'progress',
      at: this.host.now(),
      toolUseId: call.id,
      name: call.name,
      data,
    });
  }

  value(value: unknown): void {
    this.host.tick();
    if (this.closed) this.#late('value', value);
    else if (isOutput(value)) this.#succeed(value.data, value);
    else if (isFailure(value)) this.#fail(value);
    else if (isProgress(value)) this.#malfunction('it returned progress instead of output');
    else this.#succeed(value);
  }

  emit(value: unknown): void {
    if (isProgress(value)) {
      this.report(value.data);
      return;
    }
    this.host.tick();
    if (this.closed) this.#late('value', value);
    else if (isOutput(value)) this.#succeed(value.data, value);
    else if (isFailure(value)) this.#fail(value);
    else if (disown(value))
      this.#malfunction('it emitted a promise, which is neither progress() nor output()');
    else this.#malfunction(`it emitted ${typeof value}, which is neither progress() nor output()`);
  }

  error(error: unknown): void {
    this.host.tick();
    if (this.closed) this.#late('error', error);
    else this.#fail(error);
  }

  end(): void {
    this.host.tick();
    if (!this.closed) this.#malfunction('it ended without output');
  }

  // ── how it ends ──────────────────────────────────────────────────────────────────────────────────────────

  /** Also within the grace of a stop: what has been done is reported as done. */
  #succeed(data: unknown, output?: Output<unknown>): void {
    const { call } = this;
    if (disown(data)) {
      this.#malfunction('its output is a promise: wait for it, and put what it gives into output()');
      return;
    }
    let block: ToolResultBlock;
    try {
      block = resultBlock(call.id, presentOutput(call.tool as Tool, data, call.id));
    } catch (error) {
      this.#end(machineryFailed(call.name, `its result could not be shown: ${messageOf(error)}`, 'yes'));
      return;
    }
    call.output = data;
    call.newMessages = output?.newMessages;
    call.modifyContext = output?.modifyContext;
    this.#end({ code: 'ok', executed: 'yes', text: '' }, block);
  }

  #fail(error: unknown): void {
    if (this.#stop !== undefined) this.#end(stopped(this.call.name, this.#stop, true, messageOf(error)));
    else this.#end(toolFailed(this.call.name, error), undefined, error);
  }

  #malfunction(what: string): void {
    if (this.#stop !== undefined) this.#end(stopped(this.call.name, this.#stop, true));
    else this.#end(machineryFailed(this.call.name, what, 'unknown'));
  }

  #end(ending: Ending, block?: ToolResultBlock, failure?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.closed = true;
    this.#timeout?.cancel();
    this.#grace?.cancel();
    if (this.#pending !== undefined) this.#abandon(this.#pending);
    this.#context?.end();
    this.#settle(ending, block, failure);
    this.host.leave(this.call);
    this.call.run = undefined;
    this.subscriber.complete();
    this.host.deadlines.settle();
  }

  #settle(ending: Ending, block: ToolResultBlock | undefined, failure: unknown): void {
    const { call, host, subscriber } = this;
    const at = host.now();
    const outcome = outcomeOf(ending, call.durations(at));
    const shown = block ?? errorBlock(call.id, ending.text);
    // Answered by a discard already: this is for the ledger alone.
    if (call.outcome !== undefined) {
      call.afterDiscard = outcome;
      call.block = shown;
      return;
    }
    call.outcome = outcome;
    call.block = shown;
    call.completedAt = at;
    call.cascades = call.called && this.#cascades(ending, failure);
    emitAnswer(call, ending.code !== 'ok' && ending.code !== 'tool_error', subscriber);
  }

  /** Only a call that had started and failed of itself: never one that was asked to stop by others. */
  #cascades({ code, error }: Ending, failure: unknown): boolean {
    const rule = this.call.tool?.abortsSiblings;
    if (rule === undefined || rule === false) return false;
    if (code !== 'tool_error' && code !== 'infrastructure' && code !== 'timeout') return false;
    if (rule === true) return true;
    try {
      const answer: unknown = rule(failure ?? error, this.call.toolUse);
      if (disown(answer)) throw new TypeError('it answered with a promise, which is no answer in time');
      return answer === true;
    } catch (thrown) {
      this.host.anomaly('cascade_check_failed', `abortsSiblings failed: ${messageOf(thrown)}`, this.call);
      return false;
    }
  }

  // ── stops ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Law 8: the request reaches the tool at once; the place is kept until it has stopped or the grace lapses. */
  requestStop(stop: Stop): void {
    if (this.#ended) return;
    if (this.#stop !== undefined) {
      // It has been asked already; what is new is that there is no time left.
      if (stop.atOnce === true) this.#detach(this.#stop);
      return;
    }
    this.#stop = stop;
    const { call, host } = this;
    if (!this.call.called) {
      // Ended first: a check that answers its signal must not make the call go on.
      this.#end(notRun(call.name, stop));
      this.#context?.stop(stop.cause);
      return;
    }
    this.#timeout?.cancel();
    if (call.outcome === undefined) {
      const at = host.now();
      this.subscriber.next({ type: 'stopping', at, toolUseId: call.id, name: call.name, cause: stop.cause });
    }
    if (!this.#ended) this.#context?.stop(stop.cause);
    if (!this.#ended) this.#pending?.requestStop();
    if (!this.#ended) this.#awaitStop(stop);
  }

  #awaitStop(stop: Stop): void {
    const ms =
      this.call.tool?.graceMs ??
      this.host.graceMs ??
      (this.call.isConcurrencySafe ? 0 : defaultUnsafeGraceMs);
    if (ms === 0 || stop.atOnce === true) this.#detach(stop);
    else this.#grace = this.host.deadlines.after(ms, () => this.#detach(stop));
  }

  #detach(stop: Stop): void {
    this.#detached = true;
    this.#end(stopped(this.call.name, stop, this.#pending?.stopsAtOnce === true));
  }

  /** Takes nothing more from the answer; tells the host where that does not end it. */
  #abandon(pending: PendingAnswer): void {
    this.#pending = undefined;
    pending.cancel();
    // What came in answer to the very request to stop has been told as late already.
    if (this.#detached && !pending.stopsAtOnce && !this.#toldLate)
      this.host.late({ toolUse: this.call.toolUse, type: 'running' });
  }

  #late(type: 'value' | 'error', what: unknown): void {
    disown(what);
    if (!this.#detached) return;
    this.#toldLate = true;
    const { toolUse } = this.call;
    this.host.late(type === 'value' ? { toolUse, type, value: what } : { toolUse, type, error: what });
  }

  /** The turn was left, or the call's own end closes it. */
  unsubscribe(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.closed = true;
    this.#detached = true;
    this.#timeout?.cancel();
    this.#grace?.cancel();
    this.#context?.stop(left);
    if (this.#pending !== undefined) this.#abandon(this.#pending);
    this.#context?.end();
    this.host.deadlines.settle();
  }
}

/**
 * Emits the two events that answer a call.
 *
 * Whoever sees `completed` may discard the turn at once, and the discard then answers in this one's stead.
 */
export const emitAnswer = (call: Call, synthetic: boolean, out: { next(event: ToolEvent): void }): void => {
  const { id: toolUseId, name, outcome, completedAt: at } = call as Call & { readonly outcome: Outcome };
  out.next(
    outcome.code === 'ok'
      ? { type: 'completed', at, toolUseId, name, outcome, output: call.output }
      : { type: 'completed', at, toolUseId, name, outcome },
  );
  if (!call.answered) emitResult(call, synthetic, out);
};

export const emitResult = (call: Call, synthetic: boolean, out: { next(event: ToolEvent): void }): void => {
  const {
    id: toolUseId,
    name,
    outcome,
    block,
    newMessages: after,
    completedAt: at,
  } = call as Call & {
    readonly outcome: Outcome;
    readonly block: ToolResultBlock;
  };
  call.answered = true;
  out.next(
    after === undefined
      ? { type: 'result', at, toolUseId, name, block, outcome, synthetic }
      : { type: 'result', at, toolUseId, name, block, outcome, synthetic, after },
  );
};
