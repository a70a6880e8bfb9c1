import { runsAsSafe } from './decisions.js';
import { callOf, guardsOf } from './fate.js';
import type { Played } from './play.js';
import {
  deedsOf,
  firstWrong,
  type Law,
  ofCall,
  over,
  placed,
  queuedIndexes,
  runsOf,
  stoppedAt,
} from './run.js';
import type { Activity } from './tools.js';

/** When the tool of a call had ended for its call, whatever hooks came behind it. */
export const toolEnd = (played: Played, index: number): number => {
  const [post] = deedsOf(played, index, 'post', 'post-failure');
  return post?.at ?? ofCall(played, index, 'completed').at(-1)?.event.at ?? Number.POSITIVE_INFINITY;
};

/** Attempts: numbered, as many as allowed, each after the one before; only what may be repeated is. */
export const attemptsAreSafe: Law = (played) =>
  firstWrong(queuedIndexes(played), (index) => {
    const runs = runsOf(played, index);
    const { retry } = callOf(played, index).guards;
    if (runs.length > (retry?.maxAttempts ?? 1)) return `tool ${index} was called ${runs.length} times`;
    return firstWrong(runs.slice(1), (run) => {
      const before = runs[run.attempt - 2];
      return before === undefined
        ? `attempt ${run.attempt} of call ${index} is none`
        : wrongRepeat(played, before, run);
    });
  });

const wrongRepeat = (played: Played, before: Activity, run: Activity): string | undefined => {
  const { index } = run;
  const { retry } = callOf(played, index).guards;
  const named = `attempt ${run.attempt} of call ${index}`;
  const failed = ofCall(played, index, 'attempt-failed').find(
    ({ event }) => event.attempt === before.attempt,
  );
  if (failed === undefined || retry === undefined) return `${named} without a failure before it`;
  const safe = runsAsSafe(played, index);
  const lapsed = failed.event.by?.type === 'limit';
  if (!lapsed && !before.transient) return `${named} after a failure that will not pass`;
  if (lapsed && (!safe || failed.event.at !== before.calledAt + (retry.attemptTimeoutMs ?? Number.NaN)))
    return `${named} after its limit of ${retry.attemptTimeoutMs}`;
  if (!safe && (!retry.idempotent || retry.unknown)) return `${named}, which may not be repeated`;
  if (!lapsed && before.endedSeq > run.seq) return `${named} over the one before`;
  const full = Math.min(retry.initialMs * 2 ** (before.attempt - 1), 5);
  const delay = Math.round(full * (1 - retry.jitter * guardsOf(played).random));
  if (failed.event.delayMs !== delay) return `${named} after ${failed.event.delayMs} ms, expected ${delay}`;
  const due = failed.event.at + delay;
  const waited = ofCall(played, index, 'waiting').some(
    ({ event, seq }) =>
      seq > failed.seq && seq < run.seq && ['limit', 'pool', 'batch'].includes(event.reason),
  );
  return run.calledAt < due || (run.calledAt > due && !waited)
    ? `${named} at ${run.calledAt}, due at ${due}`
    : undefined;
};

/** What may pass is tried again, where that is safe and nothing has stopped it. */
export const worthAnother: Law = (played) => {
  const stop = stoppedAt(played);
  return firstWrong(placed(played, 'completed'), ({ event: { outcome, toolUseId }, seq }) => {
    const index = Number(toolUseId);
    const last = runsOf(played, index).at(-1);
    const { retry } = callOf(played, index).guards;
    if (outcome.code !== 'tool_error' && outcome.code !== 'infrastructure') return undefined;
    if (last?.transient !== true || retry === undefined || seq > stop) return undefined;
    const may = runsAsSafe(played, index) || (retry.idempotent && !retry.unknown);
    const isLeft = last.attempt < retry.maxAttempts;
    return may && isLeft ? `call ${index} ended as ${outcome.code} after attempt ${last.attempt}` : undefined;
  });
};

/** The call's own clock bounds all its attempts; that of silence bounds each. */
export const clocksHold: Law = (played) =>
  firstWrong(queuedIndexes(played), (index) => {
    const runs = runsOf(played, index);
    const [first] = runs;
    const spec = callOf(played, index);
    if (first === undefined || ofCall(played, index, 'completed').length === 0) return undefined;
    const grace = spec.graceMs ?? (runsAsSafe(played, index) ? 0 : 2000);
    const total = first.calledAt + (spec.timeoutMs ?? 300);
    const stopping = ofCall(played, index, 'stopping')[0]?.event;
    const asked = stopping?.at ?? Number.POSITIVE_INFINITY;
    const end = toolEnd(played, index);
    if (end > Math.min(total, asked) + grace)
      return `tool ${index} ran until ${end}, its limit came at ${total}`;
    if (runs.some(({ calledAt }) => calledAt > total))
      return `tool ${index} was called again after its limit`;
    if (end > total && asked > total) return `tool ${index} was not asked to stop at ${total}`;
    if (stopping?.cause.type === 'limit' && stopping.cause.limit === 'timeout' && stopping.at !== total)
      return `tool ${index} ran into its limit at ${stopping.at}, due at ${total}`;
    return firstWrong(runs, (run) => {
      const failed = ofCall(played, index, 'attempt-failed').find(
        ({ event }) => event.attempt === run.attempt,
      );
      const until = Math.min(end, run.endedAt, failed?.event.at ?? Number.POSITIVE_INFINITY);
      return wrongSilence(played, run, until, asked);
    });
  });

const wrongSilence = (played: Played, run: Activity, end: number, asked: number): string | undefined => {
  const { guards } = callOf(played, run.index);
  // Progress comes with the call, if at all.
  const idle = run.calledAt + (guards.idleMs ?? Number.POSITIVE_INFINITY);
  const attempt = run.calledAt + (guards.retry?.attemptTimeoutMs ?? Number.POSITIVE_INFINITY);
  const limit = Math.min(idle, attempt);
  return end > limit && asked > limit ? `tool ${run.index} was not asked to stop at ${limit}` : undefined;
};

/** What a call says it spent its time on is what it did; the parts lie side by side. */
export const durationsAddUp: Law = (played) =>
  firstWrong(placed(played, 'completed'), ({ event: { at, outcome, toolUseId } }) => {
    const index = Number(toolUseId);
    const { durations } = outcome;
    const clip = (until: number): number => Math.min(until, at);
    const hooks = deedsOf(played, index, 'pre', 'post', 'post-failure')
      .filter((deed) => deed.at <= at)
      .reduce((sum, deed) => sum + clip(deed.until) - deed.at, 0);
    if (durations.hooks !== hooks)
      return `call ${index} says ${durations.hooks} ms of hooks, it was ${hooks}`;
    const [first] = runsOf(played, index);
    const running = first === undefined ? 0 : clip(toolEnd(played, index)) - first.calledAt;
    if (durations.running !== running)
      return `call ${index} says it ran ${durations.running} ms, it was ${running}`;
    const total = at - (ofCall(played, index, 'queued')[0]?.event.at ?? at);
    const sum = durations.queued + durations.hooks + durations.permission + durations.running;
    const others = ofCall(played, index, 'waiting').some(({ event }) =>
      ['validation', 'exclusive', 'batch', 'limit', 'pool'].includes(event.reason),
    );
    return sum > total || (sum < total && !others)
      ? `call ${index} says ${sum} ms in all, it was ${total}`
      : undefined;
  });

export const promptsAreFree: Law = (played) =>
  played.promptsFree ? undefined : 'a prompt of the turn stands in the way of others';

export const poolIsFree: Law = (played) =>
  over(played) && played.poolLeft > 0 ? `${played.poolLeft} slots of the pool are still held` : undefined;
