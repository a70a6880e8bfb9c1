import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import type { ToolEvent } from './events.js';
import type { ExecuteToolsOptions } from './options.js';
import type { Cause } from './outcome.js';
import type { ToolUse } from './toolUse.js';

/** What a tool's functions get beside the input. */
export interface CallContext<C = unknown> {
  /** Aborted when the tool is asked to stop; made on first use. Its `reason` is the `Cause`. */
  readonly signal: AbortSignal;
  /** The same as an Observable: emits the cause once, also to those who subscribe late, then completes. */
  readonly abort$: Observable<Cause>;
  /** The turn's context as it stood when the batch began; frozen (law 5). */
  readonly context: C;
  readonly toolUse: ToolUse;
  /** 1 for the first try. */
  readonly attempt: number;
  /** The turn's scheduler: use it for time, and the tool runs in virtual time too. */
  readonly scheduler: SchedulerLike;
  /** Reports progress from a function or a promise. After the call has ended it does nothing. */
  report(data: unknown): void;
  /**
   * A turn inside this call, for sub-agents: stopped when the call is, on the same pool and clock. It is lent
   * the call's slot: its first running call takes no second one, so a full pool can't lock itself.
   */
  nested(options: ExecuteToolsOptions): OperatorFunction<ToolUse, ToolEvent>;
}

/** What rules and checks get: no call is running yet. */
export type CheckContext<C = unknown> = Pick<
  CallContext<C>,
  'signal' | 'abort$' | 'context' | 'toolUse' | 'scheduler'
>;
