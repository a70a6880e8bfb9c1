import type { HookEventName } from '../contract/hooks.js';
import type { Reply } from './inquiry.js';

/*
 * What millrace says about hooks. As all its texts: configured limits, never measured times (law 2).
 */

/** Why a hook has given no answer; the middle of a sentence. */
export const failureText = (reply: Exclude<Reply, { readonly type: 'answer' }>): string =>
  reply.type === 'timeout'
    ? `it gave no answer within its limit of ${reply.ms} ms`
    : `it failed: ${messageOf(reply.error)}`;

/** Tells the model that what it reads stands, although a hook of that call is broken. */
export const failureNote = (event: HookEventName, hook: string, failure: string): string =>
  event === 'PostToolBatch'
    ? `[The ${event} hook ${hook} is broken: ${failure}. The results stand as they are.]`
    : `[The ${event} hook ${hook} is broken: ${failure}. The call had ended before, and its result stands; do not repeat it for this.]`;

/** What a hook finds wrong with something that has run. */
export const blockText = (hook: string, reason: string | undefined): string =>
  reason === undefined || reason === '' ? `The hook ${hook} objects, without saying why.` : reason;

/** The start of a text that was stored, and where the whole is. */
export const storedText = (start: string, length: number, reference: string): string =>
  `${start}\n[… the first ${start.length} of ${length} characters; the whole text: ${reference}]`;

/** A text whose middle was left out. */
export const cutText = (head: string, tail: string, length: number): string =>
  `${head}\n[… ${length - head.length - tail.length} of ${length} characters left out …]\n${tail}`;

const messageOf = (error: unknown): string => {
  try {
    const { message } = Object(error) as { readonly message?: unknown };
    return typeof message === 'string' && message !== '' ? message : String(error);
  } catch {
    return 'an error that can not be read';
  }
};
