import type { WaitReason } from '../../src/contract/events.js';
import type { Run, Wait } from '../model/run.js';
import { duration } from './duration.js';
import type { Explanation } from './explanation.js';
import type { Naming } from './naming.js';

/**
 * Why calls waited for their turn, in the scheduler's words; in call order. Rows show hooks, permissions
 * and back-offs.
 */
export const explainWaits = (run: Run, naming: Naming): readonly Explanation[] =>
  run.calls.flatMap((lane) =>
    merged(lane.waits).flatMap((wait): readonly Explanation[] => {
      const why = waitWords(wait, naming);
      if (why === undefined) return [];
      const length = duration(wait.to - wait.from);
      return [
        { glyph: '.', at: wait.from, text: `${naming.number(lane.toolUseId)} waited ${length}: ${why}` },
      ];
    }),
  );

/** A scheduler may say again why a call waits, with fewer calls left: still one wait. */
const merged = (waits: readonly Wait[]): readonly Wait[] => {
  const result: Wait[] = [];
  for (const wait of waits) {
    const last = result.at(-1);
    if (last?.reason !== wait.reason || last.to !== wait.from) {
      result.push(wait);
      continue;
    }
    const on = [...new Set([...last.on, ...wait.on])];
    const count = Math.max(last.count, wait.count, on.length);
    result[result.length - 1] = { ...last, to: wait.to, on, count };
  }
  return result;
};

/** What a call waits for; nothing where its row shows that. */
export const waitWords = (
  { reason, on, count }: Pick<Wait, 'reason' | 'on' | 'count'>,
  naming: Naming,
): string | undefined => {
  const texts: Partial<Record<WaitReason, (calls: string) => string>> = {
    exclusive: (calls) => `alone, needs ${calls || 'those before it'} ended`,
    batch: (calls) => `behind ${calls || 'an unsafe call'}`,
    limit: (calls) => `no free slot${calls && `, taken by ${calls}`}`,
    pool: (calls) => `no free slot in the pool${calls && `, taken by ${calls}`}`,
    message: () => 'until the message has ended',
    validation: (calls) => `until ${calls ? `the input of ${calls}` : 'its input'} is checked`,
    settling: () => 'tools of an abandoned attempt have not stopped',
  };
  return texts[reason]?.(naming.list(on, Math.max(count, on.length)));
};
