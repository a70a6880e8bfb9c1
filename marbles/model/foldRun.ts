import type { CallEvent, ToolEvent } from '../../src/contract/events.js';
import { causesOf } from './causes.js';
import { busyTime, countsOf, peakOf } from './counts.js';
import { foldCall } from './foldCall.js';
import { finishLane, type LaneBuilder, newLane } from './laneBuilder.js';
import type { CallLane, Run } from './run.js';

/**
 * Folds a turn's events, all of them or a beginning, into its calls over time. Pure, and linear in the
 * events.
 */
export const foldRun = (events: Iterable<ToolEvent>): Run => {
  const state = newState();
  for (const event of events) foldEvent(state, event);
  const lanes = inCallOrder([...state.lanes.values()].map((lane) => finishLane(lane, state.wall)));
  const running = countsOf(lanes, 'running');
  return {
    calls: lanes,
    causes: causesOf(lanes, state.discarded),
    contexts: state.contexts,
    anomalies: state.anomalies,
    stops: state.stops,
    running,
    waiting: countsOf(lanes, 'waiting'),
    wall: state.wall,
    busy: busyTime(lanes),
    peak: peakOf(running),
  };
};

type EventOf<T extends ToolEvent['type']> = Extract<ToolEvent, { readonly type: T }>;

interface State {
  readonly lanes: Map<string, LaneBuilder>;
  readonly byMessage: Map<string, LaneBuilder[]>;
  readonly contexts: EventOf<'context'>[];
  readonly anomalies: EventOf<'anomaly'>[];
  readonly stops: EventOf<'stop'>[];
  discarded: EventOf<'discarded'> | undefined;
  wall: number;
}

const newState = (): State => ({
  lanes: new Map(),
  byMessage: new Map(),
  contexts: [],
  anomalies: [],
  stops: [],
  discarded: undefined,
  wall: 0,
});

const foldEvent = (state: State, event: ToolEvent): void => {
  // A foreign recording may hold anything; an instant that is none has no place on an axis.
  if (!(event.at >= 0 && event.at < Infinity)) return;
  state.wall = Math.max(state.wall, event.at);
  if (event.type === 'context') state.contexts.push(event);
  else if (event.type === 'anomaly') state.anomalies.push(event);
  else if (event.type === 'stop') state.stops.push(event);
  else if (event.type === 'discarded') state.discarded = event;
  else if (event.type === 'tombstone') bury(state, event);
  else if (event.type !== 'turn-hook' && event.type !== 'after') {
    const lane = laneOf(state, event);
    foldCall(lane, event);
    if (event.type === 'queued') enlist(state, lane);
  }
};

const laneOf = ({ lanes }: State, event: CallEvent): LaneBuilder => {
  const known = lanes.get(event.toolUseId);
  if (known) return known;
  const lane = newLane(event.toolUseId, event.name, event.at);
  lanes.set(event.toolUseId, lane);
  return lane;
};

const enlist = ({ byMessage }: State, lane: LaneBuilder): void => {
  const messageId = lane.toolUse?.messageId;
  if (messageId === undefined) return;
  const calls = byMessage.get(messageId);
  if (calls) calls.push(lane);
  else byMessage.set(messageId, [lane]);
};

/** A tombstone of a message buries all of its calls. */
const bury = ({ lanes, byMessage }: State, { at, target }: EventOf<'tombstone'>): void => {
  const one = 'toolUseId' in target ? lanes.get(target.toolUseId) : undefined;
  const buried = 'messageId' in target ? (byMessage.get(target.messageId) ?? []) : one ? [one] : [];
  for (const lane of buried) if (isWithdrawn(lane)) lane.marks.push({ type: 'tombstone', at });
};

/**
 * Only what had been delivered can be withdrawn. A discard answers what is open in the instant of its
 * tombstones; drawn as withdrawn, these answers would hide that their calls were stopped.
 */
const isWithdrawn = (lane: LaneBuilder): boolean =>
  lane.releasedAt !== undefined &&
  lane.outcome?.code !== 'discarded' &&
  lane.marks.at(-1)?.type !== 'tombstone';

const inCallOrder = (lanes: readonly CallLane[]): readonly CallLane[] =>
  [...lanes].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || 0);
