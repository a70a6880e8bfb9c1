import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import { Latch } from '../../operators/latch.js';
import type { CallContext } from '../contract/context.js';
import { MisuseError } from '../contract/errors.js';
import type { ToolEvent } from '../contract/events.js';
import type { ExecuteToolsOptions } from '../contract/options.js';
import type { Cause } from '../contract/outcome.js';
import type { ToolUse } from '../contract/toolUse.js';
import { callSignal } from '../interop/callSignal.js';
import type { Call } from './call.js';
import type { CallHost } from './host.js';

/** What the tool's functions get; the parts that cost something are made when they are asked for. */
export class ToolContext implements CallContext {
  #stop: Latch<Cause> | undefined;
  #signal: AbortSignal | undefined;
  #cause: Cause | undefined;
  #report: ((data: unknown) => void) | undefined;
  /** The call's place has ended; made when there is a turn inside it. */
  #ended: Latch<void> | undefined;

  constructor(
    private readonly call: Call,
    private readonly host: CallHost,
    readonly attempt: number,
    private readonly run: { report(data: unknown): void },
  ) {}

  /** A closure, not a method, for tools take it out of the context; made for those that ask. */
  get report(): (data: unknown) => void {
    this.#report ??= (data) => this.run.report(data);
    return this.#report;
  }

  get toolUse(): ToolUse {
    return this.call.toolUse;
  }

  get context(): unknown {
    return this.call.context;
  }

  get scheduler(): SchedulerLike {
    return this.host.scheduler;
  }

  get signal(): AbortSignal {
    this.#signal ??= callSignal(this.#latch());
    return this.#signal;
  }

  get abort$(): Observable<Cause> {
    return this.#latch().tripped$;
  }

  get nested(): (options: ExecuteToolsOptions) => OperatorFunction<ToolUse, ToolEvent> {
    return (options) => {
      // The slot it would be lent is somebody else's by now.
      if (this.call.run === undefined)
        throw new MisuseError('ctx.nested() was used after its call had ended');
      this.#ended ??= new Latch();
      return this.host.nested(this.call, options, { abort$: this.abort$, ended$: this.#ended.tripped$ });
    };
  }

  /** Turns inside the call end with it: the slot they ride on is somebody else's from now on. */
  end(): void {
    this.#ended?.trip();
  }

  /** The stop request reaches the tool. */
  stop(cause: Cause): void {
    this.#cause ??= cause;
    this.#stop?.trip(cause);
  }

  /** Who asks for the first time after the stop hears of it too. */
  #latch(): Latch<Cause> {
    if (this.#stop === undefined) {
      this.#stop = new Latch();
      if (this.#cause !== undefined) this.#stop.trip(this.#cause);
    }
    return this.#stop;
  }
}
