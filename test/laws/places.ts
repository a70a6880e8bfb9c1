import { isValid, runsAsSafe } from './decisions.js';
import { callOf, isSafeInput } from './fate.js';
import type { Played } from './play.js';
import { deedsOf, firstWrong, type Law, of, ofCall, queuedIndexes, runsOf } from './run.js';

export interface Moment {
  readonly at: number;
  readonly seq: number;
}

export const endless: Moment = { at: Number.POSITIVE_INFINITY, seq: Number.POSITIVE_INFINITY };

const first = (moments: readonly Moment[]): Moment =>
  moments.reduce((best, each) => (each.seq < best.seq ? each : best), endless);

/** What a call does in its place, in any order: what is asked about it, what is told of it. */
export const doings = (played: Played, index: number): readonly Moment[] => {
  const queued = ofCall(played, index, 'queued')[0]?.seq ?? Number.POSITIVE_INFINITY;
  const deeds = deedsOf(played, index, 'parse', 'repair', 'pre', 'request', 'check', 'prompt', 'classify');
  const events = [...ofCall(played, index, 'permission'), ...ofCall(played, index, 'started')];
  return [...deeds, ...events.map(({ event, seq }) => ({ at: event.at, seq }))].filter(
    ({ seq }) => seq > queued,
  );
};

/** When its place began, if it did: with the first that is asked or told of it after its queueing. */
export const placeBegan = (played: Played, index: number): Moment => first(doings(played, index));

export const placeEnded = (played: Played, index: number): Moment => {
  const completed = ofCall(played, index, 'completed')[0];
  return completed === undefined ? endless : { at: completed.event.at, seq: completed.seq };
};

export const isQueuedSafe = (played: Played, index: number): boolean =>
  of(played, 'queued').some((event) => event.toolUseId === String(index) && event.isConcurrencySafe);

/** When a call that was queued as safe got input that is not. */
export const becameUnsafe = (played: Played, index: number): Moment => {
  if (!isQueuedSafe(played, index) || runsAsSafe(played, index)) return endless;
  const deed = deedsOf(played, index, 'parse')
    .slice(1)
    .find(({ input, how }) => how === 'answered' && isValid(input) && !isSafeInput(input));
  return deed === undefined ? endless : { at: deed.until, seq: deed.untilSeq };
};

/** Law 3: the place of an unsafe call, from its first hook to the end of the last one behind it, is its own. */
export const placesExclude: Law = (played) => {
  const indexes = queuedIndexes(played);
  return firstWrong(indexes, (index) => {
    const { seq } = placeBegan(played, index);
    if (seq === Number.POSITIVE_INFINITY) return undefined;
    const over = indexes.find(
      (other) =>
        other < index &&
        !(isQueuedSafe(played, other) && isQueuedSafe(played, index) && isSameBatch(played, other, index)) &&
        placeEnded(played, other).seq > seq,
    );
    return over === undefined ? undefined : `the place of call ${index} began over that of call ${over}`;
  });
};

const isSameBatch = (played: Played, a: number, b: number): boolean => {
  const batch = (index: number) =>
    of(played, 'queued').find(({ toolUseId }) => toolUseId === String(index))?.batch;
  return batch(a) === batch(b);
};

/** Law 3 of a call that other input has made unsafe: nothing begins beside it, and it goes on when all have ended. */
export const rewrittenRunAlone: Law = (played) => {
  const indexes = queuedIndexes(played);
  return firstWrong(indexes, (index) => {
    const since = becameUnsafe(played, index).seq;
    if (since === Number.POSITIVE_INFINITY) return undefined;
    const until = placeEnded(played, index).seq;
    const others = indexes.filter((other) => other !== index);
    const began = others.find((other) => {
      const { seq } = placeBegan(played, other);
      return seq > since && seq < until;
    });
    if (began !== undefined) return `call ${began} began beside call ${index}, which had become unsafe`;
    const wentOn = goingOn(played, index).seq;
    const beside = others.find(
      (other) =>
        placeBegan(played, other).seq < wentOn &&
        placeEnded(played, other).seq > wentOn &&
        // Of several the others wait until it is their turn.
        !(becameUnsafe(played, other).seq < wentOn && goingOn(played, other).seq > wentOn),
    );
    return beside === undefined
      ? undefined
      : `call ${index} had become unsafe, and went on beside call ${beside}`;
  });
};

/** When a call that has become unsafe was let go on; its classifier is asked ahead. */
const goingOn = (played: Played, index: number): Moment => {
  const since = becameUnsafe(played, index).seq;
  const ahead = new Set(deedsOf(played, index, 'classify').map(({ seq }) => seq));
  return first(doings(played, index).filter(({ seq }) => seq > since && !ahead.has(seq)));
};

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When a call holds its slot; `surely`: only where that is certain. */
export const held = (played: Played, index: number, surely: boolean): readonly Span[] => {
  const began = placeBegan(played, index);
  if (began === endless) return [];
  const spans = [{ from: began.at, to: Math.min(placeEnded(played, index).at, played.endedAt) }];
  return released(played, index, surely).reduce(without, spans);
};

const without = (spans: readonly Span[], gap: Span): Span[] =>
  spans
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, gap.from) },
      { from: Math.max(from, gap.to), to },
    ])
    .filter(({ from, to }) => from < to);

const released = (played: Played, index: number, surely: boolean): readonly Span[] => {
  const next = (moments: readonly Moment[], seq: number): number =>
    Math.min(first(moments.filter((each) => each.seq > seq)).at, placeEnded(played, index).at);
  const permission = ofCall(played, index, 'permission').map(({ event, seq }) => ({ ...event, seq }));
  const decided = permission.filter(({ phase }) => phase === 'decided');
  const checks = surely ? [] : deedsOf(played, index, 'check');
  const asked = permission
    .filter(({ phase }) => phase === 'asked')
    .map(({ at, seq }) => ({ from: at, to: next([...decided, ...checks], seq) }));
  // One that its limit ends while it waits for a slot again may get it, and holds it while hooks hear of that.
  const posts = surely ? [] : deedsOf(played, index, 'post-failure');
  const starts = ofCall(played, index, 'started').map(({ event, seq }) => ({ at: event.at, seq }));
  const pauses = runsAsSafe(played, index)
    ? ofCall(played, index, 'attempt-failed').map(({ event, seq }) => ({
        from: event.at,
        to: next([...starts, ...posts], seq),
      }))
    : [];
  const unsafe = becameUnsafe(played, index);
  const unlent = Math.min(goingOn(played, index).at, placeEnded(played, index).at);
  const apart = unsafe === endless ? [] : [{ from: unsafe.at, to: unlent }];
  return [...asked, ...pauses, ...apart];
};

/** How many calls of a turn hold a slot at an instant, of one kind or of all. */
export const holders = (played: Played, at: number, surely: boolean, kind?: string): number =>
  queuedIndexes(played).filter(
    (index) =>
      isQueuedSafe(played, index) &&
      (kind === undefined || callOf(played, index).kind === kind) &&
      held(played, index, surely).some(({ from, to }) => from <= at && at < to),
  ).length;

/** Slots of the pool that are held, by this turn's calls and by the other's. */
export const pooled = (played: Played, at: number, surely: boolean): number => {
  const own = queuedIndexes(played).filter((index) =>
    held(played, index, surely).some(({ from, to }) => from <= at && at < to),
  ).length;
  return own + played.others.filter(({ from, to }) => from <= at && at < to).length;
};

/** Limits hold at every instant, whatever is given back and taken again. */
export const slotsHold: Law = (played) => {
  const { concurrency, shell, guards } = played.schedule;
  const instants = [...new Set([...played.events.map(({ at }) => at), ...played.deeds.map(({ at }) => at)])];
  return firstWrong(instants, (at) => {
    if (holders(played, at, true) > concurrency) return `more than ${concurrency} calls hold a slot at ${at}`;
    if (holders(played, at, true, 'shell') > shell) return `more than ${shell} shells hold a slot at ${at}`;
    return guards?.pool !== undefined && pooled(played, at, true) > guards.pool.slots
      ? `more than ${guards.pool.slots} slots of the pool are held at ${at}`
      : undefined;
  });
};

export const ran = (played: Played, index: number): boolean => runsOf(played, index).length > 0;
