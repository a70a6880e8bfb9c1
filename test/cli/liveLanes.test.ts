import { describe, expect, it } from 'vitest';
import { makeAxis } from '../../marbles/draw/axis.js';
import { paintLane } from '../../marbles/draw/paintLane.js';
import { foldRun } from '../../marbles/model/foldRun.js';
import type { CallLane } from '../../marbles/model/run.js';
import { LEAST_COLUMN, LiveLanes, laneAt } from '../../src/cli/view/liveLanes.js';
import type { CallEvent, ToolEvent } from '../../src/contract/index.js';
import { abortedRun, parallelRun } from '../marbles/draw/pictures.js';
import { TurnScript } from '../marbles/model/events.js';

const isOfCall = (event: ToolEvent): event is CallEvent => 'toolUseId' in event;

/** The parts of a lane that a drawing shows. */
const drawn = ({ toolUseId, index, segments, marks, updates, outcome }: CallLane) => ({
  ...{ toolUseId, index, segments, marks, updates, outcome },
});

describe('the lanes of a running turn', () => {
  it.each([
    ['parallel', parallelRun],
    ['aborted', abortedRun],
  ])('are at each event those of the whole fold: %s', (_, script) => {
    const events = script().events();
    const lanes = new LiveLanes();
    const settled: CallLane[] = [];
    events.forEach((event, index) => {
      const lane = isOfCall(event) ? lanes.see(event) : undefined;
      if (lane !== undefined) settled.push(lane);
      const live = [...settled, ...lanes.open.map((open) => laneAt(open, event.at))].map(drawn);
      const folded = foldRun(events.slice(0, index + 1)).calls.map(drawn);
      const byId = (a: { toolUseId: string }, b: { toolUseId: string }) =>
        a.toolUseId < b.toolUseId ? -1 : 1;
      expect(live.sort(byId)).toEqual(folded.sort(byId));
    });
    expect(lanes.open).toEqual([]);
  });

  it('keep of endless progress no more than a picture shows', () => {
    const turn = new TurnScript();
    const call = turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0);
    call.progress(...Array.from({ length: 3000 }, (_, i) => (i < 2900 ? Math.floor(i / 10) : i)));
    const lanes = new LiveLanes();
    for (const event of turn.events()) if (isOfCall(event)) lanes.see(event);
    const [open] = lanes.open;
    const [whole] = foldRun(turn.events()).calls;
    if (open === undefined || whole === undefined) throw new Error('there is one call');
    expect(open.marks.length).toBeLessThan(60);
    expect(open.updates).toBe(3000);
    for (const scale of [1, 2, 5, 10]) {
      const axis = makeAxis(scale * LEAST_COLUMN, 3000);
      expect(paintLane(laneAt(open, 2999), axis)).toBe(paintLane(whole, axis));
    }
  });

  it('number calls by their place in the turn, before it is known by when they are heard of', () => {
    const lanes = new LiveLanes();
    const turn = new TurnScript();
    turn.call('a').input(0).queued(1, { index: 0, batch: 0, safe: true });
    turn.call('b').input(2);
    for (const event of turn.events()) if (isOfCall(event)) lanes.see(event);
    expect([...lanes.numbers]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('leave a call alone whose result is out', () => {
    const lanes = new LiveLanes();
    const turn = new TurnScript();
    turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0).done(1).progress(2);
    for (const event of turn.events()) if (isOfCall(event)) lanes.see(event);
    expect(lanes.open).toEqual([]);
  });
});
