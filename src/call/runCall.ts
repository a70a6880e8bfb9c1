import type { Observable, Unsubscribable } from 'rxjs';
import { LightObservable, type LightSubscriber } from '../../operators/lightObservable.js';
import type { Slot } from '../../operators/slotReturns.js';
import type { CheckContext } from '../contract/context.js';
import type { Output } from '../contract/emission.js';
import type { ToolEvent } from '../contract/events.js';
import type { Cause } from '../contract/outcome.js';
import type { RetryPolicy, Tool } from '../contract/tool.js';
import type { ToolResultBlock } from '../contract/toolUse.js';
import { messageOf } from '../results/json.js';
import { errorBlock, presentOutput, resultBlock } from '../results/present.js';
import { Aftermath } from './aftermath.js';
import { emitAnswer } from './answer.js';
import { Attempt, type AttemptOwner } from './attempt.js';
import { Backoff } from './backoff.js';
import type { Call, Place, Refusal, Stop } from './call.js';
import { cascades } from './cascades.js';
import { Clearance, type ClearanceOwner } from './clearance.js';
import { Clocks } from './clocks.js';
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
import { delayAfter, isRepeatable, isWorthRetrying } from './retry.js';

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

class CallRun implements AttemptOwner, ClearanceOwner, DeadlineTarget, Place, Unsubscribable {
  before: Place | undefined;
  after: Place | undefined;
  /** The call's place has ended. */
  #ended = false;
  #stop: Stop | undefined;
  #checks: ToolContext | undefined;
  #clearance: Clearance | undefined;
  #attempt: Attempt | undefined;
  #clocks: Clocks | undefined;
  #timeout: Deadline | undefined;
  #grace: Deadline | undefined;
  #backoff: Backoff | undefined;
  #aftermath: Aftermath | undefined;

  constructor(
    readonly call: Call,
    readonly host: CallHost,
    private readonly subscriber: LightSubscriber<ToolEvent>,
  ) {}

  begin(): void {
    const { call, host } = this;
    call.run = this;
    host.begin(this);
    const { refusal, tool } = call;
    const stop = host.stopFor(call);
    if (stop !== undefined) this.#end(unstarted(call, stop));
    else if (tool === undefined || (refusal !== undefined && !this.#isMendable(refusal)))
      this.#end(refused(refusal as Refusal));
    else if (host.guards === undefined && tool.validateInput === undefined) this.#start(tool, 1);
    else {
      this.#clearance = new Clearance(this, tool, host.guards);
      this.#clearance.begin();
    }
  }

  /** SPEC law 3: a hook or a repair may mend what a schema refused. */
  #isMendable({ code }: Refusal): boolean {
    const { guards } = this.host;
    return (
      code === 'invalid_input' && (guards?.repair !== undefined || guards?.hooks?.PreToolUse !== undefined)
    );
  }

  // ── before the tool ──────────────────────────────────────────────────────────────────────────────────────

  get slot(): Slot | undefined {
    return this.subscriber.slot;
  }

  get checkContext(): CheckContext {
    this.#checks ??= new ToolContext(this.call, this.host, 1, silent);
    return this.#checks;
  }

  get rests(): boolean {
    return this.#backoff !== undefined;
  }

  emit(event: ToolEvent): void {
    this.subscriber.next(event);
  }

  cleared(): void {
    if (this.#ended) return;
    const { call, host } = this;
    call.inputSide = this.#clearance?.input;
    this.#clearance = undefined;
    // Asked again directly before the tool (SPEC §5.2).
    const stop = host.stopFor(call);
    if (stop === undefined) this.#start(call.tool as Tool, 1);
    else this.#end(unstarted(call, stop));
  }

  refuse(ending: Ending): void {
    this.#end(ending);
  }

  // ── the tool ─────────────────────────────────────────────────────────────────────────────────────────────

  #start(tool: Tool, number: number): void {
    const { call, host, subscriber } = this;
    const at = host.now();
    if (number === 1) call.startedAt = at;
    subscriber.next({ type: 'started', at, toolUseId: call.id, name: call.name, attempt: number });
    // Whoever saw it start may have stopped or left the turn.
    if (this.#ended || this.#aftermath !== undefined || subscriber.closed) return;
    // Until here: a stop that comes as it is told finds no attempt, and has nobody to wait for.
    this.#backoff = undefined;
    call.called = true;
    const attempt = new Attempt(this, number);
    this.#attempt = attempt;
    attempt.begin(tool);
    // A stop that came while the tool was being entered has set its own clock.
    if (this.#attempt !== attempt || !attempt.pending || this.#stop !== undefined) return;
    this.#armTimeout(tool);
    if (tool.idleTimeoutMs === undefined && tool.retry?.attemptTimeoutMs === undefined) return;
    this.#clocks = new Clocks(this.host, tool, (cause) => this.#lapsed(cause));
  }

  #armTimeout(tool: Tool): void {
    this.#timeout ??= this.host.deadlines.at(tool.timeoutMs ?? this.host.timeoutMs, this);
  }

  /** The call's own limit has come. */
  onDeadline(ms: number): void {
    this.requestStop({ code: 'timeout', cause: { type: 'limit', limit: 'timeout', ms } });
  }

  /** One of its other clocks: of silence, which ends the call, or of the attempt, behind which there may be another. */
  #lapsed(cause: Cause & { readonly type: 'limit' }): void {
    const { attempt, call } = { attempt: this.#attempt, call: this.call };
    const { tool } = call;
    const again = cause.limit === 'attempt' && call.isConcurrencySafe && this.#hasAttempts(tool?.retry);
    if (!again || attempt === undefined) {
      this.requestStop({ code: 'timeout', cause });
      return;
    }
    // Safe to run beside itself: the next attempt need not wait until this one has heard of it.
    attempt.requestStop(cause);
    if (this.#ended || this.#attempt !== attempt) return;
    attempt.detach();
    this.#retry(tool as Tool, new Error(`it took longer than ${cause.ms} ms`), cause);
  }

  progressed(data: unknown): void {
    // After a discard nothing of the call is delivered any more, also while its tool has its grace.
    const { call, host } = this;
    if (call.outcome !== undefined) return;
    host.tick();
    this.#clocks?.progressed();
    this.subscriber.next({ type: 'progress', at: host.now(), toolUseId: call.id, name: call.name, data });
  }

  /** Also within the grace of a stop: what has been done is reported as done. */
  succeeded(data: unknown, output: Output<unknown> | undefined): void {
    const { call } = this;
    let block: ToolResultBlock;
    try {
      block = resultBlock(call.id, presentOutput(call.tool as Tool, data, call.id));
    } catch (error) {
      this.#finish(machineryFailed(call.name, `its result could not be shown: ${messageOf(error)}`, 'yes'));
      return;
    }
    call.output = data;
    call.newMessages = output?.newMessages;
    call.modifyContext = output?.modifyContext;
    this.#finish({ code: 'ok', executed: 'yes', text: '' }, block);
  }

  failed(error: unknown): void {
    const { call } = this;
    const { tool } = call;
    if (this.#stop !== undefined) this.#finish(stopped(call.name, this.#stop, true, messageOf(error)));
    else if (tool?.retry !== undefined && this.#isWorthAnother(tool, tool.retry, error))
      this.#retry(tool, error);
    else this.#finish(toolFailed(call.name, error), undefined, error);
  }

  malfunctioned(what: string): void {
    if (this.#stop !== undefined) this.#finish(stopped(this.call.name, this.#stop, true));
    else this.#finish(machineryFailed(this.call.name, what, 'unknown'));
  }

  // ── attempts ─────────────────────────────────────────────────────────────────────────────────────────────

  #hasAttempts(policy: RetryPolicy | undefined): boolean {
    return policy !== undefined && (this.#attempt?.number ?? 1) < policy.maxAttempts;
  }

  #isWorthAnother(tool: Tool, policy: RetryPolicy, error: unknown): boolean {
    const { call, host } = this;
    if (call.outcome !== undefined || !this.#hasAttempts(policy)) return false;
    try {
      return isRepeatable(tool, call, error) && isWorthRetrying(policy, error);
    } catch (thrown) {
      host.anomaly('retry_check_failed', `retryOn failed: ${messageOf(thrown)}`, call);
      return false;
    }
  }

  #retry(tool: Tool, error: unknown, by?: Cause): void {
    const { call, host } = this;
    const attempt = this.#attempt as Attempt;
    attempt.close();
    this.#attempt = undefined;
    this.#clocks?.cancel();
    const delayMs = delayAfter(tool.retry as RetryPolicy, attempt.number, error, () => host.random());
    const about = { at: host.now(), toolUseId: call.id, name: call.name };
    const failed = { attempt: attempt.number, error: { message: messageOf(error) }, delayMs };
    this.#backoff = new Backoff(messageOf(error));
    this.emit({ type: 'attempt-failed', ...about, ...failed, ...(by === undefined ? undefined : { by }) });
    if (this.#ended || this.subscriber.closed) return;
    this.#armTimeout(tool);
    host.waiting(call, 'backoff', [], 0);
    // An unsafe call keeps its place while it waits.
    const slot = call.isConcurrencySafe ? this.slot : undefined;
    slot?.giveBack();
    this.#backoff?.begin(
      host,
      delayMs,
      slot,
      (reason) => host.waitsForSlot(call, reason),
      () => {
        if (!this.#ended && !this.#isBeingStopped) this.#start(tool, attempt.number + 1);
      },
    );
  }

  /** Its turn is stopping, and a slot came free because another call was stopped first: it is about to hear of it. */
  get #isBeingStopped(): boolean {
    const { call, host } = this;
    const stop = host.stopFor(call);
    if (stop === undefined || stop.code === 'denied') return false;
    return stop.cause.type !== 'user' || call.tool?.onInterrupt !== 'finish';
  }

  // ── how it ends ──────────────────────────────────────────────────────────────────────────────────────────

  /** The tool has ended, or was given up; hooks may still want a word. */
  #finish(ending: Ending, block?: ToolResultBlock, failure?: unknown): void {
    if (this.#ended || this.#aftermath !== undefined) return;
    const { call, host } = this;
    this.#attempt?.close();
    this.#cancelClocks();
    call.ranUntil = host.now();
    const { guards } = host;
    if (
      guards === undefined ||
      this.#stop?.code === 'interrupted' ||
      Aftermath.hooksFor(guards, call, ending) === undefined
    ) {
      this.#end(ending, block, failure);
      return;
    }
    this.#aftermath = new Aftermath(this, guards, { ending, block }, (end) =>
      this.#end(end.ending, end.block, failure),
    );
    this.#aftermath.begin();
  }

  #cancelClocks(): void {
    this.#timeout?.cancel();
    this.#grace?.cancel();
    this.#clocks?.cancel();
  }

  #end(ending: Ending, block?: ToolResultBlock, failure?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelClocks();
    this.#attempt?.close();
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
    call.cascades = cascades(call, ending, failure, host);
    emitAnswer(call, ending.code !== 'ok' && ending.code !== 'tool_error', subscriber);
  }

  // ── stops ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Law 8: the request reaches the tool at once; the place is kept until it has stopped or the grace lapses. */
  requestStop(stop: Stop): void {
    if (this.#ended) return;
    if (this.#aftermath !== undefined) {
      this.#aftermath.cancel(stop.cause);
      return;
    }
    if (this.#stop !== undefined) {
      // It has been asked already; what is new is that there is no time left.
      if (stop.atOnce === true) this.#detach(this.#stop);
      return;
    }
    this.#stop = stop;
    if (!this.call.called) this.#withdraw(stop);
    else if (this.#backoff !== undefined) this.#endBackoff(stop, this.#backoff);
    else this.#askToStop(stop);
  }

  #withdraw(stop: Stop): void {
    // Ended first: a check that answers its signal must not make the call go on.
    const clearance = this.#clearance;
    this.#end(notRun(this.call.name, stop));
    clearance?.cancel(stop.cause);
    this.#checks?.stop(stop.cause);
    this.host.deadlines.settle();
  }

  #endBackoff(stop: Stop, backoff: Backoff): void {
    backoff.cancel();
    this.#backoff = undefined;
    this.#finish(stopped(this.call.name, stop, true, backoff.said));
  }

  #askToStop(stop: Stop): void {
    const { call, host } = this;
    this.#timeout?.cancel();
    this.#clocks?.cancel();
    if (call.outcome === undefined) {
      const at = host.now();
      this.emit({ type: 'stopping', at, toolUseId: call.id, name: call.name, cause: stop.cause });
    }
    if (!this.#ended) this.#attempt?.requestStop(stop.cause);
    if (!this.#ended && this.#aftermath === undefined) this.#awaitStop(stop);
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
    const hasStopped = this.#attempt?.stopsAtOnce === true;
    this.#attempt?.detach();
    this.#finish(stopped(this.call.name, stop, hasStopped));
  }

  /** The turn was left, or the call's own end closes it. */
  unsubscribe(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelClocks();
    this.#backoff?.cancel();
    this.#clearance?.cancel(left);
    this.#checks?.stop(left);
    this.#aftermath?.leave(left);
    this.#attempt?.requestStop(left);
    this.#attempt?.detach();
    this.host.deadlines.settle();
  }
}

const silent = { report: () => undefined };
