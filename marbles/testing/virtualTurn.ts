import type { Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { InvalidOptionError } from '../../src/contract/errors.js';
import type { ExecuteToolsOptions } from '../../src/contract/options.js';
import type { Tool } from '../../src/contract/tool.js';
import type { ToolUse } from '../../src/contract/toolUse.js';
import { executeTools } from '../../src/engine/executeTools.js';
import { CountingScheduler } from './countingScheduler.js';
import { explainUnfinished } from './explainUnfinished.js';
import { isMarbleTool, type MarbleTool, toTool, type Watch } from './marbleTool.js';
import { type VirtualRun, WatchedTurn } from './watchedTurn.js';

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

const defaultMaxMs = 100_000;

/** Runs a turn to its end in virtual time; nothing of it takes real time. */
export const runVirtualTurn = (
  message: ModelMessage,
  tools: VirtualTools,
  options: VirtualOptions = {},
): VirtualRun => {
  const scheduler = new TestScheduler(() => undefined);
  return scheduler.run(({ cold, hot, flush }) => {
    const { discard, interrupt, abort, unsubscribe, maxMs = defaultMaxMs, ...rest } = options;
    scheduler.maxFrames = maxMs;
    const counting = new CountingScheduler(scheduler);
    const turn = new WatchedTurn(counting);
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
    return turn.result((events) => explainUnfinished({ events, message: message.marbles, tools, maxMs }));
  });
};

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
