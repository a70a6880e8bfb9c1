import type { DiscardedEvent } from '../../src/contract/events.js';
import type { Cause, OutcomeCode } from '../../src/contract/outcome.js';
import type { CallLane, TurnCause } from './run.js';

/** Why calls of a turn ended otherwise than by themselves, by time. */
export const causesOf = (
  lanes: readonly CallLane[],
  discarded: DiscardedEvent | undefined,
): readonly TurnCause[] => {
  const causes = [
    ...groups(lanes, 'sibling_aborted').map((group) => ({ type: 'sibling-abort' as const, ...group })),
    ...groups(lanes, 'interrupted').map((group) => ({ type: 'interruption' as const, ...group })),
    ...discard(lanes, discarded),
    ...lanes.flatMap(timeouts),
  ];
  return causes.sort((a, b) => a.at - b.at);
};

interface Group {
  readonly by: Cause | undefined;
  readonly at: number;
  readonly stopped: readonly string[];
  readonly lapsed: readonly string[];
  readonly notRun: readonly string[];
}

/** The calls that ended with this code, one group a cause. */
const groups = (lanes: readonly CallLane[], code: OutcomeCode): readonly Group[] => {
  const byCause = new Map<string, CallLane[]>();
  for (const lane of lanes) {
    if (lane.outcome?.code !== code) continue;
    const key = JSON.stringify(lane.outcome.by ?? null);
    const group = byCause.get(key);
    if (group) group.push(lane);
    else byCause.set(key, [lane]);
  }
  return [...byCause.values()].map(groupOf);
};

const groupOf = (lanes: readonly CallLane[]): Group => {
  const ids = (keep: (lane: CallLane) => boolean): readonly string[] =>
    lanes.filter(keep).map((lane) => lane.toolUseId);
  const started = (lane: CallLane): boolean => lane.startedAt !== undefined;
  return {
    by: lanes[0]?.outcome?.by,
    at: lanes.reduce(
      (first, lane) => Math.min(first, lane.stopping?.at ?? lane.endedAt ?? Infinity),
      Infinity,
    ),
    stopped: ids((lane) => started(lane) && lane.outcome?.stopped !== false),
    lapsed: ids((lane) => started(lane) && lane.outcome?.stopped === false),
    notRun: ids((lane) => !started(lane)),
  };
};

const discard = (lanes: readonly CallLane[], event: DiscardedEvent | undefined): readonly TurnCause[] => {
  const buried = lanes.filter((lane) => lane.marks.at(-1)?.type === 'tombstone');
  const stopped = lanes.filter((lane) => lane.outcome?.code === 'discarded');
  if (!event && stopped.length === 0 && buried.length === 0) return [];
  const { by, at, ...calls } = groupOf(stopped);
  const reason = event?.cause ?? (by?.type === 'discard' ? by.reason : '');
  const buriedAt = buried.reduce((first, lane) => Math.min(first, lane.marks.at(-1)?.at ?? Infinity), at);
  const when = Number.isFinite(buriedAt) ? buriedAt : (event?.at ?? 0);
  return [{ type: 'discard', at: when, reason, ...calls, withdrawn: buried.map((lane) => lane.toolUseId) }];
};

const timeouts = ({ marks, toolUseId, outcome, endedAt }: CallLane): readonly TurnCause[] => {
  const found: TurnCause[] = [];
  for (const mark of marks) {
    if (mark.type !== 'attempt-failed' || mark.glyph !== '@') continue;
    found.push({ type: 'timeout', at: mark.at, toolUseId, attempt: mark.attempt, by: mark.by });
  }
  if (outcome?.code !== 'timeout') return found;
  return [...found, { type: 'timeout', at: endedAt ?? 0, toolUseId, attempt: undefined, by: outcome.by }];
};
