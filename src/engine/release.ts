import type { Call } from '../call/call.js';
import type { ResultEvent } from '../contract/events.js';
import { discardedText } from '../contract/texts.js';
import { errorBlock } from '../results/present.js';
import type { Turn } from './turn.js';

/**
 * A result at the moment its place has come: it says how long it was held, and where the attempt was abandoned
 * meanwhile, it is replaced: a discard delivers synthetic results and nothing else (law 7).
 */
export const release = (turn: Turn, event: ResultEvent, index: number): ResultEvent => {
  const call = turn.calls[index] as Call;
  const at = turn.now();
  const shown =
    turn.discardCause === undefined || event.outcome.code === 'discarded' ? event : withdrawn(event);
  call.delivered = turn.discardCause === undefined;
  if (at === event.at) return shown;
  const { outcome } = shown;
  return {
    ...shown,
    at,
    outcome: { ...outcome, durations: { ...outcome.durations, held: at - event.at } },
  };
};

const withdrawn = ({ after: _after, ...event }: ResultEvent): ResultEvent => ({
  ...event,
  synthetic: true,
  block: errorBlock(event.toolUseId, discardedText(event.name, event.outcome.executed)),
});
