import { concatMap, defer, type OperatorFunction, takeWhile } from 'rxjs';
import type { ModelEvent, ToolUse } from '../contract/index.js';

/**
 * The calls of a model's message, while it is still being written, each with its `messageId`.
 *
 * ```
 * events  -s-t-u---t-u-e----|     s message-start, t text-delta, u tool-use, e message-end
 * uses    -----a-----b-(|)
 * ```
 *
 * Completes with the message, without waiting for its connection to close, and leaves the source then. A model's
 * stream that fails fails here too. Calls of a message that was replaced have been passed on by then:
 * `modelTurn` withdraws them, this operator alone can't.
 */
export const toolUses = (): OperatorFunction<ModelEvent, ToolUse> => (events) =>
  defer(() => {
    let messageId: string | undefined;
    const read = (event: ModelEvent): readonly ToolUse[] => {
      if (event.type === 'message-start') messageId = event.messageId;
      if (event.type !== 'tool-use') return [];
      return [messageId ? { messageId, ...event.toolUse } : event.toolUse];
    };
    return events.pipe(
      takeWhile((event) => event.type !== 'message-end'),
      concatMap(read),
    );
  });
