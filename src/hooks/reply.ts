import type { HookAnswer, HookEventName } from '../contract/hooks.js';
import { readAnswer } from './answers.js';
import type { Reply } from './inquiry.js';
import { shortened } from './longText.js';
import { failureText } from './texts.js';

interface Read<E extends HookEventName> {
  readonly answer?: HookAnswer<E> | undefined;
  readonly fault?: string | undefined;
  readonly error?: unknown;
}

/** What a hook's reply says: an answer, nothing, or why it is a failure. */
export const readReply = <E extends HookEventName>(event: E, reply: Reply): Read<E> => {
  if (reply.type === 'timeout') return { fault: failureText(reply) };
  if (reply.type === 'error') return { fault: shortened(failureText(reply)), error: reply.error };
  try {
    return readAnswer(event, reply.value);
  } catch (error) {
    // A getter threw, or a proxy was revoked.
    return { fault: shortened(failureText({ type: 'error', error })), error };
  }
};

/** The decision and its reason, for whoever watches. */
export const wordsOf = (answer: object | undefined, fault: string | undefined) => {
  if (fault !== undefined) return { decision: 'failed', message: fault };
  const {
    decision,
    reason,
    message = reason,
  } = (answer ?? {}) as Readonly<Record<string, string | undefined>>;
  return {
    ...(decision === undefined ? undefined : { decision }),
    ...(message === undefined ? undefined : { message: shortened(message) }),
  };
};
