import { from, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { checkLaws, LawBrokenError, type Outcome, type ToolEvent } from '../../src/index.js';
import { Seen, use } from './turns.js';

const outcome: Outcome = {
  code: 'ok',
  executed: 'yes',
  durations: { queued: 0, hooks: 0, permission: 0, running: 0, held: 0 },
};

/** An event of a call, written short. */
const of = (type: ToolEvent['type'], id: string, more: object = {}, at = 0): ToolEvent =>
  ({ type, at, toolUseId: id, name: 'tool', ...more }) as ToolEvent;
const queued = (id: string, index: number, safe: boolean, at = 0) =>
  of('queued', id, { toolUse: use(id, 'tool'), index, batch: index, isConcurrencySafe: safe }, at);
const started = (id: string, at = 0) => of('started', id, { attempt: 1 }, at);
const completed = (id: string, code: Outcome['code'] = 'ok', at = 0) =>
  of('completed', id, { outcome: { ...outcome, code } }, at);
const result = (id: string, synthetic = false, at = 0) =>
  of('result', id, { outcome, synthetic, block: { type: 'tool_result', tool_use_id: id, content: 'x' } }, at);
const waiting = (id: string, at = 0) => of('waiting', id, { reason: 'exclusive', on: [], count: 0 }, at);
const tombstone: ToolEvent = { type: 'tombstone', at: 0, target: { messageId: 'm' } };
const context: ToolEvent = { type: 'context', at: 0, context: 1 };

const whole = (id: string, index: number, safe = true): readonly ToolEvent[] => [
  queued(id, index, safe),
  started(id),
  completed(id),
  result(id),
];

const check = (events: readonly ToolEvent[]) => new Seen(from(events).pipe(checkLaws()));

describe('a turn that keeps the laws passes as it is', () => {
  const good: Readonly<Record<string, readonly ToolEvent[]>> = {
    'without calls': [],
    'of one call': whole('a', 0),
    'of unsafe calls, one after the other': [...whole('a', 0, false), ...whole('b', 1, false)],
    'of safe calls that overlap': [
      queued('a', 0, true),
      started('a'),
      queued('b', 1, true),
      started('b'),
      completed('b'),
      completed('a'),
      result('a'),
      result('b'),
    ],
    'of a call that waited, and said why': [
      queued('a', 0, false),
      started('a'),
      queued('b', 1, true),
      waiting('b'),
      completed('a', 'ok', 5),
      result('a', false, 5),
      started('b', 5),
      completed('b', 'ok', 6),
      result('b', false, 6),
    ],
    'that was discarded': [
      queued('a', 0, true),
      started('a'),
      completed('a', 'discarded'),
      result('a', true),
      tombstone,
    ],
    'of a call that waited for a schema before it was queued': [
      waiting('a'),
      queued('a', 0, true),
      started('a'),
      completed('a'),
      result('a'),
    ],
  };

  it.each(Object.entries(good))('%s', (_name, events) => {
    const seen = check(events);
    expect(seen.ended).toBe('completed');
    expect(seen.values).toEqual(events);
  });
});

const broken: readonly (readonly [law: number, name: string, events: readonly ToolEvent[]])[] = [
  [1, 'a call without a result', [queued('a', 0, true), started('a'), completed('a')]],
  [1, 'a call that never ended', [queued('a', 0, true), started('a')]],
  [1, 'a call that only waited', [waiting('a')]],
  [2, 'two outcomes', [...whole('a', 0).slice(0, 3), completed('a')]],
  [2, 'two results', [...whole('a', 0), result('a')]],
  [2, 'a result before its outcome', [queued('a', 0, true), started('a'), result('a')]],
  [2, 'progress after the outcome', [...whole('a', 0).slice(0, 3), of('progress', 'a', { data: 1 })]],
  [
    2,
    'results out of order',
    [queued('a', 0, true), started('a'), queued('b', 1, true), started('b'), completed('b'), result('b')],
  ],
  [2, 'calls queued out of order', [queued('a', 1, true)]],
  [2, 'an event of a call that was never queued', [started('a')]],
  [
    3,
    'an unsafe call over a safe one',
    [queued('a', 0, true), started('a'), queued('b', 1, false), started('b')],
  ],
  [
    3,
    'a safe call over an unsafe one',
    [queued('a', 0, false), started('a'), queued('b', 1, true), started('b')],
  ],
  [
    3,
    'a call that overtakes an unsafe one',
    [
      queued('a', 0, true),
      started('a'),
      queued('b', 1, false),
      waiting('b'),
      queued('c', 2, true),
      started('c'),
    ],
  ],
  [
    4,
    'a call that waits and nobody says why',
    [queued('a', 0, false), started('a'), queued('b', 1, false), completed('a', 'ok', 5)],
  ],
  [4, 'the same, to the end of the turn', [queued('a', 0, false)]],
  [
    7,
    'a start after a discard',
    [queued('a', 0, true), started('a'), queued('b', 1, true), completed('a', 'discarded'), started('b')],
  ],
  [
    7,
    'progress after a discard',
    [
      queued('a', 0, true),
      started('a'),
      queued('b', 1, true),
      started('b'),
      tombstone,
      of('progress', 'b', { data: 1 }),
    ],
  ],
  [
    7,
    'a real result after a discard',
    [queued('a', 0, true), started('a'), completed('a', 'discarded'), result('a', false)],
  ],
  [7, 'a context after a discard', [tombstone, context]],
  [14, 'time that goes back', [queued('a', 0, true, 5), started('a', 4)]],
];

describe('a turn that breaks one is caught', () => {
  it.each(broken)('law %i: %s', (law, _name, events) => {
    const { ended } = check(events);
    expect(ended).toHaveProperty('error');
    const { error } = ended as { readonly error: unknown };
    expect(error).toBeInstanceOf(LawBrokenError);
    expect((error as LawBrokenError).law).toBe(law);
  });

  it('at the event that breaks it: what came before has passed, the source is left', () => {
    const source = new Subject<ToolEvent>();
    const seen = new Seen(source.pipe(checkLaws()));
    for (const event of [...whole('a', 0), result('a')]) source.next(event);
    expect(seen.values).toHaveLength(4);
    expect(source.observed).toBe(false);
  });

  it('each subscription has its own memory', () => {
    const checked$ = from(whole('a', 0)).pipe(checkLaws());
    expect([new Seen(checked$).ended, new Seen(checked$).ended]).toEqual(['completed', 'completed']);
  });
});
