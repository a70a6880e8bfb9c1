import { from, Observable, type SchedulerLike, Subject, takeUntil } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { z } from 'zod';
import { CountingScheduler } from '../../marbles/testing/countingScheduler.js';
import type { LateEvent, Pool, ToolEvent, ToolUse } from '../../src/index.js';
import { createPool, executeTools, failure, output } from '../../src/index.js';
import { Guarding, inputOf } from './guards.js';
import type { Schedule } from './schedule.js';
import { type Activity, instrumentedTools } from './tools.js';
import { type Deed, Witness } from './witness.js';

/** Everything that could be seen of a schedule's run, from outside and from within its tools. */
export interface Played {
  readonly schedule: Schedule;
  readonly events: readonly ToolEvent[];
  /** The place of each event among all deeds and events. */
  readonly seqs: readonly number[];
  readonly deeds: readonly Deed[];
  /** When the turn was left, in that order. */
  readonly leftSeq: number;
  readonly endedAt: number;
  /** Slots of the shared pool that were held when all was over. */
  readonly poolLeft: number;
  /** Whether another turn that shares the permissions could show a prompt when all was over. */
  readonly promptsFree: boolean;
  /** Calls of the other turn on that pool, which all run. */
  readonly others: readonly { readonly from: number; readonly to: number }[];
  /** What a second observer saw, if one joined. */
  readonly joined: readonly ToolEvent[] | undefined;
  readonly ended: 'completed' | 'left' | 'never' | { readonly error: unknown };
  readonly activities: readonly Activity[];
  /** The tool uses the turn was given before it closed its doors. */
  readonly given: readonly ToolUse[];
  readonly late: readonly LateEvent[];
  readonly sourceLeft: number;
  readonly signalAborted: boolean;
  /** Timers that were still set when the turn was over. */
  readonly timersLeft: number;
  readonly observersLeft: number;
  /** The most timers that were set at an instant's end while no call was in its place. */
  readonly idleTimers: number;
}

const longest = 5_000_000;

export const play = (schedule: Schedule): Played => {
  const virtual = new TestScheduler(() => undefined);
  return virtual.run(({ flush }) => {
    virtual.maxFrames = longest;
    const stage = new Stage(schedule, virtual);
    stage.begin();
    flush();
    return stage.played();
  });
};

class Stage {
  readonly #events: ToolEvent[] = [];
  readonly #activities: Activity[] = [];
  readonly #given: ToolUse[] = [];
  readonly #late: LateEvent[] = [];
  readonly #discard$ = new Subject<string>();
  readonly #interrupt$ = new Subject<string>();
  readonly #controller = new AbortController();
  readonly #counting: CountingScheduler;
  readonly #left$ = new Subject<void>();
  #left = false;
  #joined: ToolEvent[] | undefined;
  #ended: Played['ended'] = 'never';
  #timersLeft = 0;
  #observersLeft = 0;
  #sourceLeft = 0;
  #idleTimers = 0;
  readonly #inPlace = new Set<string>();
  readonly #seqs: number[] = [];
  readonly #witness: Witness;
  readonly #guarding: Guarding | undefined;
  readonly #pool: Pool | undefined;
  readonly #others: { from: number; to: number }[] = [];
  #leftSeq = Number.POSITIVE_INFINITY;
  #endedAt = Number.POSITIVE_INFINITY;
  #promptsFree = true;

  constructor(
    private readonly schedule: Schedule,
    private readonly virtual: SchedulerLike,
  ) {
    this.#counting = new CountingScheduler(virtual);
    this.#witness = new Witness(virtual);
    const { guards } = schedule;
    if (guards === undefined) return;
    this.#guarding = new Guarding(schedule, guards, this.#witness, virtual);
    if (guards.pool !== undefined) this.#pool = createPool({ concurrency: guards.pool.slots });
  }

  begin(): void {
    const { schedule, virtual } = this;
    this.#guarding?.begin();
    this.#beginOthers();
    const events$ = this.#source().pipe(
      executeTools({
        tools: instrumentedTools(schedule, {
          activities: this.#activities,
          scheduler: virtual,
          witness: this.#witness,
          guarding: this.#guarding,
        }),
        context: { trail: [] as string[] },
        scheduler: this.#counting,
        timeoutMs: longest,
        start: schedule.start,
        siblingAbort: schedule.siblingAbort,
        limits: { concurrency: schedule.concurrency, shell: schedule.shell },
        priority: (call) => schedule.calls[Number(call.id)]?.priority ?? 0,
        signal: this.#controller.signal,
        discard$: this.#discard$,
        interrupt$: this.#interrupt$,
        onLate: (late) => this.#late.push(late),
        ...(this.#pool === undefined ? undefined : { pool: this.#pool }),
        ...this.#guarding?.options,
      }),
    );
    // The controls first: what falls into one instant with them comes after.
    const at = (ms: number | undefined, act: () => void) => ms !== undefined && virtual.schedule(act, ms);
    at(schedule.discardAt, () => this.#act('discard'));
    at(schedule.interruptAt, () => this.#act('interrupt'));
    at(schedule.abortAt, () => this.#act('abort'));
    at(schedule.joinAt, () => this.#join(events$));
    events$.pipe(takeUntil(this.#left$)).subscribe({
      next: (event) => {
        this.#seqs.push(this.#witness.next());
        this.#follow(event);
        if (this.#events.push(event) - 1 === schedule.onEvent?.number) this.#act(schedule.onEvent.act);
      },
      error: (error: unknown) => this.#over({ error }),
      complete: () => this.#over(this.#left ? 'left' : 'completed'),
    });
    at(schedule.leaveAt, () => this.#act('leave'));
  }

  /** The other turn on the pool: one call after another, as its limit has it. */
  #beginOthers(): void {
    const { pool } = this.schedule.guards ?? {};
    if (pool === undefined || this.#pool === undefined) return;
    const call = (input: never): Observable<unknown> =>
      new Observable((subscriber) => {
        const other = { from: this.virtual.now(), to: Number.POSITIVE_INFINITY };
        this.#others.push(other);
        const end = (): void => {
          other.to = this.virtual.now();
          subscriber.next(output('done'));
        };
        return this.virtual.schedule(end, (input as { readonly ms: number }).ms);
      });
    const other = {
      name: 'other',
      inputSchema: z.object({ ms: z.number() }),
      isConcurrencySafe: () => true,
      call,
    };
    const uses = pool.others.map((ms, i) => ({
      ...{ type: 'tool_use' as const, id: `other${i}`, name: 'other', input: { ms } },
    }));
    from(uses)
      .pipe(executeTools({ tools: [other], pool: this.#pool, scheduler: this.virtual }))
      .subscribe();
  }

  /** Counts the calls in their places, and looks for timers at the end of an instant in which none is left. */
  #follow(event: ToolEvent): void {
    if (event.type === 'started') this.#inPlace.add(event.toolUseId);
    if (event.type === 'turn-hook') this.#inPlace.add('');
    // A schema that answers later has a clock too, until its call is queued.
    if (event.type === 'waiting' && event.reason === 'validation' && event.count === 0)
      this.#inPlace.add(event.toolUseId);
    // Hooks and prompts have clocks too.
    if (event.type === 'queued')
      this.#inPlace[this.#guarding === undefined ? 'delete' : 'add'](event.toolUseId);
    // After a discard tools may still be stopping, unseen.
    if (event.type !== 'completed' || event.outcome.code === 'discarded') return;
    this.#inPlace.delete(event.toolUseId);
    if (this.#inPlace.size > 0) return;
    this.virtual.schedule(() => {
      if (this.#inPlace.size === 0) this.#idleTimers = Math.max(this.#idleTimers, this.#counting.pending);
    });
  }

  #act(act: 'discard' | 'interrupt' | 'abort' | 'leave'): void {
    if (act === 'discard') this.#discard$.next('drawn');
    else if (act === 'interrupt') this.#interrupt$.next('drawn');
    else if (act === 'abort') this.#controller.abort('drawn');
    else if (this.#ended === 'never') {
      this.#left = true;
      this.#leftSeq = this.#witness.next();
      this.#left$.next();
    }
  }

  #join(events$: Observable<ToolEvent>): void {
    const late = this.#ended !== 'never';
    const joined: ToolEvent[] = [];
    events$.subscribe({ next: (event) => joined.push(event), error: () => undefined });
    if (!late) this.#joined = joined;
    // One observer's leaving is not the turn's end where another has joined: no schedule has both.
    if (late && joined.length > 0) throw new Error('a subscription after the end got events');
  }

  #over(how: Played['ended']): void {
    this.#ended = how;
    this.#endedAt = this.virtual.now();
    // Teardown follows in the same instant; what is left after it is left for good.
    this.virtual.schedule(() => {
      this.#promptsFree = this.#guarding?.canPrompt() ?? true;
      this.#timersLeft = this.#counting.pending;
      this.#observersLeft = Number(this.#discard$.observed) + Number(this.#interrupt$.observed);
    });
  }

  #source(): Observable<ToolUse> {
    const { schedule, virtual } = this;
    return new Observable<ToolUse>((subscriber) => {
      let at = 0;
      schedule.calls.forEach((_, index) => {
        at += schedule.calls[index]?.gap ?? 0;
        const toolUse = toToolUse(schedule, index);
        const give = (): void => {
          if (subscriber.closed) return;
          this.#given.push(toolUse);
          subscriber.next(toolUse);
        };
        subscriber.add(virtual.schedule(give, at));
      });
      const end = (): void => {
        if (schedule.sourceFails) subscriber.error(failure('the stream broke'));
        else subscriber.complete();
      };
      subscriber.add(virtual.schedule(end, at + schedule.endGap));
      return () => this.#sourceLeft++;
    });
  }

  played(): Played {
    return {
      schedule: this.schedule,
      events: this.#events,
      seqs: this.#seqs,
      deeds: this.#witness.deeds,
      leftSeq: this.#leftSeq,
      endedAt: this.#endedAt,
      poolLeft: this.#pool?.running ?? 0,
      promptsFree: this.#promptsFree,
      others: this.#others,
      joined: this.#joined,
      ended: this.#ended,
      activities: this.#activities,
      given: this.#given,
      late: this.#late,
      sourceLeft: this.#sourceLeft,
      signalAborted: this.#controller.signal.aborted,
      timersLeft: this.#timersLeft,
      observersLeft: this.#observersLeft,
      idleTimers: this.#idleTimers,
    };
  }
}

const toToolUse = ({ calls, guards }: Schedule, index: number): ToolUse => {
  const trouble = calls[index]?.trouble ?? 'none';
  const fault = { text: 'as drawn' };
  // A duplicate bears the id of the last call that is none.
  let original = index;
  while (calls[original]?.trouble === 'duplicate') original--;
  return {
    type: 'tool_use',
    id: String(original),
    name: trouble === 'unknown' ? 'nobody' : `tool${index}`,
    input:
      guards === undefined
        ? { n: trouble === 'invalid' ? 'x' : index }
        : inputOf(index, 'm', { valid: trouble !== 'invalid', safe: calls[index]?.safe === true }),
    messageId: 'message',
    ...(trouble === 'invalid_json' || trouble === 'cut_off'
      ? { fault: { code: trouble, ...fault } }
      : undefined),
  };
};
