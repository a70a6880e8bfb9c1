import { asyncScheduler, EMPTY, from, isObservable, type Observable, of } from 'rxjs';
import { Latch } from '../../operators/latch.js';
import {
  type CallContext,
  type Cause,
  isFailure,
  isOutput,
  isProgress,
  type Tool,
  type ToolFailure,
  type ToolOutput,
} from '../../src/contract/index.js';

/** What came out of one call: as the engine will see it, without the engine. */
export interface Called<O> {
  readonly progress: unknown[];
  readonly output?: O;
  readonly failure?: ToolFailure;
  /** What the model would read. */
  readonly text: string;
}

export interface CallOptions {
  /** Asks the tool to stop when it returns true, asked after each progress. */
  readonly stopWhen?: (progress: readonly unknown[]) => boolean;
  /** Stopped before it begins. */
  readonly stopped?: boolean;
  /** Asks the tool to stop with its first value. */
  readonly stop$?: Observable<unknown>;
}

const stop: Cause = { type: 'user', reason: 'enough' };

/** Calls a tool by raw input: parses it, gives it a real context, collects what it says. */
export const callTool = async <T extends Tool>(
  tool: T,
  input: object,
  options: CallOptions = {},
): Promise<Called<ToolOutput<T>>> => {
  const parsed = await tool.inputSchema['~standard'].validate(input);
  if (parsed.issues !== undefined) throw new Error(`invalid input: ${JSON.stringify(parsed.issues)}`);
  const abort = new Latch<Cause>();
  if (options.stopped === true) abort.trip(stop);
  const stopping = options.stop$?.subscribe(() => abort.trip(stop));
  const seen: unknown[] = [];
  const emitted: unknown[] = [];
  const take = (value: unknown): void => {
    (isProgress(value) ? seen : emitted).push(isProgress(value) ? value.data : value);
    if (options.stopWhen?.(seen) === true) abort.trip(stop);
  };
  const context = contextFor(tool, input, abort, (data) => seen.push(data));
  await asObservable(tool.call(parsed.value as never, context)).forEach(take);
  stopping?.unsubscribe();
  if (emitted.length !== 1) throw new Error(`expected one outcome, got ${emitted.length}`);
  return { progress: seen, ...conclude(tool, emitted[0]) };
};

const contextFor = (
  tool: Tool,
  input: object,
  abort: Latch<Cause>,
  report: (data: unknown) => void,
): CallContext<never> => {
  const controller = new AbortController();
  abort.onTrip((cause) => controller.abort(cause));
  return {
    signal: controller.signal,
    abort$: abort.tripped$,
    context: undefined as never,
    toolUse: { type: 'tool_use', id: 'toolu_1', name: tool.name, input },
    attempt: 1,
    scheduler: asyncScheduler,
    report,
    nested: () => () => EMPTY,
  };
};

const asObservable = (answer: unknown): Observable<unknown> => {
  if (isObservable(answer)) return answer;
  return answer instanceof Promise ? from(answer) : of(answer);
};

const conclude = <T extends Tool>(tool: T, end: unknown): Omit<Called<ToolOutput<T>>, 'progress'> => {
  if (isFailure(end)) return { failure: end, text: end.message };
  const data = isOutput(end) ? end.data : end;
  const content = tool.mapResult?.(data as never, 'toolu_1') ?? data;
  if (typeof content !== 'string') throw new Error('expected a text for the model');
  return { output: data as ToolOutput<T>, text: content };
};
