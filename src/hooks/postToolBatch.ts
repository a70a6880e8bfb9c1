import type { PostToolBatchInput } from '../contract/hooks.js';
import { askHooks } from './askHooks.js';
import type { HookHost, HookPoint, PendingHooks } from './hookPoint.js';
import type { ReadyHook } from './hookSet.js';
import { shortened } from './longText.js';
import type { HookNotes, HookText } from './notes.js';
import { blockText, failureNote } from './texts.js';

export interface PostToolBatchVerdict extends HookNotes {
  /** Not empty: no further model request is wanted. */
  readonly blocks: readonly HookText[];
}

/** Asks the hooks after a turn, with all its results in call order, before the next request of the model. */
export const askPostToolBatch = (
  hooks: readonly ReadyHook<'PostToolBatch'>[],
  calls: PostToolBatchInput['calls'],
  host: HookHost,
  receive: (verdict: PostToolBatchVerdict) => void,
): PendingHooks | undefined => {
  const blocks: HookText[] = [];
  const point: HookPoint<'PostToolBatch'> = {
    fields: () => ({ event: 'PostToolBatch', calls }),
    take: ({ name }, answer) => {
      if (answer.decision !== 'block') return;
      blocks.push({ hook: name, text: shortened(blockText(name, answer.reason)) });
    },
    fail: ({ name, onFailure }, failure) => {
      const note = failureNote('PostToolBatch', name, failure);
      if (onFailure === 'continue') return note;
      blocks.push({ hook: name, text: note });
      return undefined;
    },
  };
  return askHooks(hooks, point, host, (notes) => receive({ blocks, ...notes }));
};
