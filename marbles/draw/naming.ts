import type { CallLane, Run } from '../model/run.js';
import { harmless } from './harmless.js';

/** How the lines of a drawing call its calls. */
export interface Naming {
  /** `#8`; the id, made harmless, of a call that is not of this run. */
  number(toolUseId: string): string;
  /** `#8 probe`. */
  full(lane: CallLane): string;
  /** `#1 #2 #3`; from the ninth on only how many, `all` in all. */
  list(toolUseIds: readonly string[], all?: number): string;
}

const MOST = 8;

/** Numbers calls in their order, from `firstNumber`. */
export const namingOf = (run: Run, firstNumber: number): Naming =>
  namingBy(new Map(run.calls.map(({ toolUseId }, index) => [toolUseId, firstNumber + index])));

/** Names calls by their numbers, which may still be added to. */
export const namingBy = (numbers: ReadonlyMap<string, number>): Naming => {
  const number = (id: string): string => {
    const known = numbers.get(id);
    return known === undefined ? harmless(id.slice(0, 40)) : `#${known}`;
  };
  return {
    number,
    full: (lane) => `${number(lane.toolUseId)} ${harmless(lane.name.slice(0, 60))}`,
    list: (ids, all = ids.length) => {
      const shown = ids.slice(0, MOST).map(number).join(' ');
      const more = all - Math.min(ids.length, MOST);
      return more > 0 ? `${shown}${shown && ' '}and ${more} more` : shown;
    },
  };
};
