import { concatMap, defer, type OperatorFunction, takeWhile } from 'rxjs';
import { type ModelEvent, ModelStreamError, type ToolUse } from '../contract/index.js';

/**
 * The calls of a model's message, while it is still being written, each with its `messageId`.
 *
 * ```
 * events  -s-t-u---t-u-e----|     s message-start, t text-delta, u tool-use, e message-end
 * uses    -----a-----b-(|)
 * ```
 *
 * Completes with the message, without waiting for its connection to close, and leaves the source then. A model's
 * stream that fails fails here too, and so does a message that is worthless although its stream is well: one that
 * was refused, or replaced by a second one. `executeTools` then discards the turn (SPEC §4.3, §4.6).
 */
export const toolUses = (): OperatorFunction<ModelEvent, ToolUse> => (events) =>
  defer(() => {
    let messageId: string | undefined;
    const read = (event: ModelEvent): readonly ToolUse[] => {
      const worthless = whyWorthless(event);
      if (worthless !== undefined) throw worthless;
      if (event.type === 'message-start') messageId = event.messageId;
      if (event.type !== 'tool-use') return [];
      return [messageId ? { messageId, ...event.toolUse } : event.toolUse];
    };
    return events.pipe(
      takeWhile((event) => event.type !== 'message-end' || event.stopReason === 'refusal'),
      concatMap(read),
    );
  });

const whyWorthless = (event: ModelEvent): ModelStreamError | undefined => {
  if (event.type === 'message-replaced') {
    return new ModelStreamError('replaced', 'the message was replaced by a second one', { retryable: true });
  }
  if (event.type === 'message-end' && event.stopReason === 'refusal') {
    return new ModelStreamError('refused', 'the model refused', { retryable: false });
  }
  return undefined;
};
