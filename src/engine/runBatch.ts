import { concat, ignoreElements, type Observable, type OperatorFunction } from 'rxjs';
import { mergeSafe } from '../../operators/mergeSafe.js';
import type { Batch } from '../../operators/partitionByConcurrency.js';
import type { SlotReason } from '../../operators/slotReturns.js';
import type { Call } from '../call/call.js';
import { runCall } from '../call/runCall.js';
import type { ToolEvent } from '../contract/events.js';
import type { ToolUse } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import type { BatchRecord } from './batches.js';
import { TimedPool } from './timedPool.js';
import { explainWait, type Turn } from './turn.js';

/**
 * Makes what runs the batches of a turn: safe calls through `mergeSafe`; an unsafe one alone, since the batches
 * themselves pass `concatUnsafe`.
 *
 * The operators are made once a turn, when the first batch needs them; a batch costs no more than its own Observable.
 */
export const batchRunner = (turn: Turn): ((batch: Batch<Call>) => Observable<ToolEvent>) => {
  const run = (call: Call): Observable<ToolEvent> => runCall(call, turn);
  let safe: OperatorFunction<Call, ToolEvent> | undefined;
  let pooled: OperatorFunction<Call, ToolEvent> | undefined;
  return (batch) => {
    const record = turn.batches.begin();
    if (record.isConcurrencySafe) {
      safe ??= mergeSafe(run, { ...turn.settings.limits, ...waitingOptions(turn) });
      return start(turn, record, batch.items$.pipe(safe));
    }
    // What only has to be answered needs no slot of the pool; what a hook or a repair may mend may run.
    const isAnswered = record.refused && turn.guards === undefined;
    if (turn.settings.pool === undefined || isAnswered) return start(turn, record, run(batch.first));
    pooled ??= mergeSafe(run, { concurrency: 1, ...waitingOptions(turn) });
    return start(turn, record, batch.items$.pipe(pooled));
  };
};

const start = (turn: Turn, record: BatchRecord, run$: Observable<ToolEvent>): Observable<ToolEvent> => {
  const { start } = turn.settings;
  const holds = start === 'after-message' || (start === 'eager-safe' && !record.isConcurrencySafe);
  // A turn that is stopping only answers, and answers wait for nothing.
  if (!holds || turn.messageEnded.tripped || turn.stop !== undefined) return run$;
  record.held = true;
  for (const call of [...record.open]) turn.waiting(call, 'message', [], 0);
  return concat(turn.messageEnded.tripped$.pipe(ignoreElements()), run$);
};

const waitingOptions = (turn: Turn) => {
  const { limits, pool, priority } = turn.settings;
  return {
    onWait: (call: Call, reason: SlotReason) => explainWait(turn, call, reason),
    ...(limits.kinds === undefined && pool === undefined ? undefined : { kindOf: (call: Call) => call.kind }),
    ...(pool === undefined ? undefined : { pool: new TimedPool(pool, turn) }),
    ...(priority === undefined ? undefined : { priority: (call: Call) => priorityOf(turn, priority, call) }),
  };
};

const priorityOf = (turn: Turn, priority: (call: ToolUse) => number, call: Call): number => {
  try {
    const value: unknown = priority(call.toolUse);
    disown(value);
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    turn.anomaly(
      'priority_failed',
      `priority gave ${String(value)}, expected a number; it counts as 0`,
      call,
    );
  } catch (error) {
    turn.anomaly('priority_failed', `priority threw: ${messageOf(error)}; it counts as 0`, call);
  }
  return 0;
};
