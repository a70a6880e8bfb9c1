import stringWidth from 'string-width';
import type { OutcomeCode } from '../../src/contract/outcome.js';
import type { CallLane, Run } from '../model/run.js';
import { duration } from './duration.js';
import type { Naming } from './naming.js';
import { outcomeWords } from './outcomeWords.js';

/**
 * What stands at the right of a call's row: how it ended, and what its row can't say. Parts without room
 * are left out.
 */
export const noteOf = (lane: CallLane, heldBy: HeldBy, naming: Naming, room: number): string => {
  let note = endingOf(lane, naming);
  for (const part of detailsOf(lane, heldBy, naming)) {
    if (stringWidth(`${note} ${part}`) <= room) note += ` ${part}`;
  }
  return note;
};

const endingOf = (lane: CallLane, naming: Naming): string => {
  const { outcome, startedAt, endedAt } = lane;
  if (!outcome || endedAt === undefined) return lane.segments.at(-1)?.phase ?? '';
  if (outcome.adopted) return 'adopted';
  if (outcome.code === 'ok') return startedAt === undefined ? 'ok' : `ok ${duration(endedAt - startedAt)}`;
  const words = outcomeWords[outcome.code];
  if (startedAt === undefined) return stoppedCodes.has(outcome.code) ? 'not run' : words;
  if (outcome.code === 'sibling_aborted') {
    return outcome.by?.type === 'call' ? `aborted by ${naming.number(outcome.by.toolUseId)}` : words;
  }
  return stoppedCodes.has(outcome.code) ? words : `${words} after ${duration(endedAt - startedAt)}`;
};

const stoppedCodes: ReadonlySet<OutcomeCode> = new Set<OutcomeCode>([
  'sibling_aborted',
  'interrupted',
  'discarded',
]);

const detailsOf = (lane: CallLane, heldBy: HeldBy, naming: Naming): readonly string[] => {
  const details: string[] = [];
  const holder = heldBy.get(lane.toolUseId);
  if (lane.marks.at(-1)?.type === 'tombstone') details.push('withdrawn');
  if (holder !== undefined) details.push(`held by ${naming.number(holder)}`);
  if (lane.outcome?.code !== 'ok') return details;
  if (!lane.isConcurrencySafe && lane.startedAt !== undefined) details.push('alone');
  if (lane.updates > 0) details.push(`${lane.updates} update${lane.updates === 1 ? '' : 's'}`);
  return details;
};

/** By id: which call a result waited for. */
export type HeldBy = ReadonlyMap<string, string>;

/** Results go out in call order (law 2), so what holds one is the earlier call that ended last. */
export const heldByOf = ({ calls }: Pick<Run, 'calls'>): HeldBy => {
  const held = new Map<string, string>();
  let last: CallLane | undefined;
  for (const lane of calls) {
    const end = lane.endedAt ?? Infinity;
    const lastEnd = last ? (last.endedAt ?? Infinity) : -Infinity;
    if (lane.endedAt !== undefined && (lane.releasedAt ?? Infinity) > end && last && lastEnd > end) {
      held.set(lane.toolUseId, last.toolUseId);
    }
    if (end >= lastEnd) last = lane;
  }
  return held;
};
