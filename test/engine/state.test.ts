import { from, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PersistentList } from '../../src/engine/persistentList.js';
import {
  advance,
  type CallSnapshot,
  lifecycle,
  output,
  type Phase,
  type ToolEvent,
  TurnSnapshot,
  toolStates,
} from '../../src/index.js';
import { Seen, safeTool, turnOf, unsafeTool, use } from './turns.js';

const fold = (events: readonly ToolEvent[], onto = TurnSnapshot.empty()): TurnSnapshot =>
  events.reduce(TurnSnapshot.reduce, onto);

const queued = (id: string, index = 0): ToolEvent => ({
  type: 'queued',
  at: 0,
  toolUseId: id,
  name: 'tool',
  toolUse: use(id, 'tool'),
  index,
  batch: 0,
  isConcurrencySafe: true,
});
const progressOf = (id: string, data: unknown): ToolEvent => ({
  type: 'progress',
  at: 0,
  toolUseId: id,
  name: 'tool',
  data,
});

const statuses = (turn: TurnSnapshot | undefined): readonly string[] =>
  [...(turn ?? [])].map(
    ({ toolUseId, status, waiting }) => `${toolUseId} ${status}${waiting ? ` ${waiting.reason}` : ''}`,
  );

describe('toolStates', () => {
  it('shows every call in every state', () => {
    const work$ = new Subject<unknown>();
    const tools = [
      safeTool('slow', () => work$),
      unsafeTool('write', () => 'done'),
      safeTool('quick', () => 'done'),
    ];
    const seen = new Seen(
      turnOf([use('a', 'slow'), use('b', 'quick'), use('c', 'write')], tools).pipe(toolStates()),
    );
    expect(statuses(seen.values.at(-1))).toEqual(['a executing', 'b completed', 'c queued exclusive']);
    work$.next(output('done'));
    expect(statuses(seen.values.at(-1))).toEqual(['a yielded', 'b yielded', 'c yielded']);
  });

  it('counts progress, and keeps the last', () => {
    const snapshot = fold([queued('a'), progressOf('a', 1), progressOf('a', 2)]);
    expect(snapshot.get('a')).toMatchObject({ updates: 2, progress: 2 });
  });

  it('starts anew for each subscription', () => {
    const states$ = from([queued('a'), queued('b', 1)]).pipe(toolStates());
    expect(new Seen(states$).values.map(({ size }) => size)).toEqual([1, 2]);
    expect(new Seen(states$).values.map(({ size }) => size)).toEqual([1, 2]);
  });

  it('emits nothing for an event that changes no call', () => {
    const stop: ToolEvent = { type: 'stop', at: 0, reason: 'aborted', by: '' };
    expect(new Seen(from([queued('a'), stop]).pipe(toolStates())).values).toHaveLength(1);
  });
});

describe('a snapshot', () => {
  it('is a view of its moment: later events do not change it', () => {
    const before = fold([queued('a')]);
    const after = fold([progressOf('a', 1), queued('b', 1)], before);
    expect([before.size, after.size]).toEqual([1, 2]);
    expect(before.get('a')?.updates).toBe(0);
    expect(before.get('b')).toBeUndefined();
  });

  it('shares what has not changed with the one before', () => {
    const before = fold(Array.from({ length: 100 }, (_, n) => queued(String(n), n)));
    const after = fold([progressOf('7', 1)], before);
    expect([...after].filter((call, n) => call !== [...before][n]).map(({ toolUseId }) => toolUseId)).toEqual(
      ['7'],
    );
  });

  it('is the same one where an event changes nothing', () => {
    const before = fold([queued('a')]);
    expect(fold([{ type: 'stop', at: 0, reason: 'aborted', by: '' }], before)).toBe(before);
    expect(
      fold([{ type: 'anomaly', at: 0, code: 'x', message: 'y', toolUseId: 'a', name: 'tool' }], before),
    ).toBe(before);
    expect(fold([{ type: 'tombstone', at: 0, target: { toolUseId: 'a' } }], before)).toBe(before);
  });

  it('may be folded on in two branches, which do not know of each other', () => {
    const root = fold([queued('a')]);
    const left = fold([queued('b', 1), queued('c', 2)], root);
    const right = fold([queued('x', 1), progressOf('x', 'right')], root);
    const more = fold([queued('d', 3), progressOf('b', 'left')], left);
    const names = (turn: TurnSnapshot) => [...turn].map(({ toolUseId }) => toolUseId);
    expect([names(root), names(left), names(right), names(more)]).toEqual([
      ['a'],
      ['a', 'b', 'c'],
      ['a', 'x'],
      ['a', 'b', 'c', 'd'],
    ]);
    expect([right.get('b'), right.get('c'), left.get('x'), left.get('d')]).toEqual(Array(4).fill(undefined));
    expect([right.get('x')?.progress, more.get('b')?.progress, left.get('b')?.progress]).toEqual([
      'right',
      'left',
      undefined,
    ]);
  });

  it('folded from an earlier snapshot with the same call twice stays right', () => {
    const root = TurnSnapshot.empty();
    const left = fold([queued('a'), queued('b', 1)], root);
    const right = fold([queued('b'), queued('a', 1)], root);
    expect([left.get('a')?.toolUseId, right.get('a')?.toolUseId]).toEqual(['a', 'a']);
    expect([...right].map(({ toolUseId }) => toolUseId)).toEqual(['b', 'a']);
  });
});

describe('PersistentList', () => {
  it('holds what was pushed and set, at every size of its tree', () => {
    let list = PersistentList.empty<number>();
    const kept: PersistentList<number>[] = [];
    for (let n = 0; n < 5_000; n++) {
      list = list.push(n);
      if ([0, 15, 16, 255, 256, 4_095, 4_096].includes(n)) kept.push(list);
    }
    const changed = list.set(0, -1).set(4_999, -2);
    expect([...list]).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect([changed.get(0), changed.get(4_999), changed.get(1)]).toEqual([-1, -2, 1]);
    expect(kept.map((each) => [each.size, each.get(each.size - 1), each.get(each.size)])).toEqual(
      [1, 16, 17, 256, 257, 4_096, 4_097].map((size) => [size, size - 1, undefined]),
    );
    expect(list.get(-1)).toBeUndefined();
  });
});

describe('the table of legal steps', () => {
  it('leads from new to yielded, and nothing but an anomaly leads on from there', () => {
    expect(lifecycle.yielded).toEqual({ anomaly: 'yielded' });
    expect(lifecycle.completed).toEqual({ result: 'yielded', anomaly: 'completed' });
  });

  it('leads only to phases it knows, and every phase can be reached', () => {
    const reached = new Set<Phase>(['new']);
    for (const phase of reached) for (const next of Object.values(lifecycle[phase])) reached.add(next);
    expect([...reached].sort()).toEqual(Object.keys(lifecycle).sort());
  });

  it('lets every call end from wherever it is', () => {
    for (const phase of Object.keys(lifecycle) as Phase[]) {
      const after = new Set<Phase>([phase]);
      for (const each of after) for (const next of Object.values(lifecycle[each])) after.add(next);
      expect(after.has('yielded')).toBe(true);
    }
  });

  it.each<[Phase, ToolEvent['type'], Phase | undefined]>([
    ['new', 'queued', 'queued'],
    ['new', 'waiting', 'new'],
    ['new', 'started', undefined],
    ['queued', 'completed', 'completed'],
    ['queued', 'progress', undefined],
    ['queued', 'stopping', undefined],
    ['running', 'started', undefined],
    ['running', 'result', undefined],
    ['stopping', 'progress', 'stopping'],
    ['backoff', 'started', 'running'],
    ['completed', 'completed', undefined],
    ['completed', 'progress', undefined],
    ['yielded', 'result', undefined],
  ])('%s, %s: %s', (phase, type, next) => {
    expect(advance(phase, type)).toBe(next);
  });

  it('agrees with the states that are shown', () => {
    const shown: CallSnapshot['status'][] = ['queued', 'executing', 'completed', 'yielded'];
    const seen = new Seen(turnOf([use('a', 'tool')], [safeTool('tool', () => 1)]).pipe(toolStates()));
    expect(seen.values.map((turn) => turn.get('a')?.status)).toEqual(shown);
  });
});
