import type { Observable, OperatorFunction } from 'rxjs';
import { operate } from '../../operators/operate.js';
import type { ToolEvent } from '../contract/events.js';
import { interruptionNotice } from '../contract/texts.js';
import type { Message, MessageBlock, ToolResultMessage } from '../contract/toolUse.js';

export interface ToolResultMessageOptions {
  /** Adds nothing after the results, for messages where the API forbids it. Default false. */
  readonly bare?: boolean;
}

/**
 * The user message that answers the turn, once, when the turn has ended: all results first and contiguous, in
 * call order, then extra text. Nothing where there was no call, nor after a discard.
 *
 * @example
 * ```ts
 * events$.pipe(toolResultMessage()).subscribe((message) => messages.push(message));
 * ```
 */
export const toolResultMessage =
  ({ bare = false }: ToolResultMessageOptions = {}): OperatorFunction<ToolEvent, ToolResultMessage> =>
  (source: Observable<ToolEvent>) =>
    operate<ToolEvent, ToolResultMessage>(source, (subscriber) => {
      const results: MessageBlock[] = [];
      const after: MessageBlock[] = [];
      let notice: MessageBlock | undefined;
      let discarded = false;
      return {
        next: (event) => {
          if (event.type === 'result') {
            results.push(event.block);
            after.push(...blocksAfter(event.after));
          } else if (event.type === 'after') after.push(...blocksAfter(event.messages));
          else if (event.type === 'stop' && event.reason === 'interrupted') {
            notice = { type: 'text', text: interruptionNotice(event.by) };
          } else if (event.type === 'discarded') discarded = true;
        },
        complete: () => {
          const extra = notice === undefined ? after : [...after, notice];
          if (results.length > 0 && !discarded) {
            subscriber.next({ role: 'user', content: bare ? results : [...results, ...extra] });
          }
          subscriber.complete();
        },
      };
    });

// The API refuses a text block without text.
const hasContent = (block: MessageBlock | null): boolean =>
  typeof block?.type === 'string' &&
  (block.type !== 'text' || (typeof block.text === 'string' && block.text.trim() !== ''));

/** What a tool wants to follow the results; what is no message is left out, and takes nothing else with it. */
const blocksAfter = (messages: readonly Message[] | undefined): readonly MessageBlock[] =>
  Array.isArray(messages) ? messages.flatMap(blocksOf).filter(hasContent) : [];

const blocksOf = (message: Message | null | undefined): readonly MessageBlock[] => {
  const content = message?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
};
