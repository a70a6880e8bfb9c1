import { isValid } from './decisions.js';
import { callOf, guardsOf, hookFate } from './fate.js';
import { hookTimeoutMs } from './guardSpecs.js';
import { replacement } from './guards.js';
import {
  deedsOf,
  firstWrong,
  type Law,
  of,
  ofCall,
  over,
  placed,
  queuedIndexes,
  runsOf,
  stoppedAt,
} from './run.js';
import type { Deed } from './witness.js';

/** Hooks are asked in order, each once about a call, with time of their own. */
export const hooksInOrder: Law = (played) =>
  firstWrong(queuedIndexes(played), (index) => {
    const pre = deedsOf(played, index, 'pre');
    const names = pre.map(({ who }) => who).join(' ');
    const wrong = `hooks of call ${index}: `;
    if (names !== ['', 'h0', 'h0 h1'][pre.length]) return `${wrong}asked ${names}`;
    const [first, second] = pre;
    if (first !== undefined && second !== undefined && second.seq < first.untilSeq)
      return `${wrong}asked together`;
    const post = deedsOf(played, index, 'post', 'post-failure');
    if (post.length > 1) return `${wrong}asked ${post.length} times behind it`;
    const slow = [...pre, ...post, ...deedsOf(played, index, 'request')].find(
      ({ at, until }) => Math.min(until, played.endedAt) - at > hookTimeoutMs,
    );
    return slow && `${wrong}${slow.who} was waited for longer than its limit`;
  });

/** Hooks behind a call hear of it where its tool ended by itself, and what they put in its place is shown. */
export const hooksBehind: Law = (played) => {
  if (!guardsOf(played).post) return undefined;
  const stop = stoppedAt(played);
  return firstWrong(placed(played, 'completed'), ({ event: { outcome, toolUseId }, seq }) => {
    const index = Number(toolUseId);
    // Discarded in the middle of them, they are left.
    if (outcome.code === 'discarded') return undefined;
    const [deed] = deedsOf(played, index, 'post', 'post-failure');
    const expected = runsOf(played, index).length === 0 ? undefined : pointOf(outcome.code);
    if (deed !== undefined && deed.what !== expected)
      return `${deed.what} hooks of ${outcome.code} call ${index}`;
    if (deed === undefined) {
      return expected === undefined || stop < seq ? undefined : `no ${expected} hooks of call ${index}`;
    }
    const { post } = callOf(played, index).guards;
    if (deed.what !== 'post' || deed.how !== 'answered' || post.does === 'throw' || post.does === 'rubbish')
      return undefined;
    // Stopped by whoever heard its answer, before that was put in place.
    if (stop > deed.untilSeq && stop < seq) return undefined;
    const shown = of(played, 'result').find((each) => each.toolUseId === toolUseId);
    if (shown === undefined || shown.synthetic) return undefined;
    const isReplaced = shown.block.content === replacement;
    return isReplaced === (post.rewrites !== undefined)
      ? undefined
      : `call ${index} shows ${JSON.stringify(shown.block.content)}`;
  });
};

const pointOf = (code: string): Deed['what'] | undefined => {
  if (code === 'ok') return 'post';
  return ['tool_error', 'timeout', 'infrastructure'].includes(code) ? 'post-failure' : undefined;
};

/** The hooks behind a turn are asked once, when every call has ended. */
export const hooksBehindTurn: Law = (played) => {
  const deeds = deedsOf(played, -1, 'batch');
  const results = placed(played, 'result');
  const isDue = guardsOf(played).batch !== undefined && results.length > 0 && over(played);
  const isStopped = stoppedAt(played) < Number.POSITIVE_INFINITY;
  if (deeds.length > 1 || (deeds.length === 0 && isDue && !isStopped))
    return `the hooks behind the turn were asked ${deeds.length} times`;
  return deeds.some(({ seq }) => results.some((each) => each.seq > seq))
    ? 'a result after the hooks behind the turn'
    : undefined;
};

/** One prompt at a time, and of those waiting the earliest call's first. */
export const promptsInLine: Law = (played) => {
  const prompts = played.deeds.filter(({ what }) => what === 'prompt');
  return firstWrong(prompts, (prompt) => {
    const { index, seq } = prompt;
    const open = prompts.find((each) => each.seq < seq && each.untilSeq > seq);
    if (open !== undefined) return `call ${index} was asked about while call ${open.index} was`;
    const earlier = queuedIndexes(played).find(
      (other) => other < index && waitsForPrompt(played, other, seq),
    );
    return earlier === undefined
      ? undefined
      : `call ${index} was asked about before call ${earlier}, which waited`;
  });
};

/** It has asked, no hook of its is in the way, and nobody has been shown it. */
const waitsForPrompt = (played: Parameters<Law>[0], index: number, seq: number): boolean => {
  const last = ofCall(played, index, 'permission')
    .filter((each) => each.seq < seq)
    .at(-1);
  if (last?.event.phase !== 'asked' || ofCall(played, index, 'completed').some((each) => each.seq < seq))
    return false;
  // Allowed by a rule that came while it stood in line: it waits for a slot, and that is what it says.
  const isForSlot = ofCall(played, index, 'waiting').some(
    ({ seq: at, event }) => at > last.seq && at < seq && ['limit', 'pool'].includes(event.reason),
  );
  if (isForSlot) return false;
  const since = deedsOf(played, index, 'prompt', 'request', 'check').filter(
    (deed) => deed.seq > last.seq && deed.seq < seq,
  );
  if (guardsOf(played).request && since.every(({ what }) => what !== 'request')) return false;
  return since.every(({ what, untilSeq }) => what === 'request' && untilSeq < seq && isSilent(played, index));
};

const isSilent = (played: Parameters<Law>[0], index: number): boolean => {
  const { request } = callOf(played, index).guards;
  if (request.ms > hookTimeoutMs || request.does === 'throw' || request.does === 'rubbish')
    return guardsOf(played).onFailure === 'continue';
  return request.does === 'nothing';
};

/** Nothing is asked or started for a turn that was stopped; only what was running is seen to its end. */
export const nothingAfterStop: Law = (played) => {
  const stop = stoppedAt(played);
  const late = played.deeds.find(({ what, seq, index }) => {
    if (seq < stop || what === 'change' || what === 'post' || what === 'post-failure') return false;
    return (
      what !== 'parse' ||
      played.events.some(
        (event, i) =>
          event.type === 'queued' && event.toolUseId === String(index) && (played.seqs[i] as number) < seq,
      )
    );
  });
  if (late !== undefined) return `${late.what} of call ${late.index} after the turn had been stopped`;
  const discards = placed(played, 'tombstone').map(({ seq }) => seq);
  const post = played.deeds.find(
    ({ what, seq }) => what.startsWith('post') && seq > Math.min(...discards, played.leftSeq),
  );
  if (post !== undefined) return `${post.what} of call ${post.index} after the discard`;
  const started = played.activities.find(
    ({ seq, attempt, index }) =>
      seq > stop && !(attempt > 1 && callOf(played, index).onInterrupt === 'finish'),
  );
  return started && `tool ${started.index} was called after the turn had been stopped`;
};

/** Whoever is not waited for any more is told so, and nobody else is. */
export const signalsAreTrue: Law = (played) => {
  if (played.ended === 'never') return undefined;
  return firstWrong(played.deeds, ({ what, who, index, how, signal, until }) => {
    const named = `${what} (${who}) of call ${index}`;
    // A schema has no signal; its answer is dropped.
    if (how === 'open') return what === 'parse' ? undefined : `${named} is still waited for`;
    if (until > played.endedAt && what !== 'parse' && what !== 'change')
      return `${named} was left after the end`;
    if (signal === undefined) return undefined;
    return signal.aborted === (how === 'left')
      ? undefined
      : `the signal of ${named}, ${how}, is ${signal.aborted ? '' : 'not '}aborted`;
  });
};

/** A call ends for the reason that its hooks and its input give, where nothing has stopped it before. */
export const endsAsDrawn: Law = (played) =>
  firstWrong(placed(played, 'completed'), ({ event: { outcome, toolUseId } }) => {
    const index = Number(toolUseId);
    const { trouble } = callOf(played, index);
    if (outcome.code !== 'invalid_input') return undefined;
    const fate = hookFate(played, index);
    const parses = deedsOf(played, index, 'parse');
    const isRefused = !fate.valid || parses.some(({ input }) => !isValid(input));
    return isRefused || trouble === 'invalid' ? undefined : `call ${index} is invalid_input, and was valid`;
  });
