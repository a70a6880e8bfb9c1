import { from } from 'rxjs';
import { LawBrokenError, LawChecker, type Outcome, toolResultMessage } from '../../src/index.js';
import * as asking from './asking.js';
import * as attempts from './attempts.js';
import * as decisions from './decisions.js';
import { predict } from './oracle.js';
import * as places from './places.js';
import { type Played, play } from './play.js';
import { byId, type EventOf, type Law, of, over } from './run.js';
import type { Schedule } from './schedule.js';
import { waitsForAReason } from './waits.js';

/** When the tool of a call had stopped for certain, or its grace had lapsed. */
const placeEnd = (played: Played, index: number): number => {
  const activity = played.activities.find((each) => each.index === index);
  const completed = byId(of(played, 'completed')).get(String(index));
  if (activity === undefined) return completed?.at ?? Number.POSITIVE_INFINITY;
  if (played.schedule.calls[index]?.form === 'thenable') {
    if (completed !== undefined && completed.outcome.code !== 'discarded') return completed.at;
    return Math.min(
      activity.endedAt,
      (activity.askedAt ?? Number.POSITIVE_INFINITY) + grace(played.schedule, index),
    );
  }
  return activity.endedAt;
};

const grace = ({ calls }: Schedule, index: number): number => {
  const spec = calls[index];
  return spec?.graceMs ?? (spec?.safe && spec.trouble !== 'predicate-throws' ? 0 : 2000);
};

const isSafe = (played: Played, index: number): boolean =>
  byId(of(played, 'queued')).get(String(index))?.isConcurrencySafe === true;

/** What events alone show: laws 1 to 4, 7, and the life of a call. */
const checker =
  (...laws: readonly number[]): Law =>
  (played) => {
    const check = new LawChecker();
    try {
      for (const event of played.events) check.see(event);
      if (over(played)) check.end();
    } catch (error) {
      if (error instanceof LawBrokenError && laws.includes(error.law)) return error.message;
      if (!(error instanceof LawBrokenError)) throw error;
    }
    return undefined;
  };

const oneOutcome: Law = (played) => {
  if (typeof played.ended === 'object') return `the error channel had ${String(played.ended.error)}`;
  if (played.ended === 'never') return 'the turn did not end';
  if (!over(played)) return undefined;
  // What comes after a discard or an interruption belongs to nobody any more.
  const open = new Set(played.given.map(({ id }) => id));
  const results = new Set(of(played, 'result').map(({ toolUseId }) => toolUseId));
  const stopped = of(played, 'stop').length > 0 || of(played, 'discarded').length > 0;
  const unanswered = [...open].filter((id) => !results.has(id));
  return unanswered.length > 0 && !stopped ? `no result for ${unanswered.join(', ')}` : undefined;
};

const sameBytes: Law = (played) => {
  const { schedule } = played;
  const plain = {
    ...schedule,
    discardAt: undefined,
    interruptAt: undefined,
    abortAt: undefined,
    leaveAt: undefined,
    onEvent: undefined,
  };
  const calls = plain.calls.map((call) => ({ ...call, timeoutMs: undefined, cascades: false }));
  if (schedule.sourceFails || calls.some(({ duration }) => duration === Number.POSITIVE_INFINITY))
    return undefined;
  const first = messageOf({ ...plain, calls });
  const slower = calls.map((call, i) => ({
    ...call,
    duration: call.duration * 3 + (i % 4),
    gap: call.gap * 2,
  }));
  const second = messageOf({ ...plain, calls: slower, concurrency: 3 });
  return first === second ? undefined : `another timing, other bytes:\n${first}\n${second}`;
};

const messageOf = (schedule: Schedule): string => {
  let message = '';
  from(play(schedule).events)
    .pipe(toolResultMessage())
    .subscribe((each) => {
      message = JSON.stringify(each);
    });
  return message;
};

const exclusion: Law = (played) => {
  // Activities stand in the order in which the tools were called.
  for (const [i, a] of played.activities.entries()) {
    for (const b of played.activities.slice(i + 1)) {
      if (isSafe(played, a.index) && isSafe(played, b.index)) continue;
      const end = placeEnd(played, a.index);
      if (a.index > b.index) return `tool ${b.index} was called after tool ${a.index}, which comes later`;
      if (b.calledAt < end) return `tool ${b.index} was called over tool ${a.index}, which ended at ${end}`;
    }
  }
  return undefined;
};

const noIdleWaiting: Law = (played) => {
  const { schedule } = played;
  let at = 0;
  const causes = new Set<number>();
  for (const call of schedule.calls) {
    at += call.gap;
    causes.add(at);
  }
  causes.add(at + schedule.endGap);
  for (const { at: when } of of(played, 'completed')) causes.add(when);
  for (const { at: when } of of(played, 'queued')) causes.add(when);
  const idle = of(played, 'started').find(({ at: when }) => !causes.has(when));
  return idle === undefined
    ? undefined
    : `call ${idle.toolUseId} started at ${idle.at}, when nothing had happened`;
};

/** Limits hold, and are used: an independent count. */
const limits: Law = (played) => {
  const { schedule, activities } = played;
  for (const [i, a] of activities.entries()) {
    const beside = activities.slice(0, i).filter((b) => placeEnd(played, b.index) > a.calledAt);
    const shells = beside.filter(({ index }) => schedule.calls[index]?.kind === 'shell').length;
    if (beside.length >= schedule.concurrency) return `tool ${a.index} was one too many`;
    if (schedule.calls[a.index]?.kind === 'shell' && shells >= schedule.shell) {
      return `tool ${a.index} was one shell too many`;
    }
  }
  return undefined;
};

const asPredicted: Law = (played) => {
  const { calls, ...turn } = played.schedule;
  const isPlain = calls.every(
    (call) =>
      call.ends === 'ok' &&
      call.trouble === 'none' &&
      call.form === 'observable' &&
      call.schemaMs === 0 &&
      call.timeoutMs === undefined &&
      !call.cascades,
  );
  const isQuiet = [turn.discardAt, turn.interruptAt, turn.abortAt, turn.leaveAt, turn.onEvent].every(
    (each) => each === undefined,
  );
  if (!isPlain || !isQuiet || turn.sourceFails || turn.endGap !== 0.5) return undefined;
  const started = byId(of(played, 'started'));
  const completed = byId(of(played, 'completed'));
  for (const [index, { start, end }] of predict(played.schedule).entries()) {
    const id = String(index);
    if (started.get(id)?.at !== start || completed.get(id)?.at !== end) {
      return `call ${id} ran ${started.get(id)?.at} to ${completed.get(id)?.at}, the oracle says ${start} to ${end}`;
    }
  }
  return undefined;
};

const context: Law = (played) => {
  const queued = byId(of(played, 'queued'));
  const completed = byId(of(played, 'completed'));
  for (const { index, context: seen } of played.activities) {
    const batch = queued.get(String(index))?.batch ?? -1;
    const trail = [...queued.values()]
      .filter(
        (other) => other.batch < batch && played.schedule.calls[Number(other.toolUseId)]?.modifiesContext,
      )
      .filter((other) => completed.get(other.toolUseId)?.outcome.code === 'ok')
      .map((other) => Number(other.toolUseId));
    if (JSON.stringify(seen) !== JSON.stringify({ trail })) {
      return `tool ${index} saw ${JSON.stringify(seen)}, expected ${JSON.stringify({ trail })}`;
    }
    if (!Object.isFrozen(seen)) return `tool ${index} could change its context`;
  }
  return undefined;
};

const parentUntouched: Law = ({ schedule, signalAborted }) => {
  const meant = schedule.abortAt !== undefined || schedule.onEvent?.act === 'abort';
  return signalAborted && !meant ? "the caller's signal was aborted" : undefined;
};

const discardIsWhole: Law = (played) => {
  const discarded = of(played, 'discarded');
  const tombs = of(played, 'tombstone');
  if (discarded.length === 0)
    return tombs.length > 0 && over(played) ? 'tombstones without the ledger' : undefined;
  const [{ ledger, messages }] = discarded as [EventOf<'discarded'>];
  if (discarded.length > 1 || played.events.at(-1)?.type !== 'discarded')
    return 'the ledger does not come once and last';
  if (messages !== tombs.length) return `${messages} messages and ${tombs.length} tombstones`;
  const at = tombs[0]?.at ?? discarded[0]?.at ?? 0;
  for (const { index, settled, calledAt, endedAt } of played.activities) {
    const entry = ledger.find(({ toolUse }) => toolUse.id === String(index));
    if (entry === undefined) return `call ${index} is not in the ledger`;
    if (entry.executed === 'no') return `call ${index} ran, and the ledger says it did not`;
    if (calledAt > at) return `tool ${index} started after the discard`;
    // A value in time is told as ok; what came after the grace is late, and told as that.
    const late = played.late.some(({ toolUse, type }) => toolUse.id === String(index) && type === 'value');
    if (late) continue;
    if (
      settled === 'ok' &&
      endedAt <= placeEnd(played, index) &&
      entry.outcome?.code !== 'ok' &&
      endedAt < at
    ) {
      return `call ${index} ended well, and the ledger does not say so`;
    }
  }
  const ran = new Set(played.activities.map(({ index }) => String(index)));
  const wrong = ledger.find(({ toolUse, executed }) => !ran.has(toolUse.id) && executed !== 'no');
  return wrong === undefined
    ? undefined
    : `call ${wrong.toolUse.id} never ran, and the ledger says ${wrong.executed}`;
};

const graceIsKept: Law = (played) => {
  const stopping = byId(of(played, 'stopping'));
  const completed = byId(of(played, 'completed'));
  for (const { index, askedAt, settled, endedAt } of played.activities) {
    const asked = stopping.get(String(index));
    const end = completed.get(String(index));
    if (asked === undefined || end === undefined || end.outcome.code === 'discarded') continue;
    if (askedAt !== asked.at) return `tool ${index} was asked at ${String(askedAt)}, told at ${asked.at}`;
    const lapse = asked.at + grace(played.schedule, index);
    if (end.at > lapse) return `call ${index} was given up at ${end.at}, its grace lapsed at ${lapse}`;
    if (end.at < lapse && settled === undefined)
      return `call ${index} was given up at ${end.at}, before ${lapse}`;
    if (settled === 'ok' && endedAt < lapse && end.outcome.code !== 'ok')
      return `call ${index} ended well in its grace`;
  }
  return undefined;
};

const onlyValidInput: Law = (played) => {
  const wrong = played.activities.find(
    ({ index, input, parses }) => JSON.stringify(input) !== JSON.stringify({ parsed: index }) || parses !== 1,
  );
  if (wrong !== undefined)
    return `tool ${wrong.index} got ${JSON.stringify(wrong.input)} after ${wrong.parses} parses`;
  const bad = played.activities.find(({ index }) =>
    ['unknown', 'invalid', 'invalid_json', 'cut_off', 'duplicate'].includes(
      played.schedule.calls[index]?.trouble ?? '',
    ),
  );
  return bad === undefined ? undefined : `tool ${bad.index} ran, although its call can't`;
};

const once: Law = (played) => {
  const twice = played.activities.find(
    ({ index, attempt }, i) =>
      played.activities.findIndex((each) => each.index === index && each.attempt === attempt) !== i,
  );
  if (twice !== undefined) return `tool ${twice.index} ran twice`;
  const { joined } = played;
  if (joined === undefined || played.ended === 'left') return undefined;
  const tail = played.events.slice(played.events.length - joined.length);
  return joined.every((event, i) => event === tail[i]) ? undefined : 'the second observer saw another run';
};

const nothingLeft: Law = (played) => {
  if (played.ended === 'left' && played.joined !== undefined) return undefined;
  if (played.timersLeft > 0) return `${played.timersLeft} timers were left set`;
  if (played.observersLeft > 0) return `${played.observersLeft} controls were left observed`;
  const running = played.activities.filter(
    ({ index, endedAt }) =>
      endedAt === Number.POSITIVE_INFINITY && played.schedule.calls[index]?.form === 'observable',
  );
  if (running.length > 0) return `tool ${running[0]?.index} was left running`;
  // What can't be stopped is told.
  for (const { index, settled } of played.activities) {
    const told = played.late.some(({ toolUse, type }) => toolUse.id === String(index) && type === 'running');
    if (settled === undefined && played.schedule.calls[index]?.form === 'thenable' && !told) {
      return `tool ${index} still ran, and onLate was not told`;
    }
  }
  return undefined;
};

const executedIsTrue: Law = (played) => {
  const ran = new Set(played.activities.map(({ index }) => String(index)));
  const lies = ({ executed }: Outcome, id: string): boolean => (executed === 'no') === ran.has(id);
  const wrong = of(played, 'completed').find(({ outcome, toolUseId }) => lies(outcome, toolUseId));
  return wrong === undefined ? undefined : `call ${wrong.toolUseId} says executed: ${wrong.outcome.executed}`;
};

const deterministic: Law = (played) => {
  const again = play(played.schedule);
  const told = ({ events, deeds }: Played) => JSON.stringify([events, deeds]);
  return told(again) === told(played) ? undefined : 'the same schedule gave other events';
};

/** What comes of a tool that had been given up is told, once, and nothing of the rest is. */
const lateIsTold: Law = (played) => {
  const completed = byId(of(played, 'completed'));
  for (const { index, settled, endedAt } of played.activities) {
    if (played.schedule.calls[index]?.form !== 'thenable' || settled === undefined) continue;
    const told = played.late.filter(
      ({ toolUse, type }) => toolUse.id === String(index) && type !== 'running',
    ).length;
    const outcome = completed.get(String(index))?.outcome;
    const givenUp = outcome?.stopped === false && endedAt > (completed.get(String(index))?.at ?? 0);
    if (givenUp && told !== 1)
      return `what came of tool ${index} after it was given up was told ${told} times`;
    if (outcome?.code === 'ok' && told > 0) return `tool ${index} ended well and was told as late`;
  }
  return undefined;
};

/** A cascading failure stops whoever it reaches: nobody starts or ends well after it in the same turn. */
const cascade: Law = (played) => {
  if (played.schedule.siblingAbort !== 'turn') return undefined;
  const failed = of(played, 'completed').find(
    ({ toolUseId, outcome: { code, executed } }) =>
      played.schedule.calls[Number(toolUseId)]?.cascades === true &&
      (code === 'tool_error' || code === 'timeout' || (code === 'infrastructure' && executed === 'unknown')),
  );
  if (failed === undefined) return undefined;
  const after = played.events.slice(played.events.indexOf(failed) + 1);
  const started = after.find((event) => event.type === 'started');
  return started === undefined
    ? undefined
    : `${started.toolUseId} started after ${failed.toolUseId} had aborted its siblings`;
};

/** No timer outlives the call it was set for, also while the turn goes on. */
const noIdleTimer: Law = (played) =>
  played.idleTimers > 0 ? `${played.idleTimers} timers were set while nothing ran` : undefined;

/** Laws of schedules without guards, whose calls start when their places begin and run once. */
const bare =
  (law: Law): Law =>
  (played) =>
    played.schedule.guards === undefined ? law(played) : undefined;

/** Laws of what stands around the calls. */
const guarded =
  (law: Law): Law =>
  (played) =>
    played.schedule.guards === undefined ? undefined : law(played);

/** The laws of SPEC §2 that generated schedules can show; 13 belongs to the stress tests. */
export const laws: Readonly<Record<number, readonly Law[]>> = {
  1: [checker(1), oneOutcome, executedIsTrue, guarded(asking.endsAsDrawn)],
  2: [checker(2), bare(sameBytes)],
  3: [checker(3), bare(exclusion), guarded(places.placesExclude), guarded(places.rewrittenRunAlone)],
  4: [
    checker(4),
    ...[noIdleWaiting, limits, asPredicted].map(bare),
    ...[waitsForAReason, places.slotsHold].map(guarded),
  ],
  5: [context],
  6: [parentUntouched, cascade],
  7: [checker(7), discardIsWhole, guarded(asking.nothingAfterStop)],
  8: [bare(graceIsKept), guarded(attempts.clocksHold)],
  9: [
    decisions.hooksHold,
    decisions.permissionHolds,
    decisions.askedOnlyIfNeeded,
    decisions.classifierFirst,
    decisions.deniedForAReason,
    decisions.restIsDenied,
    asking.promptsInLine,
  ].map(guarded),
  10: [bare(onlyValidInput), ...[decisions.freshParse, decisions.seenInOrder].map(guarded)],
  11: [
    once,
    ...[asking.hooksInOrder, asking.hooksBehind, asking.hooksBehindTurn].map(guarded),
    ...[attempts.attemptsAreSafe, attempts.worthAnother, attempts.durationsAddUp].map(guarded),
  ],
  12: [
    ...[nothingLeft, noIdleTimer, bare(lateIsTold)],
    ...[asking.signalsAreTrue, attempts.poolIsFree, attempts.promptsAreFree].map(guarded),
  ],
  14: [checker(14), deterministic],
};

/** The first law a schedule breaks, in words. */
export const brokenLaw = (schedule: Schedule, only?: number): string | undefined => {
  const played = play(schedule);
  for (const [law, questions] of Object.entries(laws)) {
    if (only !== undefined && Number(law) !== only) continue;
    for (const question of questions) {
      const wrong = question(played);
      if (wrong !== undefined) return `law ${law}: ${wrong.replace(/^law \d+: /, '')}`;
    }
  }
  return undefined;
};
