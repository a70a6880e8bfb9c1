import type { Call } from '../call/call.js';
import { messageOf } from '../results/json.js';
import { freezeData } from './frozen.js';
import type { Turn } from './turn.js';

/** Applies what a batch's calls change, in call order, whatever finished first (law 5). */
export const applyModifiers = (turn: Turn, calls: readonly Call[]): void => {
  const before = turn.context;
  for (const call of [...calls].sort((a, b) => a.index - b.index)) {
    try {
      turn.context = call.modifyContext?.(turn.context as never);
    } catch (error) {
      turn.anomaly('context_modifier_failed', `modifyContext threw: ${messageOf(error)}`, call);
    }
  }
  if (turn.context === before) return;
  freezeData(turn.context);
  turn.out.next({ type: 'context', at: turn.now(), context: turn.context });
};
