import {
  callOf,
  changedBetween,
  guardsOf,
  hookFate,
  isBroken,
  isSafeInput,
  needOf,
  rulesAt,
  variantOf,
} from './fate.js';
import type { Variant } from './guardSpecs.js';
import { promptOf } from './guards.js';
import type { Played } from './play.js';
import { deedsOf, firstWrong, type Law, of, ofCall, placed, runsOf } from './run.js';
import type { Activity } from './tools.js';
import type { Deed } from './witness.js';

const firstRuns = ({ activities }: Played): readonly Activity[] =>
  activities.filter(({ attempt }) => attempt === 1);

/** Law 9: whatever denies a call by its hooks, no part of it ever starts. */
export const hooksHold: Law = (played) =>
  firstWrong(firstRuns(played), ({ index, seq }) => {
    const fate = hookFate(played, index);
    if (fate.decision === 'deny' || fate.decision === 'failed' || fate.decision === 'defer')
      return `tool ${index} ran, although ${fate.by} says ${fate.decision}`;
    const { pre } = guardsOf(played);
    const asked = deedsOf(played, index, 'pre').filter((deed) => deed.untilSeq < seq);
    return asked.length === pre ? undefined : `tool ${index} ran after ${asked.length} of ${pre} hooks`;
  });

/** An answer that allows a call, for the input it was about, and under the rules it was asked under. */
const approves =
  (played: Played, variant: Variant) =>
  (deed: Deed): boolean => {
    if (deed.how !== 'answered' || changedBetween(played, deed.seq, deed.untilSeq, deed)) return false;
    const { guards } = callOf(played, deed.index);
    const act = deed.what === 'prompt' ? promptOf(guards.prompts, deed.round) : guards.request;
    if (act.does !== 'allow' || (deed.what === 'request' && isBroken(act))) return false;
    const written = act.rewrites === undefined ? variantOf(deed.input) : deed.what === 'prompt' ? 'p' : 'q';
    return written === variant;
  };

/** Law 9, SPEC §10: what runs is allowed by rules, tool, mode and classifier, or by an answer that was about it. */
export const permissionHolds: Law = (played) =>
  firstWrong(firstRuns(played), ({ index, seq, input }) => {
    const variant = variantOf(input);
    const answers = deedsOf(played, index, 'prompt', 'request').filter((deed) => deed.untilSeq < seq);
    const approvals = answers.filter(approves(played, variant));
    const needs = [undefined, ...approvals].map((approval) => ({
      approval,
      need: needOf(played, index, variant, rulesAt(played, seq, approval)),
    }));
    const isAllowed = needs.some(({ approval, need }) => {
      if (need === 'allow') return true;
      if (need === 'deny' || approval === undefined) return false;
      // A hook's answer for input of its own does not stand for what only a person may allow.
      const isOwn = variantOf(approval.input) !== variant;
      return approval.what === 'prompt' || need === 'soft' || !isOwn;
    });
    if (isAllowed) return undefined;
    return `tool ${index} ran with the input of ${variant}, which ${needs.map(({ need }) => need).join(', ')}`;
  });

/** A person, or a hook in their stead, is asked only what nothing else decides. */
export const askedOnlyIfNeeded: Law = (played) =>
  firstWrong(
    played.deeds.filter(({ what }) => what === 'prompt' || what === 'request'),
    ({ index, input, seq, what }) => {
      const need = needOf(played, index, variantOf(input), rulesAt(played, seq));
      // Hooks may hear of what has been decided meanwhile: one after another is asked.
      if (need === 'hard' || need === 'soft') return undefined;
      return `call ${index} was asked about (${what}), although its rules say ${need}`;
    },
  );

/** A prompt a classifier could spare waits for it. */
export const classifierFirst: Law = (played) =>
  firstWrong(
    played.deeds.filter(({ what }) => what === 'prompt' || what === 'request'),
    ({ index, input, seq }) => {
      const variant = variantOf(input);
      if (needOf(played, index, variant, rulesAt(played, seq)) !== 'soft') return undefined;
      const pending = deedsOf(played, index, 'classify').find(
        (deed) => variantOf(deed.input) === variant && deed.seq < seq && deed.untilSeq > seq,
      );
      return pending && `call ${index} was asked about while its classifier was`;
    },
  );

/** Law 10: what `call` gets comes from the last parse there was, of exactly the input decided on. */
export const freshParse: Law = (played) =>
  firstWrong(played.activities, ({ index, seq, input }) => {
    const parses = deedsOf(played, index, 'parse').filter((deed) => deed.seq < seq);
    const last = parses.at(-1);
    const { serial } = input as { readonly serial: number };
    if (last?.seq !== serial) return `tool ${index} got what was not parsed last`;
    const { trouble } = callOf(played, index);
    if (['unknown', 'invalid_json', 'cut_off', 'duplicate'].includes(trouble))
      return `tool ${index} ran, although its call can't`;
    const written = writers(played, index, seq);
    if (variantOf(last.input) !== written.at(-1))
      return `tool ${index} ran with the input of ${variantOf(last.input)}, the last was ${written.at(-1)}`;
    return parses.length === written.length
      ? undefined
      : `tool ${index} ran after ${parses.length} parses of ${written.join(' ')}`;
  });

/** Who wrote input for a call that was parsed, in order. */
const writers = (played: Played, index: number, seq: number): readonly Variant[] => {
  const fate = hookFate(played, index);
  const answers = deedsOf(played, index, 'prompt', 'request').filter((deed) => deed.untilSeq < seq);
  const repairs = deedsOf(played, index, 'repair').filter(
    (deed) =>
      deed.how === 'answered' && ['valid', 'invalid'].includes(callOf(played, index).guards.repair.does),
  );
  return [
    'm' as const,
    ...repairs.map(() => 'r' as const),
    ...(fate.variant.startsWith('h') ? [fate.variant] : []),
    ...answers.flatMap((deed): readonly Variant[] => {
      const { guards } = callOf(played, index);
      const act = deed.what === 'prompt' ? promptOf(guards.prompts, deed.round) : guards.request;
      if (deed.how !== 'answered' || act.does !== 'allow' || act.rewrites === undefined) return [];
      if (changedBetween(played, deed.seq, deed.untilSeq, deed)) return [];
      if (deed.what === 'prompt') return ['p'];
      return isBroken(act) ? [] : ['q'];
    }),
  ];
};

/** Everybody sees the input as those before have left it. */
export const seenInOrder: Law = (played) =>
  firstWrong(
    played.deeds.filter(({ what }) => ['check', 'prompt', 'request', 'post', 'post-failure'].includes(what)),
    ({ what, index, input, seq }) => {
      const expected = writers(played, index, seq).at(-1);
      return variantOf(input) === expected
        ? undefined
        : `${what} of call ${index} saw the input of ${variantOf(input)}, the last was ${expected}`;
    },
  );

/** A denial names who denied, and who it names has. */
export const deniedForAReason: Law = (played) =>
  firstWrong(placed(played, 'completed'), ({ event: { outcome, toolUseId }, seq }) => {
    const index = Number(toolUseId);
    const { code, by } = outcome;
    if (code !== 'hook_denied' && code !== 'hook_failed' && code !== 'denied') return undefined;
    const wrong = `call ${index} is ${code} by ${JSON.stringify(by)}`;
    const fate = hookFate(played, index);
    const { guards } = callOf(played, index);
    const turn = guardsOf(played);
    const prompt = deedsOf(played, index, 'prompt').at(-1);
    const answers = promptOf(guards.prompts, prompt?.round ?? 0);
    const { mode, rules } = rulesAt(played, seq);
    const holds = (): boolean => {
      if (code === 'hook_denied')
        return by?.type === 'hook' && by.hook === fate.by && ['deny', 'defer'].includes(fate.decision);
      if (code === 'hook_failed')
        return (
          by?.type === 'hook' && (by.hook === 'q' ? isBroken(guards.request) : fate.decision === 'failed')
        );
      if (by?.type === 'hook') return ['deny', 'interrupt'].includes(guards.request.does);
      if (by?.type === 'mode') return mode === by.mode && (mode === 'plan' || mode === 'dontAsk');
      if (by?.type === 'rule')
        return rules.some(
          (rule) => rule.index === index && rule.behavior === 'deny' && by.rule.startsWith(`tool${index}`),
        );
      if (by?.type === 'tool')
        return (
          ['deny', 'throw', 'rubbish'].includes(guards.check?.says ?? '') ||
          guards.check?.ms === Number.POSITIVE_INFINITY
        );
      if (by?.type === 'callback') return prompt?.how === 'answered' && answers.does !== 'allow';
      if (by?.type === 'nobody') return !turn.canUseTool || ofCall(played, index, 'permission').length > 8;
      if (by?.type === 'limit')
        return outcome.durations.permission >= (turn.permissionMs ?? Number.POSITIVE_INFINITY);
      if (by?.type !== 'call') return false;
      const first = of(played, 'completed').find((each) => each.toolUseId === by.toolUseId);
      return (
        turn.onDeny === 'rest-of-turn' && first?.outcome.code === 'denied' && Number(by.toolUseId) < index
      );
    };
    return holds() ? undefined : wrong;
  });

/** With `rest-of-turn` nothing behind a denied call starts any more. */
export const restIsDenied: Law = (played) => {
  if (guardsOf(played).onDeny !== 'rest-of-turn') return undefined;
  const denial = placed(played, 'permission').find(
    ({ event: { decision, toolUseId } }) =>
      decision === 'deny' &&
      of(played, 'completed').some(
        (each) =>
          each.toolUseId === toolUseId && each.outcome.code === 'denied' && each.outcome.by?.type !== 'call',
      ),
  );
  if (denial === undefined) return undefined;
  const first = Number(denial.event.toolUseId);
  const late = firstRuns(played).find(({ index, seq }) => index > first && seq > denial.seq);
  return late && `tool ${late.index} ran after call ${first} had been denied`;
};

/** A call whose hooks have agreed on other input is safe as that input is, and never becomes safe again. */
export const runsAsSafe = (played: Played, index: number): boolean => {
  const queued = of(played, 'queued').find(({ toolUseId }) => toolUseId === String(index));
  if (queued?.isConcurrencySafe !== true) return false;
  const { trouble } = callOf(played, index);
  return deedsOf(played, index, 'parse')
    .slice(1)
    .every(
      (deed) =>
        deed.how !== 'answered' ||
        !isValid(deed.input) ||
        (isSafeInput(deed.input) && trouble !== 'predicate-throws'),
    );
};

export const isValid = (input: unknown): boolean => typeof (input as { readonly n: unknown }).n === 'number';

export const ranUnsafe = (played: Played): readonly Activity[] =>
  played.activities.filter(({ index }) => !runsAsSafe(played, index));

export const attemptsOf = runsOf;
