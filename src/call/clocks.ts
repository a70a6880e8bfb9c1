import type { Cause } from '../contract/outcome.js';
import type { Tool } from '../contract/tool.js';
import type { Deadline } from './deadlines.js';
import type { CallHost } from './host.js';

type Limit = Cause & { readonly type: 'limit' };

/** The clocks of one attempt: of the time it takes, and of its silence. The call's own limit is not among them. */
export class Clocks {
  #attempt: Deadline | undefined;
  #idle: Deadline | undefined;
  #heardAt: number;

  constructor(
    private readonly host: CallHost,
    tool: Tool,
    private readonly lapse: (cause: Limit) => void,
  ) {
    this.#heardAt = host.now();
    const ms = tool.retry?.attemptTimeoutMs;
    if (ms !== undefined) {
      this.#attempt = host.deadlines.after(ms, () => lapse({ type: 'limit', limit: 'attempt', ms }));
    }
    if (tool.idleTimeoutMs !== undefined) this.#awaitSilence(tool.idleTimeoutMs, tool.idleTimeoutMs);
  }

  /** Costs nothing: the clock that rings looks at when something was last heard. */
  progressed(): void {
    this.#heardAt = this.host.now();
  }

  cancel(): void {
    this.#attempt?.cancel();
    this.#idle?.cancel();
  }

  #awaitSilence(ms: number, rest: number): void {
    this.#idle = this.host.deadlines.after(rest, () => {
      const silent = this.host.now() - this.#heardAt;
      if (silent >= ms) this.lapse({ type: 'limit', limit: 'idle', ms });
      else this.#awaitSilence(ms, ms - silent);
    });
  }
}
