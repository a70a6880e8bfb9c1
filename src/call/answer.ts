import type { ToolEvent } from '../contract/events.js';
import type { Outcome } from '../contract/outcome.js';
import type { Message, ToolResultBlock } from '../contract/toolUse.js';
import type { Call } from './call.js';

interface Out {
  next(event: ToolEvent): void;
}

/**
 * Emits the two events that answer a call.
 *
 * Whoever sees `completed` may discard the turn at once, and the discard then answers in this one's stead.
 */
export const emitAnswer = (call: Call, synthetic: boolean, out: Out): void => {
  const { id: toolUseId, name, outcome, completedAt: at } = call as Call & { readonly outcome: Outcome };
  out.next(
    outcome.code === 'ok'
      ? { type: 'completed', at, toolUseId, name, outcome, output: call.output }
      : { type: 'completed', at, toolUseId, name, outcome },
  );
  if (!call.answered) emitResult(call, synthetic, out);
};

export const emitResult = (call: Call, synthetic: boolean, out: Out): void => {
  const {
    id: toolUseId,
    name,
    outcome,
    block,
    completedAt: at,
  } = call as Call & {
    readonly outcome: Outcome;
    readonly block: ToolResultBlock;
  };
  const after = messagesAfter(call);
  call.answered = true;
  out.next(
    after === undefined
      ? { type: 'result', at, toolUseId, name, block, outcome, synthetic }
      : { type: 'result', at, toolUseId, name, block, outcome, synthetic, after },
  );
};

/** The tool's own messages, then what hooks have to say. */
const messagesAfter = ({ newMessages, hookMessages }: Call): readonly Message[] | undefined => {
  if (hookMessages === undefined) return newMessages;
  return newMessages === undefined ? hookMessages : [...newMessages, ...hookMessages];
};
