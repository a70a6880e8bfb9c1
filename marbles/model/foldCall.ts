import type {
  AttemptFailedEvent,
  CallEvent,
  CompletedEvent,
  HookEvent,
  PermissionEvent,
  QueuedEvent,
  ResultEvent,
  StartedEvent,
  StoppingEvent,
  WaitingEvent,
  WaitReason,
} from '../../src/contract/events.js';
import type { Cause } from '../../src/contract/outcome.js';
import { endGlyph } from './endGlyph.js';
import { endWait, enter, type LaneBuilder, leave } from './laneBuilder.js';
import type { Phase } from './run.js';

const queue = (lane: LaneBuilder, event: QueuedEvent): void => {
  lane.name = event.name;
  lane.toolUse = event.toolUse;
  lane.index = event.index;
  lane.batch = event.batch;
  lane.isConcurrencySafe = event.isConcurrencySafe;
  // A `waiting` may come first and says more than that it waits.
  if (!lane.wait) enter(lane, event.at, 'waiting');
};

const phaseOfReason: Partial<Record<WaitReason, Phase>> = {
  hooks: 'hooks',
  permission: 'permission',
  backoff: 'backoff',
};

const wait = (lane: LaneBuilder, event: WaitingEvent): void => {
  endWait(lane, event.at);
  lane.wait = event;
  if (!lane.stopping) enter(lane, event.at, phaseOfReason[event.reason] ?? 'waiting');
};

/**
 * Hooks before the start lead back to waiting, hooks behind the work to running, for the call is not ended
 * yet.
 */
const hook = (lane: LaneBuilder, { at, phase }: HookEvent): void => {
  lane.hooksOpen = Math.max(0, lane.hooksOpen + (phase === 'started' ? 1 : -1));
  if (phase === 'ended' ? lane.hooksOpen === 0 : lane.wait?.reason !== 'hooks') endWait(lane, at);
  if (!lane.stopping) enter(lane, at, lane.hooksOpen > 0 ? 'hooks' : resting(lane));
};

const permission = (lane: LaneBuilder, { at, phase }: PermissionEvent): void => {
  if (phase === 'decided' || lane.wait?.reason !== 'permission') endWait(lane, at);
  if (!lane.stopping) enter(lane, at, phase === 'decided' ? resting(lane) : 'permission');
};

const resting = (lane: LaneBuilder): Phase => (lane.startedAt === undefined ? 'waiting' : 'running');

const start = (lane: LaneBuilder, { at, attempt }: StartedEvent): void => {
  endWait(lane, at);
  lane.startedAt ??= at;
  enter(lane, at, 'running');
  lane.marks.push({ type: 'start', at, attempt });
};

const failAttempt = (lane: LaneBuilder, event: AttemptFailedEvent & { readonly by?: Cause }): void => {
  const { at, attempt, error, delayMs, by } = event;
  const glyph = by?.type === 'limit' ? '@' : '#';
  lane.marks.push({ type: 'attempt-failed', at, glyph, attempt, message: error.message, delayMs, by });
  if (!lane.stopping) enter(lane, at, 'backoff');
};

const stop = (lane: LaneBuilder, { at, cause }: StoppingEvent): void => {
  endWait(lane, at);
  enter(lane, at, 'stopping');
  lane.stopping ??= { at, cause };
};

const end = (lane: LaneBuilder, { at, outcome }: CompletedEvent): void => {
  endWait(lane, at);
  leave(lane, at);
  lane.endedAt = at;
  lane.outcome = outcome;
  lane.marks.push({ type: 'end', at, glyph: endGlyph(outcome, lane.startedAt !== undefined), outcome });
  enter(lane, at, 'held');
};

const release = (lane: LaneBuilder, event: ResultEvent): void => {
  if (lane.releasedAt !== undefined) return;
  // A recording that was cut may hold a result without its end.
  if (lane.endedAt === undefined) end(lane, { ...event, type: 'completed' });
  leave(lane, event.at);
  lane.outcome = event.outcome;
  lane.releasedAt = event.at;
  lane.marks.push({ type: 'released', at: event.at, synthetic: event.synthetic });
};

type Handlers = {
  readonly [T in CallEvent['type']]: (
    lane: LaneBuilder,
    event: Extract<CallEvent, { readonly type: T }>,
  ) => void;
};

const handlers: Handlers = {
  'input-delta': (lane, { at }) => {
    if (!lane.phase) enter(lane, at, 'input');
  },
  queued: queue,
  waiting: wait,
  hook,
  permission,
  started: start,
  progress: (lane, { at }) => {
    lane.updates += 1;
    lane.marks.push({ type: 'progress', at });
  },
  'attempt-failed': failAttempt,
  stopping: stop,
  completed: end,
  result: release,
};

/** Folds one event into the lane of its call; after the end only the result still counts. */
export const foldCall = (lane: LaneBuilder, event: CallEvent): void => {
  if (lane.endedAt !== undefined && event.type !== 'result') return;
  // The table has for every type the handler of that type, which TypeScript can't follow through an index.
  const handle = handlers[event.type] as (lane: LaneBuilder, event: CallEvent) => void;
  handle?.(lane, event);
};
