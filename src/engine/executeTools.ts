import {
  identity,
  Observable,
  type OperatorFunction,
  type Subscriber,
  Subscription,
  type TeardownLogic,
} from 'rxjs';
import { concatUnsafe } from '../../operators/concatUnsafe.js';
import { Consumer } from '../../operators/consumer.js';
import { partitionByConcurrency } from '../../operators/partitionByConcurrency.js';
import { progressFirst } from '../../operators/progressFirst.js';
import { shareOnce } from '../../operators/shareOnce.js';
import { takeUntilAborted } from '../../operators/takeUntilAborted.js';
import { tapAfter } from '../../operators/tapAfter.js';
import type { Call } from '../call/call.js';
import type { OuterLife } from '../call/host.js';
import { MisuseError } from '../contract/errors.js';
import type { ToolEvent } from '../contract/events.js';
import type { ExecuteToolsOptions } from '../contract/options.js';
import type { Cause } from '../contract/outcome.js';
import type { AsToolMap, ToolList, ToolMap } from '../contract/tool.js';
import type { ToolUse } from '../contract/toolUse.js';
import { fromSignal } from '../interop/fromSignal.js';
import { messageOf } from '../results/json.js';
import { admit } from './admit.js';
import { askAboutTurn } from './batchHooks.js';
import { closeAdmission, discard, discardedEvent } from './discard.js';
import { interrupt } from './interrupt.js';
import { lend } from './pool.js';
import { release } from './release.js';
import { batchRunner } from './runBatch.js';
import { readSettings, type Settings } from './settings.js';
import { batchOf, Turn } from './turn.js';

/**
 * Executes the tool uses of one assistant message while it is still being written.
 *
 * Calls that are safe to overlap run together, the others alone and in their place. Progress comes at once,
 * then exactly one `completed` and one `result` for every call, results in call order.
 *
 * ```rows
 * tool read safe ---|
 * tool write unsafe -|
 * model ab-cd| a=read b=read c=write d=read
 *
 * a ^--|
 * b  ^--|
 * c    .^|
 * d     .^--|
 * ```
 * **Gotchas** A turn is run once: observers that join share it, without replay, the last one leaving cancels
 * it, and whoever comes after its end is refused. Failures of tools are `completed` events; the error channel
 * is for misuse and for defects of millrace. A source that fails discards the turn (SPEC §4.3).
 *
 * @param options tools and policies; see `ExecuteToolsOptions` for each default
 * @throws InvalidOptionError at construction, naming the option, what was expected and what came
 * @example
 * ```ts
 * from(message.content.filter(isToolUse)).pipe(executeTools({ tools: { read, write } })).subscribe(console.log);
 * ```
 */
export const executeTools = <const T extends ToolMap | ToolList>(
  options: ExecuteToolsOptions<T>,
): OperatorFunction<ToolUse, ToolEvent<AsToolMap<T>>> => {
  const settings = readSettings(options);
  // The registry hands out the tools of this very map; the type of their events follows from it.
  return (source) => runShared(settings, source) as Observable<ToolEvent<AsToolMap<T>>>;
};

const tooLate = () =>
  new MisuseError(
    'this turn is over: apply executeTools() to a source again for another turn, or share() its events',
  );

const runShared = (settings: Settings, source: Observable<ToolUse>, life?: OuterLife) =>
  runTurn(settings, source, life).pipe(shareOnce(tooLate));

/** The chain of a turn. Nothing downstream calls upstream but the latches (`siblings`, `admissionClosed`). */
const runTurn = (settings: Settings, source: Observable<ToolUse>, life: OuterLife | undefined) => {
  // Set when it is subscribed to, which `shareOnce` sees to be once.
  let turn: Turn;
  const events$ = new Observable<ToolEvent>((out) => {
    turn = new Turn(settings, out, (call, options, life) => nest(settings, call, options, life));
    return connect(turn, source, out, life);
  });
  return events$.pipe(
    // What nobody has asked for costs nothing: without a tool that cascades, nobody listens for failures.
    settings.siblingAbort === 'off' ? identity : tapAfter((event) => cascade(turn, event)),
    progressFirst(
      (event) => (event.type === 'result' ? turn.byId.get(event.toolUseId)?.index : undefined),
      (event, index) => (event.type === 'result' ? release(turn, event, index) : event),
    ),
  );
};

const connect = (
  turn: Turn,
  source: Observable<ToolUse>,
  out: Subscriber<ToolEvent>,
  life: OuterLife | undefined,
): Subscription => {
  const teardown = new Subscription();
  teardown.add(() => {
    turn.left = true;
    turn.endHooks?.({ type: 'signal', reason: 'unsubscribed' });
    turn.deadlines.clear();
  });
  const chain$ = source.pipe(
    takeUntilAborted(turn.admissionClosed),
    admit(turn),
    partitionByConcurrency((call) => call.isConcurrencySafe),
    concatUnsafe(batchRunner(turn)),
  );
  const chain = new Chain(turn, out);
  teardown.add(chain);
  // What a source gives at once belongs to a message that is there: it is taken in and answered even when the
  // turn is stopped in the middle of it.
  let subscribing = true;
  const stopTurn: StopTurn = (cause, atOnce = false, refuse = () => undefined) => {
    turn.tick();
    turn.during(() => {
      interrupt(turn, { code: 'interrupted', cause, ...(atOnce ? { atOnce } : undefined) }, refuse);
      if (!subscribing) closeAdmission(turn);
    });
  };
  turn.onInterrupt = (reason, refuse) => stopTurn({ type: 'user', reason }, false, refuse);
  // A rule that never matches must not look as if it guarded.
  for (const warning of turn.guards?.permissions.warnings ?? []) turn.anomaly('permission_warning', warning);
  teardown.add(listen(turn, stopTurn, life));
  if (!out.closed) chain$.subscribe(chain);
  subscribing = false;
  if (turn.stop !== undefined) closeAdmission(turn);
  return teardown;
};

type StopTurn = (cause: Cause, atOnce?: boolean, refuse?: () => void) => void;

/** The controls, from outside in: the parent's signal, the user, the discard, the call around the turn. */
const listen = (turn: Turn, stopTurn: StopTurn, life: OuterLife | undefined): TeardownLogic => {
  const { signal, controls } = turn.settings;
  if (!signal && !life && !controls.discard$ && !controls.interrupt$) return undefined;
  const controlled = new Subscription();
  const control = (source: Observable<unknown> | undefined, act: (reason: string) => void): void => {
    // A control that fails is taken as used: a stop must never be lost.
    controlled.add(
      source?.subscribe({ next: (reason) => act(reasonText(reason)), error: (e) => act(messageOf(e)) }),
    );
  };
  control(controls.discard$, (reason) => {
    turn.tick();
    turn.during(() => discard(turn, reason));
  });
  if (signal !== undefined)
    controlled.add(fromSignal(signal, (reason) => stopTurn({ type: 'signal', reason })));
  control(controls.interrupt$, (reason) => stopTurn({ type: 'user', reason }));
  control(life?.abort$, () => stopTurn({ type: 'signal', reason: 'the call it belongs to was stopped' }));
  control(life?.ended$, () => stopTurn({ type: 'signal', reason: 'the call it belongs to has ended' }, true));
  return controlled;
};

/** A text is a reason; a click or the count of a timer is none. */
const reasonText = (reason: unknown): string => {
  if (typeof reason === 'string') return reason;
  return reason instanceof Error ? messageOf(reason) : '';
};

/** The end of the chain is the end of the turn: every place has ended. */
class Chain extends Consumer<ToolEvent> {
  constructor(
    private readonly turn: Turn,
    private readonly out: Subscriber<ToolEvent>,
  ) {
    super();
  }

  protected onNext(event: ToolEvent): void {
    this.out.next(event);
  }

  protected onError(error: unknown): void {
    this.out.error(error);
  }

  protected onComplete(): void {
    const { turn } = this;
    turn.whenSaid(() => {
      if (turn.discardCause !== undefined) this.#leave();
      else if (
        turn.guards?.hooks?.PostToolBatch === undefined ||
        turn.calls.length === 0 ||
        // Nobody makes another request of the model, and nobody waits for what a hook thinks of that.
        turn.stop !== undefined
      )
        this.out.complete();
      else askAboutTurn(turn, turn.guards, this.out, () => this.#leave());
    });
  }

  #leave(): void {
    if (this.turn.discardCause !== undefined) this.out.next(discardedEvent(this.turn));
    this.out.complete();
  }
}

const cascade = (turn: Turn, event: ToolEvent): void => {
  if (event.type !== 'completed') return;
  const call = turn.byId.get(event.toolUseId);
  if (call?.cascades === true) turn.siblings.trip(call, batchOf(call));
};

/** A turn inside a call: stopped with it, on its clock, and on its slot of the pool. It never outlives it. */
const nest =
  (
    outer: Settings,
    call: Call,
    options: ExecuteToolsOptions,
    life: OuterLife,
  ): OperatorFunction<ToolUse, ToolEvent> =>
  (source) => {
    const pool = options.pool ?? lend(outer.pool, call);
    const inner = readSettings({
      scheduler: outer.scheduler,
      ...options,
      ...(pool === undefined ? undefined : { pool }),
    });
    return runShared(inner, source, life);
  };
