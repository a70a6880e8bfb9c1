import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTestRows } from '../../marbles/index.js';
import { guardedSchedule } from './guardSpecs.js';
import { brokenLaw } from './laws.js';
import { predict } from './oracle.js';
import { play } from './play.js';
import { anySchedule, plainSchedule, type Schedule } from './schedule.js';

/** The same few hundred each time; `npm run laws` tries as many new ones as you like. */
const seed = 2026;

const hold = (schedules: fc.Arbitrary<Schedule>, numRuns: number): void => {
  fc.assert(
    fc.property(schedules, (schedule) => {
      const wrong = brokenLaw(schedule);
      if (wrong !== undefined) throw new Error(`${wrong}\n${renderTestRows(play(schedule).events)}`);
    }),
    { numRuns, seed },
  );
};

describe('the laws', () => {
  it('hold on schedules of everything', () => hold(anySchedule, 400));

  it('hold on schedules with hooks, rules, people and retries', () => hold(guardedSchedule, 150));

  it('hold on plain schedules, and the oracle agrees', () => hold(plainSchedule, 150));
});

describe('the oracle', () => {
  it('has a model of its own: reads together, a write alone, a limit of two', () => {
    const [schedule] = fc.sample(plainSchedule, { numRuns: 1, seed });
    const call = schedule?.calls[0] as Schedule['calls'][number];
    const calls = [
      { ...call, gap: 0, duration: 3, safe: true },
      { ...call, gap: 1, duration: 4, safe: true },
      { ...call, gap: 1, duration: 5, safe: true },
      { ...call, gap: 1, duration: 2, safe: false },
      { ...call, gap: 1, duration: 1, safe: true },
    ].map((each) => ({ ...each, kind: 'other' as const, priority: 0 }));
    const plain = { ...(schedule as Schedule), calls, concurrency: 2, shell: 9, start: 'eager' as const };
    expect(predict(plain).map(({ start, end }) => `${start}-${end}`)).toEqual([
      '0-3',
      '1-5',
      '3-8',
      '8-10',
      '10-11',
    ]);
  });
});
