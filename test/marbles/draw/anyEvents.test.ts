import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { drawRows } from '../../../marbles/draw/rows.js';
import { renderTestRows, testRows } from '../../../marbles/draw/testRows.js';
import { parseRows } from '../../../marbles/notation/parseRows.js';
import type { ToolEvent } from '../../../src/contract/events.js';
import type { OutcomeCode } from '../../../src/contract/outcome.js';
import { type CallScript, TurnScript } from '../model/events.js';

const ids = ['a', 'b', 'c', 'd'] as const;
const codes: readonly OutcomeCode[] = [
  'ok',
  'tool_error',
  'timeout',
  'sibling_aborted',
  'interrupted',
  'discarded',
  'denied',
];

const step = fc.record({
  index: fc.nat(3),
  at: fc.oneof(
    { weight: 9, arbitrary: fc.nat(300) },
    { weight: 1, arbitrary: fc.constantFrom(20_000, 100_000, 0.5, -1, Number.NaN) },
  ),
  kind: fc.nat(11),
  code: fc.constantFrom(...codes),
  text: fc.string({ unit: 'binary', maxLength: 30 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const act = (turn: TurnScript, { index, at, kind, code, text }: Step): unknown => {
  const call = turn.call(ids[index] ?? 'a', text || 'tool');
  const by = { type: 'call', toolUseId: text, name: text } as const;
  const acts: readonly (() => CallScript | TurnScript)[] = [
    () => call.input(at),
    () => call.queued(at, { index, batch: index >> 1, safe: index < 2, messageId: 'm', input: { text } }),
    () => call.waiting(at, kind % 2 ? 'exclusive' : 'limit', ['a', text]),
    () => call.hook(at, 'started'),
    () => call.permission(at, 'asked'),
    () => call.started(at),
    () => call.progress(at, at),
    () => call.failed(at, 1, text, 5, by),
    () => call.stopping(at, by),
    () => call.completed(at, code, { by, error: { message: text } }),
    () => call.result(at),
    () => turn.add({ type: 'tombstone', at, target: { messageId: 'm' } }),
  ];
  return acts[kind]?.();
};

/** Events in any order and number, possible or not: what a crash or a foreign program may leave. */
const anyEvents: fc.Arbitrary<readonly ToolEvent[]> = fc.array(step, { maxLength: 30 }).map((steps) => {
  const turn = new TurnScript();
  for (const one of steps) act(turn, one);
  return turn.events();
});

describe('whatever the events are', () => {
  it('the rows of a test are read back equal', () => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, compress) => {
        expect(parseRows(renderTestRows(events, { compress }))).toEqual(testRows(events));
      }),
      { numRuns: 300 },
    );
  });

  it('a drawing keeps its width, and lets no control or bidi character through', () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: 40, max: 110 }), fc.boolean(), (events, width, unicode) => {
        const drawn = drawRows(events, { width, unicode });
        expect(drawn).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        for (const line of drawn.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 300 },
    );
  });
});
