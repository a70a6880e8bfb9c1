import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { CountingScheduler } from '../../marbles/testing/countingScheduler.js';
import { Deadlines } from '../../src/call/deadlines.js';

const setUp = () => {
  const virtual = new VirtualTimeScheduler();
  const scheduler = new CountingScheduler(virtual);
  const fired: string[] = [];
  const deadlines = new Deadlines(
    scheduler,
    () => virtual.now(),
    () => undefined,
  );
  const due = (ms: number, name: string) => deadlines.after(ms, () => fired.push(`${name}@${virtual.now()}`));
  const at = (ms: number, act: () => void): void => void virtual.schedule(act, ms);
  return { virtual, scheduler, deadlines, fired, due, at };
};

describe('deadlines', () => {
  it('of one length fall due in the order they were made, each in its own time', () => {
    const { virtual, fired, due, at } = setUp();
    due(10, 'a');
    at(3, () => due(10, 'b'));
    at(3, () => due(10, 'c'));
    virtual.flush();
    expect(fired).toEqual(['a@10', 'b@13', 'c@13']);
  });

  it('of several lengths fall due in the order of time', () => {
    const { virtual, fired, due } = setUp();
    due(30, 'late');
    due(10, 'early');
    due(20, 'between');
    virtual.flush();
    expect(fired).toEqual(['early@10', 'between@20', 'late@30']);
  });

  it('of one length share one timer', () => {
    const { scheduler, due } = setUp();
    for (let n = 0; n < 1_000; n++) due(10, String(n));
    due(20, 'other');
    expect(scheduler.pending).toBe(2);
  });

  it('that are cancelled do not fall due, and the last one takes the timer with it', () => {
    const { virtual, scheduler, deadlines, fired, due } = setUp();
    const a = due(10, 'a');
    const b = due(10, 'b');
    a?.cancel();
    a?.cancel();
    expect(scheduler.pending).toBe(1);
    virtual.flush();
    expect(fired).toEqual(['b@10']);
    b?.cancel();
    deadlines.settle();
    expect(scheduler.pending).toBe(0);
  });

  it('all cancelled leave no timer', () => {
    const { scheduler, deadlines, due } = setUp();
    const all = Array.from({ length: 500 }, (_, n) => due(n % 3, String(n)));
    for (const each of all) each?.cancel();
    deadlines.settle();
    expect(scheduler.pending).toBe(0);
  });

  it('that follow one that was cancelled take over its timer', () => {
    const { virtual, scheduler, deadlines, fired, due, at } = setUp();
    const first = due(10, 'first');
    at(4, () => {
      first?.cancel();
      due(10, 'second');
      deadlines.settle();
    });
    virtual.flush();
    expect(fired).toEqual(['second@14']);
    expect(scheduler.pending).toBe(0);
  });

  it('go on when all but the last of many were cancelled', () => {
    const { virtual, fired, due } = setUp();
    const all = Array.from({ length: 500 }, (_, n) => due(10, String(n)));
    for (const each of all.slice(0, -1)) each?.cancel();
    virtual.flush();
    expect(fired).toEqual(['499@10']);
  });

  it('cancelled by one that falls due at the same instant do not fall due', () => {
    const { virtual, deadlines, fired, due } = setUp();
    deadlines.after(10, () => second?.cancel());
    const second = due(10, 'second');
    due(10, 'third');
    virtual.flush();
    expect(fired).toEqual(['third@10']);
  });

  it('made while others fall due count from then', () => {
    const { virtual, scheduler, deadlines, fired, due } = setUp();
    deadlines.after(10, () => due(10, 'again'));
    virtual.flush();
    expect(fired).toEqual(['again@20']);
    expect(scheduler.pending).toBe(0);
  });

  it('of no time fall due in the next turn of the scheduler, not within the call', () => {
    const { virtual, fired, due } = setUp();
    due(0, 'now');
    expect(fired).toEqual([]);
    virtual.flush();
    expect(fired).toEqual(['now@0']);
  });

  it('of endless length are none', () => {
    const { scheduler, due } = setUp();
    expect(due(Number.POSITIVE_INFINITY, 'never')).toBeUndefined();
    expect(scheduler.pending).toBe(0);
  });

  it('longer than a timer can be set for (2^31 ms) fall due when they should, not at once', () => {
    const { virtual, fired, due } = setUp();
    const ms = 2 ** 31 + 5_000;
    virtual.maxFrames = 2 ** 33;
    due(ms, 'far');
    virtual.flush();
    expect(fired).toEqual([`far@${ms}`]);
  });

  it('never ask the scheduler for more than a timer can be set for', () => {
    const asked: number[] = [];
    const virtual = new VirtualTimeScheduler();
    const schedule = virtual.schedule.bind(virtual);
    virtual.schedule = ((work: never, delay = 0, state?: never) => {
      asked.push(delay);
      return schedule(work, delay, state);
    }) as typeof virtual.schedule;
    new Deadlines(
      virtual,
      () => 0,
      () => undefined,
    ).after(2 ** 40, () => undefined);
    expect(asked).toEqual([2 ** 31 - 1]);
  });

  it('that are cleared do not fall due, leave no timer, and may still be cancelled', () => {
    const { virtual, scheduler, deadlines, fired, due } = setUp();
    const a = due(10, 'a');
    due(20, 'b');
    deadlines.clear();
    expect(scheduler.pending).toBe(0);
    a?.cancel();
    due(10, 'c');
    expect(scheduler.pending).toBe(1);
    virtual.flush();
    expect(fired).toEqual(['c@10']);
  });

  it('cleared by one that falls due end there', () => {
    const { virtual, scheduler, deadlines, fired, due } = setUp();
    deadlines.after(10, () => deadlines.clear());
    due(10, 'second');
    virtual.flush();
    expect([fired, scheduler.pending]).toEqual([[], 0]);
  });
});
