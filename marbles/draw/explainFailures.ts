import type { Cause, OutcomeCode } from '../../src/contract/outcome.js';
import type { CallLane, Mark, Run } from '../model/run.js';
import { roundDuration } from './duration.js';
import { brief, limitOf } from './explainStops.js';
import type { Explanation } from './explanation.js';
import type { Naming } from './naming.js';
import { outcomeWords } from './outcomeWords.js';

/** What failed by itself: attempts, calls, and calls that were refused. */
export const explainFailures = (run: Run, naming: Naming): readonly Explanation[] => {
  const told = new Set(
    run.causes.map((cause) =>
      cause.type === 'sibling-abort' && cause.by?.type === 'call' ? cause.by.toolUseId : '',
    ),
  );
  return run.calls.flatMap((lane) => [
    ...attemptsOf(lane, naming),
    ...(told.has(lane.toolUseId) ? [] : endOf(lane, naming)),
  ]);
};

type FailedAttempt = Extract<Mark, { readonly type: 'attempt-failed' }>;

/**
 * One line a call: the last attempt that timed out, else the last that failed, with the others in brackets.
 */
const attemptsOf = (lane: CallLane, naming: Naming): readonly Explanation[] => {
  const failed = lane.marks.filter((mark): mark is FailedAttempt => mark.type === 'attempt-failed');
  const main = failed.findLast(({ glyph }) => glyph === '@') ?? failed.at(-1);
  if (!main) return [];
  const others = failed.filter((mark) => mark !== main);
  const listed = others.slice(-3).map((mark) => `attempt ${mark.attempt}: ${reasonOf(mark)}`);
  const brackets = listed.length > 0 ? ` (${listed.join('; ')})` : '';
  const what = main.glyph === '@' ? `ran into ${limitOf(main.by)}` : `failed: ${reasonOf(main)}`;
  const text = `${naming.number(lane.toolUseId)} attempt ${main.attempt} ${what}${brackets}`;
  return [{ glyph: main.glyph, at: main.at, text }];
};

const reasonOf = ({ message, delayMs, glyph, by }: FailedAttempt): string =>
  `${glyph === '@' ? `ran into ${limitOf(by)}` : brief(message)}, back-off ${roundDuration(delayMs)}`;

const refusals: ReadonlySet<OutcomeCode> = new Set<OutcomeCode>([
  'unknown_tool',
  'invalid_json',
  'invalid_input',
  'cut_off',
  'denied',
  'hook_denied',
  'hook_failed',
]);

const endOf = (lane: CallLane, naming: Naming): readonly Explanation[] => {
  const { outcome, endedAt } = lane;
  if (!outcome || outcome.code === 'ok' || endedAt === undefined) return [];
  const reason = outcome.error?.message ? `: ${brief(outcome.error.message)}` : '';
  if (refusals.has(outcome.code)) {
    const text = `${naming.full(lane)} ${outcomeWords[outcome.code]}${byWhom(outcome.by, naming)}${reason}`;
    return [{ glyph: 'x', at: endedAt, text }];
  }
  if (outcome.code !== 'tool_error' && outcome.code !== 'infrastructure') return [];
  return reason === '' ? [] : [{ glyph: '#', at: endedAt, text: `${naming.full(lane)} failed${reason}` }];
};

const byWhom = (by: Cause | undefined, naming: Naming): string => {
  switch (by?.type) {
    case 'call':
      return ` with ${naming.number(by.toolUseId)}`;
    case 'limit':
      return ` by ${limitOf(by)}`;
    case 'rule':
      return ` (rule ${brief(by.rule)})`;
    case 'hook':
      return ` (hook ${brief(by.hook)})`;
    case 'mode':
      return ` (mode ${brief(by.mode)})`;
    case 'callback':
      return ` (${brief(by.callback)})`;
    default:
      return '';
  }
};
