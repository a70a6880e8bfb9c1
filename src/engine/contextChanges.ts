import type { Call } from '../call/call.js';
import { freezeData } from '../call/frozen.js';
import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import type { Turn } from './turn.js';

/** Applies what a batch's calls change, in call order, whatever finished first (law 5). */
export const applyModifiers = (turn: Turn, calls: readonly Call[]): void => {
  const before = turn.context;
  for (const call of [...calls].sort((a, b) => a.index - b.index)) {
    try {
      const changed = call.modifyContext?.(turn.context as never);
      if (disown(changed)) throw new TypeError('it answered with a promise; the context stays as it was');
      if (changed === undefined) throw new TypeError('it returned nothing; the context stays as it was');
      // Frozen while it can still be refused: reading all of it may throw.
      turn.context = freezeData(changed);
    } catch (error) {
      turn.anomaly('context_modifier_failed', `modifyContext failed: ${messageOf(error)}`, call);
    }
  }
  // A modification may itself have had the attempt abandoned.
  if (turn.context === before || turn.discardCause !== undefined) return;
  turn.out.next({ type: 'context', at: turn.now(), context: turn.context });
};
