import { describe, expect, it } from 'vitest';
import { foldRun } from '../../../marbles/model/foldRun.js';
import { slotsOf } from '../../../marbles/model/slots.js';
import { abortedRun, parallelRun } from '../draw/pictures.js';
import { TurnScript } from './events.js';

describe('foldRun', () => {
  it('measures wall, busy, peak and what runs and waits, half open', () => {
    const run = foldRun(parallelRun().events());
    expect(run).toMatchObject({ wall: 1180, busy: 1480, peak: 3 });
    expect(run.running).toEqual([
      { at: 40, count: 1 },
      { at: 60, count: 2 },
      { at: 80, count: 3 },
      { at: 180, count: 2 },
      { at: 300, count: 1 },
      // At 620 and 900 one hands over to the next: no change, no overlap.
      { at: 1180, count: 0 },
    ]);
    expect(run.waiting.at(-1)).toEqual({ at: 900, count: 0 });
  });

  it('keeps what the scheduler said about a wait', () => {
    const [, , , edit] = foldRun(parallelRun().events()).calls;
    expect(edit?.waits).toEqual([
      { from: 120, to: 620, reason: 'exclusive', on: ['r1', 'g2', 'g3'], count: 3 },
    ]);
    expect(edit).toMatchObject({
      heardAt: 80,
      startedAt: 620,
      endedAt: 900,
      releasedAt: 900,
      updates: 0,
      index: 3,
    });
  });

  it('leaves out waits of no length', () => {
    const turn = new TurnScript();
    turn.call('a').queued(1, { index: 0, batch: 0, safe: true }).waiting(1, 'limit').started(1).done(2);
    expect(foldRun(turn.events()).calls[0]?.waits).toEqual([]);
  });

  it('groups what one failure stopped, by what became of it', () => {
    const { causes } = foldRun(abortedRun().events());
    expect(causes).toEqual([
      expect.objectContaining({ type: 'timeout', at: 1500, toolUseId: 'w9', attempt: 2 }),
      {
        type: 'sibling-abort',
        at: 1750,
        by: { type: 'call', toolUseId: 'p8', name: 'probe' },
        stopped: ['w7', 'w9'],
        lapsed: [],
        notRun: ['e10'],
      },
    ]);
  });

  it('dates a stop by its request, and tells a grace that lapsed', () => {
    const turn = new TurnScript();
    const by = { type: 'user', reason: 'enough' } as const;
    turn
      .call('a')
      .queued(0, { index: 0, batch: 0, safe: false })
      .started(0)
      .stopping(3, by)
      .done(8, 'interrupted', { by, stopped: false });
    expect(foldRun(turn.events()).causes).toEqual([
      { type: 'interruption', at: 3, by, stopped: [], lapsed: ['a'], notRun: [] },
    ]);
  });

  it('tells what a discard withdrew, stopped and never ran', () => {
    const turn = new TurnScript();
    const place = { batch: 0, safe: true, messageId: 'm' };
    turn
      .call('a')
      .queued(0, { ...place, index: 0 })
      .started(0)
      .done(2);
    turn
      .call('b')
      .queued(0, { ...place, index: 1 })
      .started(0)
      .done(5, 'discarded');
    turn
      .call('c')
      .queued(0, { ...place, index: 2 })
      .done(5, 'discarded');
    turn.add({ type: 'tombstone', at: 5, target: { messageId: 'm' } });
    turn.add({ type: 'discarded', at: 9, cause: 'stream failed', messages: 1, ledger: [] });
    expect(foldRun(turn.events()).causes).toEqual([
      {
        type: 'discard',
        at: 5,
        reason: 'stream failed',
        withdrawn: ['a'],
        stopped: ['b'],
        lapsed: [],
        notRun: ['c'],
      },
    ]);
  });

  it('is the same whether the events come as a list or as any iterable, and of a beginning too', () => {
    const events = parallelRun().events();
    expect(foldRun(new Set(events))).toEqual(foldRun(events));
    const half = foldRun(events.filter(({ at }) => at <= 300));
    expect(half.calls.map(({ segments }) => segments.at(-1)?.to)).toEqual([180, 300, 300, 300, 300]);
  });

  it('collects contexts, anomalies and stops of the turn', () => {
    const run = foldRun([
      { type: 'context', at: 1, context: { n: 1 } },
      { type: 'anomaly', at: 2, code: 'duplicate_id', message: 'twice', toolUseId: 'a' },
      { type: 'stop', at: 3, reason: 'hook', by: 'check' },
    ]);
    expect([run.contexts.length, run.anomalies.length, run.stops.length, run.wall]).toEqual([1, 1, 1, 3]);
    expect(run.calls).toEqual([]);
  });

  it('takes 20,000 calls without quadratic cost', () => {
    const turn = new TurnScript();
    for (let index = 0; index < 20_000; index += 1) {
      turn
        .call(`c${index}`)
        .queued(index, { index, batch: 0, safe: true, messageId: 'm' })
        .started(index)
        .done(index + 50);
    }
    const events = turn.events();
    const begin = performance.now();
    expect(foldRun(events).peak).toBe(50);
    expect(performance.now() - begin).toBeLessThan(3000);
  });
});

describe('slotsOf', () => {
  it('puts a call into the first slot that is free, a hand-over included', () => {
    const { slots, left } = slotsOf(foldRun(parallelRun().events()).calls, 40);
    expect(slots.map((lanes) => lanes.map(({ toolUseId }) => toolUseId))).toEqual([
      ['r1', 'e4', 'r5'],
      ['g2'],
      ['g3'],
    ]);
    expect(left).toBe(0);
  });

  it('counts what finds no slot', () => {
    expect(slotsOf(foldRun(parallelRun().events()).calls, 2)).toMatchObject({ left: 1 });
  });
});
