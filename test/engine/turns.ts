import { from, type Observable } from 'rxjs';
import type {
  ExecuteToolsOptions,
  Outcome,
  StandardSchema,
  Tool,
  ToolEvent,
  ToolUse,
} from '../../src/index.js';
import { executeTools } from '../../src/index.js';

/** Takes any input. */
export const anything: StandardSchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};

/** A tool that runs alone, and takes any input. */
export const unsafeTool = (name: string, call: Tool['call'], members: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: anything,
  call,
  ...members,
});

/** A tool that may overlap others. */
export const safeTool = (name: string, call: Tool['call'], members: Partial<Tool> = {}): Tool =>
  unsafeTool(name, call, { isConcurrencySafe: () => true, ...members });

export const use = (id: string, name: string, input: unknown = {}): ToolUse => ({
  type: 'tool_use',
  id,
  name,
  input,
  messageId: 'message',
});

/** What a subscriber has seen of a stream up to now. */
export class Seen<T> {
  readonly values: T[] = [];
  ended: 'open' | 'completed' | { readonly error: unknown } = 'open';
  readonly #subscription;

  constructor(source: Observable<T>) {
    this.#subscription = source.subscribe({
      next: (value) => this.values.push(value),
      error: (error: unknown) => {
        this.ended = { error };
      },
      complete: () => {
        this.ended = 'completed';
      },
    });
  }

  leave(): void {
    this.#subscription.unsubscribe();
  }
}

/** A turn of these calls, all written at once. */
export const turnOf = (
  calls: readonly ToolUse[],
  tools: readonly Tool[],
  options: Partial<ExecuteToolsOptions> = {},
): Observable<ToolEvent> => from(calls).pipe(executeTools({ ...options, tools }));

export const eventsOf = <T extends ToolEvent['type']>(
  events: readonly ToolEvent[],
  type: T,
): readonly Extract<ToolEvent, { readonly type: T }>[] =>
  events.filter((event): event is Extract<ToolEvent, { readonly type: T }> => event.type === type);

/** Which tools were started, in that order. */
export const startedIds = (events: readonly ToolEvent[]): readonly string[] =>
  eventsOf(events, 'started').map(({ toolUseId }) => toolUseId);

/** How each call ended, in the order of the results. */
export const codes = (events: readonly ToolEvent[]): readonly string[] =>
  eventsOf(events, 'result').map(({ toolUseId, outcome }) => `${toolUseId} ${outcome.code}`);

export const outcomeOf = (events: readonly ToolEvent[], id: string): Outcome => {
  const found = eventsOf(events, 'completed').find(({ toolUseId }) => toolUseId === id);
  if (found === undefined) throw new Error(`${id} has not completed`);
  return found.outcome;
};

/** What the model reads of a call. */
export const textOf = (events: readonly ToolEvent[], id: string): string => {
  const found = eventsOf(events, 'result').find(({ toolUseId }) => toolUseId === id);
  if (typeof found?.block.content !== 'string') throw new Error(`${id} has no text`);
  return found.block.content;
};
