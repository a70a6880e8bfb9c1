import type { Cause } from '../../src/contract/outcome.js';
import type { CallLane, Run, TurnCause } from '../model/run.js';
import { roundDuration } from './duration.js';
import type { Explanation } from './explanation.js';
import { harmless } from './harmless.js';
import type { Naming } from './naming.js';

/** One line a cause that ended calls: who stopped whom, and which limits lapsed. */
export const explainStops = (run: Run, naming: Naming): readonly Explanation[] => {
  const lanes = new Map(run.calls.map((lane) => [lane.toolUseId, lane]));
  return run.causes.flatMap((cause): readonly Explanation[] => {
    if (cause.type !== 'timeout') {
      return [
        { glyph: '!', at: cause.at, text: `${headOf(cause, lanes, naming)}: ${effectsOf(cause, naming)}` },
      ];
    }
    // Attempts are told together with the attempts before them.
    if (cause.attempt !== undefined) return [];
    return [
      { glyph: '@', at: cause.at, text: `${naming.number(cause.toolUseId)} ran into ${limitOf(cause.by)}` },
    ];
  });
};

/** `its 500ms limit`. */
export const limitOf = (by: Cause | undefined): string => {
  if (by?.type !== 'limit') return 'its limit';
  return `its ${roundDuration(by.ms)} ${by.limit === 'idle' ? 'idle ' : ''}limit`;
};

type Stop = Exclude<TurnCause, { readonly type: 'timeout' }>;

const headOf = (cause: Stop, lanes: ReadonlyMap<string, CallLane>, naming: Naming): string => {
  if (cause.type === 'discard') return cause.reason ? `discarded (${brief(cause.reason)})` : 'discarded';
  const { by } = cause;
  if (cause.type === 'interruption') {
    if (by?.type === 'user') return `interrupted by the user (${brief(by.reason)})`;
    return by?.type === 'signal' ? `stopped by the caller (${brief(by.reason)})` : 'interrupted';
  }
  if (by?.type !== 'call') return 'siblings aborted';
  const lane = lanes.get(by.toolUseId);
  return `${lane ? naming.full(lane) : naming.number(by.toolUseId)} failed and aborts siblings`;
};

const effectsOf = (cause: Stop, naming: Naming): string => {
  const effects = [
    { ids: cause.type === 'discard' ? cause.withdrawn : [], what: 'withdrawn' },
    { ids: cause.stopped, what: 'stopped' },
    { ids: cause.lapsed, what: 'given up when the grace lapsed' },
    { ids: cause.notRun, what: 'answered without running' },
  ];
  const told = effects
    .filter(({ ids }) => ids.length > 0)
    .map(({ ids, what }) => `${naming.list(ids)} ${what}`);
  return told.length > 0 ? told.join(', ') : 'no call was left';
};

/** Someone else's words, harmless and not too many. */
export const brief = (text: string): string => {
  const shown = harmless(String(text).slice(0, 121));
  return text.length > 120 ? `${shown.slice(0, -1)}..` : shown;
};
