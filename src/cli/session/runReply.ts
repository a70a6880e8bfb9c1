import { defer, merge, type Observable, tap } from 'rxjs';
import { Latch } from '../../../operators/latch.js';
import { modelEvents } from '../../adapters/anthropic/index.js';
import type { ExecuteToolsOptions, ModelEvent, ModelStreamError, ToolEvent } from '../../contract/index.js';
import { executeTools } from '../../engine/executeTools.js';
import { toolUses } from '../../turn/toolUses.js';
import type { Reply } from '../reply/parseReply.js';
import { playReply } from '../reply/playReply.js';
import { InputDeltas } from './inputDeltas.js';
import { turnClock } from './turnClock.js';

export interface RunReplyOptions
  extends Pick<
    ExecuteToolsOptions,
    | 'tools'
    | 'limits'
    | 'timeoutMs'
    | 'hookTimeoutMs'
    | 'hooks'
    | 'permissions'
    | 'classifier'
    | 'canUseTool'
    | 'interrupt$'
    | 'signal'
    | 'onLate'
  > {
  /** How many times as fast as it was recorded; `Infinity` is without delays. */
  readonly speed: number;
  /** What the model does, at milliseconds of the turn. */
  readonly onModel: (event: ModelEvent, at: number) => void;
  /** The reply failed; the turn is discarded next. */
  readonly onFailure: (error: ModelStreamError) => void;
}

/** Plays a recorded reply against tools: the events of the turn, the writing of inputs among them. */
export const runReply = (reply: Reply, options: RunReplyOptions): Observable<ToolEvent> =>
  defer(() => {
    const { speed, onModel, onFailure, ...turn } = options;
    const clock = turnClock();
    const inputs = new InputDeltas(() => clock.now());
    const abandoned = new Latch<string>();
    const model$ = modelEvents(playReply(reply, speed, clock), {
      // A silence in a recording was there; the file itself does not stall.
      idleMs: Number.POSITIVE_INFINITY,
      scheduler: clock,
    }).pipe(
      tap({
        next: (event) => {
          onModel(event, clock.now());
          inputs.see(event);
          const why = abandons(event);
          if (why !== undefined) abandoned.trip(why);
        },
        error: onFailure,
      }),
    );
    const turn$ = model$.pipe(
      toolUses(),
      executeTools({ ...turn, scheduler: clock, discard$: abandoned.tripped$ }),
      tap({ next: (event) => inputs.follow(event), complete: () => inputs.end() }),
    );
    return merge(inputs.events$, turn$);
  });

/** What makes a reply worthless without failing its stream (SPEC §4.3, §4.6). */
const abandons = (event: ModelEvent): string | undefined => {
  if (event.type === 'message-replaced') return 'the message was replaced by a second one';
  if (event.type === 'message-end' && event.stopReason === 'refusal') return 'the model refused';
  return undefined;
};
