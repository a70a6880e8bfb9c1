import type { Observable, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { InvalidOptionError } from '../../src/contract/errors.js';
import type { ToolEvent } from '../../src/contract/events.js';
import type { ExecuteToolsOptions } from '../../src/contract/options.js';
import type { Tool } from '../../src/contract/tool.js';
import type { ToolUse } from '../../src/contract/toolUse.js';
import { LawBrokenError, LawChecker } from '../../src/engine/checkLaws.js';
import { executeTools } from '../../src/engine/executeTools.js';
import { CountingScheduler } from './countingScheduler.js';
import { isMarbleTool, type MarbleTool, toTool, type Watch } from './marbleTool.js';

/** What a letter of a model's message stands for: a tool's name, or more of the tool use. */
export type ModelCall = string | (Partial<Omit<ToolUse, 'type'>> & { readonly name: string });

/** A message as a model writes it: letters are calls, at the time their block ends. */
export interface ModelMessage {
  readonly marbles: string;
  readonly calls: Readonly<Record<string, ModelCall>>;
}

/** The options of `executeTools`, with controls as RxJS marble strings: a letter is the reason. */
export interface VirtualOptions extends Omit<ExecuteToolsOptions, 'tools' | 'scheduler'> {
  readonly discard?: string;
  readonly interrupt?: string;
  /** Aborts the caller's signal; at the first letter. */
  readonly abort?: string;
  /** Leaves the turn; at the first letter, as with `expectObservable`'s unsubscription. */
  readonly unsubscribe?: string;
  /** The turn must have ended by then. Default 100,000 virtual milliseconds. */
  readonly maxMs?: number;
}

export type VirtualTools = Readonly<Record<string, MarbleTool | Tool>>;

/** What came of a turn in virtual time. */
export interface VirtualRun {
  readonly events: readonly ToolEvent[];
  readonly completed: boolean;
  readonly error?: unknown;
  /** What a clean turn does not have: laws that are broken, timers and tools that were left behind. */
  readonly faults: readonly string[];
}

const defaultMaxMs = 100_000;

/** Runs a turn to its end in virtual time; nothing of it takes real time. */
export const runVirtualTurn = (
  message: ModelMessage,
  tools: VirtualTools,
  options: VirtualOptions = {},
): VirtualRun => {
  const scheduler = new TestScheduler(() => undefined);
  return scheduler.run(({ cold, hot, flush }) => {
    scheduler.maxFrames = options.maxMs ?? defaultMaxMs;
    const counting = new CountingScheduler(scheduler);
    const turn = new WatchedTurn(counting);
    const { discard, interrupt, abort, unsubscribe, maxMs: _maxMs, ...rest } = options;
    const controls = {
      ...(discard === undefined ? undefined : { discard$: hot(discard) }),
      ...(interrupt === undefined ? undefined : { interrupt$: hot(interrupt) }),
      ...(abort === undefined ? undefined : { signal: signalAt(hot(abort)) }),
    };
    const real = realTools(tools, turn.watch);
    const events$ = cold(message.marbles, toolUsesOf(message)).pipe(
      executeTools({ ...rest, ...controls, tools: real, scheduler: counting }),
    );
    turn.run(events$);
    if (unsubscribe !== undefined) hot(unsubscribe).subscribe(() => turn.leave());
    flush();
    return turn.result();
  });
};

/** Observes a turn as a debug run does, and looks at what is left when it is over. */
class WatchedTurn {
  readonly watch: Watch = { running: 0 };
  readonly #events: ToolEvent[] = [];
  readonly #faults: string[] = [];
  readonly #laws = new LawChecker();
  #end: { readonly error?: unknown } | undefined;
  #left = false;
  #subscription: Subscription | undefined;

  constructor(private readonly scheduler: CountingScheduler) {}

  run(events$: Observable<ToolEvent>): void {
    this.#subscription = events$.subscribe({
      next: (event) => {
        this.#events.push(event);
        this.#check(() => this.#laws.see(event));
      },
      error: (error: unknown) => this.#over({ error }),
      complete: () => {
        this.#check(() => this.#laws.end());
        this.#over({});
      },
    });
  }

  leave(): void {
    if (this.#end !== undefined) return;
    this.#left = true;
    this.#subscription?.unsubscribe();
    this.#look();
  }

  result(): VirtualRun {
    if (this.#end === undefined && !this.#left)
      this.#faults.push('the turn had not ended when the time was up');
    return {
      events: this.#events,
      completed: this.#end !== undefined && !('error' in this.#end),
      ...(this.#end !== undefined && 'error' in this.#end ? { error: this.#end.error } : undefined),
      faults: this.#faults,
    };
  }

  #over(end: { readonly error?: unknown }): void {
    this.#end = end;
    // Teardown follows completion in the same instant: look when it is done.
    this.scheduler.schedule(() => this.#look());
  }

  #look(): void {
    if (this.watch.running > 0) this.#faults.push(`law 12: ${this.watch.running} tools were left subscribed`);
    if (this.scheduler.pending > 0)
      this.#faults.push(`law 12: ${this.scheduler.pending} timers were left set`);
  }

  #check(look: () => void): void {
    try {
      look();
    } catch (error) {
      if (!(error instanceof LawBrokenError)) throw error;
      this.#faults.push(error.message);
    }
  }
}

const realTools = (tools: VirtualTools, watch: Watch): Record<string, Tool> =>
  Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      isMarbleTool(tool) ? toTool(name, tool, watch) : tool,
    ]),
  );

const toolUsesOf = ({ calls, marbles }: ModelMessage): Record<string, ToolUse> => {
  for (const letter of new Set(marbles.replace(/\d+(\.\d+)?(ms|s|m)\b/g, '').replace(/[-|#()\s^!]/g, ''))) {
    if (!Object.hasOwn(calls, letter)) {
      throw new InvalidOptionError('model', `a tool for the call "${letter}" of "${marbles}"`, undefined);
    }
  }
  return Object.fromEntries(
    Object.entries(calls).map(([letter, call]) => {
      const given = typeof call === 'string' ? { name: call } : call;
      return [letter, { type: 'tool_use', id: letter, input: {}, messageId: 'message', ...given }];
    }),
  );
};

const signalAt = (abort$: Observable<string>): AbortSignal => {
  const controller = new AbortController();
  abort$.subscribe((reason) => controller.abort(reason));
  return controller.signal;
};
