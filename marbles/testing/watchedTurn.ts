import type { Observable, Subscription } from 'rxjs';
import type { ToolEvent } from '../../src/contract/events.js';
import { LawBrokenError, LawChecker } from '../../src/engine/checkLaws.js';
import type { CountingScheduler } from './countingScheduler.js';
import type { Watch } from './marbleTool.js';

/** What came of a turn in virtual time. */
export interface VirtualRun {
  readonly events: readonly ToolEvent[];
  readonly completed: boolean;
  readonly error?: unknown;
  /** What a clean turn does not have: laws that are broken, timers and tools that were left behind, no end. */
  readonly faults: readonly string[];
}

/** Observes a turn as a debug run does, and looks at what is left when it is over. */
export class WatchedTurn {
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

  /** @param unfinished says why a turn with these events has not ended */
  result(unfinished: (events: readonly ToolEvent[]) => readonly string[]): VirtualRun {
    if (this.#end === undefined && !this.#left) this.#faults.push(...unfinished(this.#events));
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
    const tools = this.watch.running;
    const timers = this.scheduler.pending;
    if (tools > 0) this.#faults.push(`law 12: ${left(tools, 'tool')} subscribed`);
    if (timers > 0) this.#faults.push(`law 12: ${left(timers, 'timer')} set`);
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

const left = (count: number, what: string): string =>
  count === 1 ? `1 ${what} was left` : `${count} ${what}s were left`;
