import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import type { SlotReason } from '../../operators/slotReturns.js';
import type { ToolEvent, WaitReason } from '../contract/events.js';
import type { ExecuteToolsOptions, LateEvent } from '../contract/options.js';
import type { Cause } from '../contract/outcome.js';
import type { ToolUse } from '../contract/toolUse.js';
import type { Call, Place, Stop } from './call.js';
import type { Deadlines } from './deadlines.js';
import type { Guards } from './guards.js';

/** What one call needs of the turn around it. */
export interface CallHost {
  readonly scheduler: SchedulerLike;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  /** The turn's own grace, where the tool names none; `undefined`: 0 for safe calls, 2,000 for unsafe ones. */
  readonly graceMs: number | undefined;
  /** Milliseconds since the turn began, at the last `tick`. */
  now(): number;
  /** Something has come from outside: time may have passed. */
  tick(): void;
  /** The call's place begins. */
  begin(place: Place): void;
  /** The call's place ends: nothing of it runs any more, or its grace has lapsed. */
  leave(call: Call): void;
  /** Its observers have gone. */
  readonly left: boolean;
  /** Why the call must not start, where the turn is stopping. */
  stopFor(call: Call): Stop | undefined;
  /** What stands around the calls; `undefined` where nothing does. */
  readonly guards: Guards | undefined;
  /** Numbers in [0, 1). */
  random(): number;
  waiting(call: Call, reason: WaitReason, on: readonly string[], count: number): void;
  /** It waits for a slot again, after it had given its own back. */
  waitsForSlot(call: Call, reason: SlotReason): void;
  /** It has become unsafe, and must run alone. */
  leavesBatch(call: Call): void;
  waitsAlone(call: Call): void;
  /** No further model request is wanted. */
  wantStop(reason: string, by: string, message?: string): void;
  /** A person who denied a call wants the turn stopped. */
  interrupt(reason: string, refuse: () => void): void;
  /** The call is denied, with what that does to those behind it; `refuse` ends it once they can't begin any more. */
  denied(call: Call, refuse: () => void): void;
  anomaly(code: string, message: string, call: Call): void;
  late(late: LateEvent): void;
  nested(call: Call, options: ExecuteToolsOptions, life: OuterLife): OperatorFunction<ToolUse, ToolEvent>;
}

/** What the call around a turn tells it. */
export interface OuterLife {
  /** It is asked to stop. */
  readonly abort$: Observable<Cause>;
  /** Its place has ended. */
  readonly ended$: Observable<void>;
}
