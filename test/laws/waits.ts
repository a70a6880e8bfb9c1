import type { WaitReason } from '../../src/index.js';
import { callOf } from './fate.js';
import {
  becameUnsafe,
  holders,
  isQueuedSafe,
  type Moment,
  placeBegan,
  placeEnded,
  pooled,
  type Span,
} from './places.js';
import type { Played } from './play.js';
import { deedsOf, firstWrong, type Law, of, ofCall, queuedIndexes, stoppedAt } from './run.js';

interface Wait extends Span {
  readonly reason: WaitReason | undefined;
  readonly seq: number;
}

/** Law 4: while a call neither runs nor has ended, the reason it was last given holds at every instant. */
export const waitsForAReason: Law = (played) =>
  firstWrong(queuedIndexes(played), (index) =>
    firstWrong(waitsOf(played, index), (wait) => {
      const { reason, from, to, seq } = wait;
      // What a user's interruption waits for is not explained any more.
      if (seq > stoppedAt(played)) return undefined;
      if (reason === undefined) return `call ${index} waited from ${from} to ${to}, and nobody said why`;
      return holds(played, index, reason, wait)
        ? undefined
        : `call ${index} waited from ${from} to ${to}: no ${reason}`;
    }),
  );

const waitsOf = (played: Played, index: number): readonly Wait[] => {
  const moment = (type: 'queued' | 'attempt-failed' | 'started' | 'completed') =>
    ofCall(played, index, type).map(({ event, seq }) => ({
      at: event.at,
      seq,
      reason: undefined,
      stands: type === 'queued' || type === 'attempt-failed',
    }));
  const told = ofCall(played, index, 'waiting').map(({ event, seq }) => ({
    ...{ at: event.at, seq, reason: event.reason, stands: true },
  }));
  const marks = [
    ...moment('queued'),
    ...moment('attempt-failed'),
    ...moment('started'),
    ...moment('completed'),
    ...told,
    ...deedsOf(played, index, 'post', 'post-failure').map(({ at, seq }) => ({
      at,
      seq,
      reason: undefined,
      stands: false,
    })),
  ].sort((a, b) => a.seq - b.seq);
  const queued = marks.findIndex(({ stands, reason }) => stands && reason === undefined);
  return marks.slice(queued).flatMap((mark, i, all) => {
    const to = all[i + 1]?.at ?? Math.min(played.endedAt, mark.at);
    return mark.stands && mark.at < to ? [{ from: mark.at, to, reason: mark.reason, seq: mark.seq }] : [];
  });
};

const holds = (played: Played, index: number, reason: WaitReason, { from, to, seq }: Wait): boolean => {
  const others = queuedIndexes(played).filter((other) => other !== index);
  const throughout = (isSo: (at: number) => boolean): boolean => instants(played, from, to).every(isSo);
  switch (reason) {
    case 'hooks':
      return covered(deedsOf(played, index, 'pre'), from, to);
    case 'validation':
      return covered(deedsOf(played, index, 'parse', 'repair'), from, to);
    case 'permission':
      return covered(permissionDeeds(played, index, seq), from, to);
    case 'backoff': {
      const failed = ofCall(played, index, 'attempt-failed')
        .filter((each) => each.seq < seq)
        .at(-1)?.event;
      return failed !== undefined && to <= failed.at + failed.delayMs;
    }
    case 'message':
      return to <= messageEnd(played);
    // Whoever waits in a line behind others is not told again when the reason becomes another of these.
    case 'limit':
    case 'pool':
      return throughout((at) => hasNoSlot(played, index, at));
    case 'batch':
      return throughout(
        (at) =>
          hasNoSlot(played, index, at) ||
          others.some(
            (other) => other < index && !isQueuedSafe(played, other) && placeEnded(played, other).at > at,
          ),
      );
    case 'exclusive':
      // Whoever was to run alone may then wait for the pool; that is not told apart.
      return (
        throughout((at) => isPoolFull(played, at)) ||
        others.some(
          (other) =>
            placeEnded(played, other).at >= to &&
            (isQueuedSafe(played, index) ? placeBegan(played, other).seq < seq : other < index),
        )
      );
    default:
      return false;
  }
};

const hasNoSlot = (played: Played, index: number, at: number): boolean =>
  isFull(played, index, at) || isPoolFull(played, at) || isApart(played, index, at);

const isPoolFull = (played: Played, at: number): boolean =>
  pooled(played, at, false) >= (played.schedule.guards?.pool?.slots ?? Number.POSITIVE_INFINITY);

/** One of its batch must run alone. */
const isApart = (played: Played, index: number, at: number): boolean =>
  queuedIndexes(played).some(
    (other) => other !== index && becameUnsafe(played, other).at <= at && placeEnded(played, other).at > at,
  );

/** All the slots that it could have are held. */
const isFull = (played: Played, index: number, at: number): boolean => {
  const { concurrency, shell } = played.schedule;
  if (holders(played, at, false) >= concurrency) return true;
  return callOf(played, index).kind === 'shell' && holders(played, at, false, 'shell') >= shell;
};

/** What may stand between a call and its permission: what is asked of it, and the prompt that is shown before its own. */
const permissionDeeds = (played: Played, index: number, seq: number) => {
  const own = deedsOf(played, index, 'check', 'classify', 'request', 'prompt');
  const asked = ofCall(played, index, 'permission').find(({ event }) => event.phase === 'asked');
  const shown = played.deeds.filter(({ what }) => what === 'prompt');
  return asked === undefined
    ? own
    : [...own, ...shown.filter((deed) => deed.untilSeq > Math.min(seq, asked.seq))];
};

const covered = (
  spans: readonly { readonly at: number; readonly until: number }[],
  from: number,
  to: number,
): boolean => {
  let at = from;
  for (const span of [...spans].sort((a, b) => a.at - b.at)) if (span.at <= at) at = Math.max(at, span.until);
  return at >= to;
};

const instants = (played: Played, from: number, to: number): readonly number[] => {
  const all = [...played.events, ...played.deeds].map(({ at }) => at);
  const ends = played.others.flatMap((other) => [other.from, other.to]);
  return [...new Set([from, ...all, ...played.deeds.map(({ until }) => until), ...ends])].filter(
    (at) => at >= from && at < to,
  );
};

/** Schemas that answer later keep calls from being queued when the model has ended. */
const messageEnd = (played: Played): number =>
  Math.max(
    played.schedule.calls.reduce((at, { gap }) => at + gap, 0) + played.schedule.endGap,
    ...of(played, 'queued').map(({ at }) => at),
  );

export type { Moment };
