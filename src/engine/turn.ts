import type { OperatorFunction, SchedulerLike } from 'rxjs';
import { Latch } from '../../operators/latch.js';
import type { SlotReason } from '../../operators/slotReturns.js';
import { emitAnswer } from '../call/answer.js';
import type { Call, Place, Stop } from '../call/call.js';
import { Deadlines } from '../call/deadlines.js';
import { freezeData } from '../call/frozen.js';
import type { Guards } from '../call/guards.js';
import type { CallHost, OuterLife } from '../call/host.js';
import { type Ending, outcomeOf, unstarted } from '../call/outcomes.js';
import type { ToolEvent, WaitReason } from '../contract/events.js';
import type { ExecuteToolsOptions, LateEvent } from '../contract/options.js';
import type { Cause } from '../contract/outcome.js';
import type { ToolUse } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { errorBlock } from '../results/present.js';
import { Batches, type BatchRecord, idsOf, idsOfPlaces } from './batches.js';
import { applyModifiers } from './contextChanges.js';
import type { Settings } from './settings.js';
import { Siblings } from './siblings.js';

/** Makes the operator for a turn inside a call; given by `executeTools`, which knows how. */
export type Nest = (
  call: Call,
  options: ExecuteToolsOptions,
  life: OuterLife,
) => OperatorFunction<ToolUse, ToolEvent>;

/** The state of one turn: its calls, its batches, its context, and what stops it. */
export class Turn implements CallHost {
  readonly scheduler: SchedulerLike;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly graceMs: number | undefined;
  /** Everything taken in, in call order. */
  readonly calls: Call[] = [];
  readonly byId = new Map<string, Call>();
  readonly batches: Batches;
  readonly siblings: Siblings;
  /** The model has said its last word: what the start rule held may start. */
  readonly messageEnded = new Latch<void>();
  /** No more calls are taken in. */
  readonly admissionClosed = new Latch<void>();
  /** Admission, as a stop needs it; set by `admit`. */
  intake: { flush(): void; end(): void } = { flush: () => undefined, end: () => undefined };
  context: unknown;
  /** What every call is asked to stop for. */
  stop: Stop | undefined;
  discardCause: string | undefined;
  /** Its observers have gone, or it has ended: what is still torn down starts nothing. */
  left = false;
  /** What the source failed with, where that is why. */
  sourceError: unknown;
  /** A call was denied, and those behind it are not wanted any more. */
  #denial: { readonly index: number; readonly stop: Stop } | undefined;
  /** The turn is stopped for the user; set by `executeTools`, which knows how. */
  onInterrupt: (reason: string, refuse: () => void) => void = () => undefined;
  /** Ends the asking of the hooks behind the turn, while it goes on. */
  endHooks: ((cause: Cause) => void) | undefined;
  readonly #began: number;
  #now = 0;
  #saying = 0;
  #end: (() => void) | undefined;

  constructor(
    readonly settings: Settings,
    /** Where events go that no running call emits. */
    readonly out: { next(event: ToolEvent): void },
    readonly nested: Nest,
  ) {
    this.scheduler = settings.scheduler;
    this.deadlines = new Deadlines(
      settings.scheduler,
      () => this.#began + this.#now,
      () => this.tick(),
    );
    this.timeoutMs = settings.timeoutMs;
    this.graceMs = settings.graceMs;
    this.context = freezeData(settings.options.context);
    this.#began = settings.scheduler.now();
    this.batches = new Batches(settings.limits.kinds !== undefined, (batch) => this.#endBatch(batch));
    this.siblings = new Siblings(settings.siblingAbort, (call, stop) => this.stopCall(call, stop));
  }

  /** The instant of the last `tick`: what follows at once, a start upon its queueing, is one instant. */
  now(): number {
    return this.#now;
  }

  /** Something has come from outside: a tool use, an answer, a timer, a control. */
  tick(): void {
    const now = this.scheduler.now() - this.#began;
    // The system's clock may go back; a turn's does not.
    if (now > this.#now) this.#now = now;
  }

  /** The call gets its batch and is told to the world; where the turn is stopping, it is answered at once. */
  queue(call: Call): void {
    const batch = this.batches.join(call);
    call.batch = batch;
    call.queuedAt = this.now();
    this.siblings.watch(call, batch);
    this.out.next({
      type: 'queued',
      at: call.queuedAt,
      toolUseId: call.id,
      name: call.name,
      toolUse: call.toolUse,
      index: call.index,
      batch: batch.index,
      isConcurrencySafe: call.isConcurrencySafe,
    });
    this.batches.closeLeft();
    const stop = this.stopFor(call);
    if (stop !== undefined) this.answer(call, unstarted(call, stop));
  }

  /** Says why a call that has just been queued does not start; in a batch that runs, the batch says it. */
  explain(call: Call): void {
    const batch = batchOf(call);
    if (call.outcome !== undefined || call.beganAt >= 0) return;
    if (batch.held) this.waiting(call, 'message', [], 0);
    if (batch.begun) return;
    const blocker = batch.blocker();
    if (blocker === undefined) return;
    const reason = call.isConcurrencySafe ? 'batch' : 'exclusive';
    this.waiting(call, reason, idsOf(blocker.open), blocker.open.size);
  }

  begin(place: Place): void {
    const { call } = place;
    call.beganAt = this.now();
    call.context = this.context;
    batchOf(call).began(place);
  }

  leave(call: Call): void {
    this.siblings.unwatch(call);
    const batch = batchOf(call);
    batch.left(call);
    this.#endBatch(batch);
  }

  get guards(): Guards | undefined {
    return this.settings.guards;
  }

  random(): number {
    return this.settings.random();
  }

  stopFor(call: Call): Stop | undefined {
    const stop = this.left ? gone : this.stop;
    return stop ?? this.siblings.stopFor(batchOf(call)) ?? this.#denialFor(call);
  }

  #denialFor(call: Call): Stop | undefined {
    const denial = this.#denial;
    return denial !== undefined && call.index > denial.index ? denial.stop : undefined;
  }

  /** SPEC §6, `onDeny`: with `rest-of-turn` the calls behind a denied one that have not begun are denied too. */
  denied(by: Call, refuse: () => void): void {
    if (this.settings.onDeny === 'call' || this.#denial !== undefined) {
      refuse();
      return;
    }
    const cause = { type: 'call', toolUseId: by.id, name: by.name } as const;
    this.#denial = { index: by.index, stop: { code: 'denied', cause } };
    this.during(() => {
      // Its end makes room: those behind it must know by then that they are not to begin.
      refuse();
      for (let i = by.index + 1; i < this.calls.length; i++) {
        const call = this.calls[i];
        if (call !== undefined && !call.called && this.#denial !== undefined)
          this.stopCall(call, this.#denial.stop);
      }
    });
  }

  interrupt(reason: string, refuse: () => void): void {
    this.onInterrupt(reason, refuse);
  }

  wantStop(reason: string, by: string, message?: string): void {
    const said = message === undefined || message === '' ? undefined : { message };
    this.out.next({ type: 'stop', at: this.now(), reason, by, ...said });
  }

  leavesBatch(call: Call): void {
    batchOf(call).exclusive.add(call);
  }

  waitsAlone(call: Call): void {
    const others = [...(batchOf(call).running ?? [])].filter((place) => place.call !== call);
    this.waiting(call, 'exclusive', idsOf(others.map((place) => place.call)), others.length);
  }

  waitsForSlot(call: Call, reason: SlotReason): void {
    explainWait(this, call, reason);
  }

  /** A running call is asked to stop; one that waits is answered. */
  stopCall(call: Call, stop: Stop): void {
    // Taken in from inside a stop and not queued yet: it is answered when it is.
    if (call.queuedAt < 0) return;
    if (call.run !== undefined) call.run.requestStop(stop);
    else this.answer(call, unstarted(call, stop));
  }

  /** Answers a call in the tool's stead. A call that is in its place keeps it: its tool is asked to stop apart. */
  answer(call: Call, ending: Ending): void {
    if (call.outcome !== undefined) return;
    const at = this.now();
    call.outcome = outcomeOf(ending, call.durations(at));
    call.block = errorBlock(call.id, ending.text);
    call.completedAt = at;
    this.during(() => emitAnswer(call, true, this.out));
    if (call.run === undefined) this.leave(call);
  }

  /** Says something of several calls, or in several events: the turn does not end in the middle of it. */
  during(say: () => void): void {
    this.#saying++;
    say();
    if (--this.#saying > 0) return;
    const end = this.#end;
    this.#end = undefined;
    end?.();
  }

  /** Ends the turn, as soon as nothing is being said. */
  whenSaid(end: () => void): void {
    if (this.#saying === 0) end();
    else this.#end = end;
  }

  waiting(call: Call, reason: WaitReason, on: readonly string[], count: number): void {
    // Who is about to be answered does not wait any more.
    if (this.stop !== undefined || call.outcome !== undefined) return;
    // Several may say it, the batch and the call, or one step of a permission after another: once will do.
    if (call.waitsFor === reason && unblocked.has(reason)) return;
    call.waitsFor = reason;
    this.out.next({
      type: 'waiting',
      at: this.now(),
      toolUseId: call.id,
      name: call.name,
      reason,
      on,
      count,
    });
  }

  anomaly(code: string, message: string, call?: { readonly id: string; readonly name: string }): void {
    const of = call === undefined ? undefined : { toolUseId: call.id, name: call.name };
    this.out.next({ type: 'anomaly', at: this.now(), code, message, ...of });
  }

  late(late: LateEvent): void {
    try {
      // The type of a callback allows an async one, whose rejection must not end the process.
      const answer: unknown = this.settings.onLate?.(late);
      disown(answer);
    } catch {
      // The host's own callback failed; there is nobody else to tell.
    }
  }

  /** Law 5: what a batch changes is applied when it has ended. */
  #endBatch(batch: BatchRecord): void {
    if (!batch.closed || batch.over || batch.open.size > 0) return;
    batch.over = true;
    if (batch.modifiers !== undefined && this.discardCause === undefined)
      applyModifiers(this, batch.modifiers);
  }
}

const gone: Stop = { code: 'interrupted', cause: { type: 'signal', reason: 'unsubscribed' } };

/** Reasons that name nobody to wait for. */
const unblocked: ReadonlySet<WaitReason> = new Set(['message', 'hooks', 'permission']);

/** Says why a call has no slot. */
export const explainWait = (turn: Turn, call: Call, reason: SlotReason): void => {
  const batch = batchOf(call);
  if (reason === 'pool') turn.waiting(call, 'pool', [], turn.settings.pool?.running ?? 0);
  else if (reason === 'alone') turn.waiting(call, 'batch', idsOf(batch.exclusive), batch.exclusive.size);
  else {
    const { first, size } = batch.running ?? { first: undefined, size: 0 };
    const ofKind = size >= turn.settings.limits.concurrency ? undefined : batch.runningOf(call.kind);
    const ids = ofKind === undefined ? idsOfPlaces(first) : idsOf(ofKind);
    turn.waiting(call, 'limit', ids, ofKind?.size ?? size);
  }
};

/** The engine's record of a call's batch: admission has put it there. */
export const batchOf = (call: Call): BatchRecord => call.batch as BatchRecord;
