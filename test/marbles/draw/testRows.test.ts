import { describe, expect, it } from 'vitest';
import { renderTestRows, testRows } from '../../../marbles/draw/testRows.js';
import { parseRows } from '../../../marbles/notation/parseRows.js';
import type { OutcomeCode } from '../../../src/contract/outcome.js';
import { type CallScript, TurnScript } from '../model/events.js';

const safe = { index: 0, batch: 0, safe: true };
const unsafe = { index: 0, batch: 0, safe: false };
const cellsOf = (write: (call: CallScript, turn: TurnScript) => unknown): string | undefined => {
  const turn = new TurnScript();
  write(turn.call('a'), turn);
  return testRows(turn.events())[0]?.cells;
};

describe('renderTestRows', () => {
  it('draws the worked example: a write waits for the reads before it, and holds those after it', () => {
    const turn = new TurnScript();
    turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0).done(3);
    turn.call('b').queued(1, { index: 1, batch: 0, safe: true }).started(1).done(4);
    turn
      .call('c')
      .queued(3, { index: 2, batch: 1, safe: false })
      .waiting(3, 'exclusive', ['b'])
      .started(4)
      .done(5);
    turn
      .call('d')
      .queued(4, { index: 3, batch: 2, safe: true })
      .waiting(4, 'batch', ['c'])
      .started(5)
      .done(8);
    expect(renderTestRows(turn.events())).toBe(['a ^--|', 'b  ^--|', 'c    .^|', 'd     .^--|'].join('\n'));
  });

  it('draws every phase of a call', () => {
    expect(
      cellsOf((call) =>
        call
          .input(0, 1)
          .queued(2, safe)
          .waiting(2, 'limit', ['z'])
          .hook(4, 'started')
          .hook(6, 'ended')
          .permission(6, 'asked')
          .permission(8, 'decided')
          .started(8)
          .progress(10, 12, 12)
          .failed(13, 1, 'no', 2)
          .waiting(13, 'backoff')
          .started(15, 2)
          .stopping(17, { type: 'user', reason: '' })
          .completed(19, 'interrupted')
          .result(22),
      ),
    ).toBe('::..hh??^-o-2#~^-ss!__v');
  });

  it('draws a call that is not safe with another running glyph', () => {
    expect(cellsOf((call) => call.queued(0, unsafe).started(0).done(3))).toBe('^==|');
  });

  it('draws what came first where a waiting precedes the queued', () => {
    expect(cellsOf((call) => call.waiting(0, 'permission').queued(0, safe).started(2).done(3))).toBe('??^|');
    expect(cellsOf((call) => call.waiting(1, 'settling').queued(3, safe).started(5).done(6))).toBe(' ....^|');
  });

  it('goes back to running behind a hook that follows the work', () => {
    expect(
      cellsOf((call) => call.queued(0, safe).started(0).hook(2, 'started').hook(4, 'ended').done(5)),
    ).toBe('^-hh-|');
  });

  it('counts hooks that overlap until the last has ended', () => {
    const cells = cellsOf((call) =>
      call
        .queued(0, safe)
        .hook(0, 'started')
        .hook(1, 'started')
        .hook(2, 'ended')
        .hook(3, 'ended')
        .started(4)
        .done(5),
    );
    expect(cells).toBe('hhh.^|');
  });

  it('draws a start and an end in one column as the end', () => {
    expect(cellsOf((call) => call.queued(1, safe).started(1).done(1))).toBe(' |');
  });

  it('draws a start over progress, an end over a release, a release over nothing else', () => {
    expect(cellsOf((call) => call.queued(0, safe).started(0).progress(0).completed(1).result(1))).toBe('^|');
    expect(cellsOf((call) => call.queued(0, safe).started(0).completed(1).result(2))).toBe('^|v');
  });

  it('draws a failed attempt over the start of the next in its column', () => {
    expect(
      cellsOf((call) => call.queued(0, safe).started(0).failed(2, 1, 'no', 0).started(2, 2).done(4)),
    ).toBe('^-#-|');
  });

  it('draws an attempt that ran into its limit', () => {
    const by = { type: 'limit', limit: 'attempt', ms: 2 } as const;
    expect(
      cellsOf((call) => call.queued(0, safe).started(0).failed(2, 1, 'late', 1, by).started(3, 2).done(4)),
    ).toBe('^-@^|');
  });

  const ends: readonly (readonly [OutcomeCode, string, string])[] = [
    ['ok', '|', '|'],
    ['tool_error', '#', '#'],
    ['infrastructure', '#', '#'],
    ['timeout', '@', '@'],
    ['sibling_aborted', '!', 'x'],
    ['interrupted', '!', 'x'],
    ['discarded', '!', 'x'],
    ['unknown_tool', 'x', 'x'],
    ['invalid_json', 'x', 'x'],
    ['invalid_input', 'x', 'x'],
    ['cut_off', 'x', 'x'],
    ['denied', 'x', 'x'],
    ['hook_denied', 'x', 'x'],
    ['hook_failed', 'x', 'x'],
  ];
  it.each(ends)('ends %s with %s if it had started, else with %s', (code, started, waiting) => {
    expect(cellsOf((call) => call.queued(0, safe).started(0).done(2, code))).toBe(`^-${started}`);
    expect(cellsOf((call) => call.queued(0, safe).done(2, code))).toBe(`..${waiting}`);
  });

  it('draws an adopted outcome as such', () => {
    expect(cellsOf((call) => call.queued(0, unsafe).done(1, 'ok', { adopted: true }))).toBe('.a');
  });

  it('draws a tombstone on every call of its message that had been delivered, and on no other', () => {
    const turn = new TurnScript();
    const place = { batch: 0, safe: true };
    turn
      .call('a')
      .queued(0, { ...place, index: 0, messageId: 'm1' })
      .started(0)
      .done(2);
    turn
      .call('b')
      .queued(0, { ...place, index: 1, messageId: 'm1' })
      .started(0)
      .done(5, 'discarded');
    turn
      .call('c')
      .queued(0, { ...place, index: 2, messageId: 'm2' })
      .started(0)
      .done(2);
    turn
      .call('d')
      .queued(0, { ...place, index: 3, messageId: 'm2' })
      .started(0)
      .completed(5)
      .result(5);
    turn.add({ type: 'tombstone', at: 5, target: { messageId: 'm1' } });
    turn.add({ type: 'tombstone', at: 5, target: { toolUseId: 'd' } });
    turn.add({ type: 'tombstone', at: 5, target: { messageId: 'unknown' } });
    expect(renderTestRows(turn.events())).toBe(['a ^-|  +', 'b ^----!', 'c ^-|', 'd ^----+'].join('\n'));
  });

  it('draws what is still open up to the last event', () => {
    const turn = new TurnScript();
    turn.call('a').queued(0, safe).started(0);
    turn.call('b').queued(1, { index: 1, batch: 1, safe: false }).waiting(1, 'exclusive', ['a']);
    turn.call('c').input(2);
    turn.call('d').input(5);
    expect(renderTestRows(turn.events())).toBe(['a ^----', 'b  ....', 'c   :::', 'd'].join('\n'));
  });

  it('keeps call order, not the order of the events', () => {
    const turn = new TurnScript();
    turn.call('b').queued(0, { index: 1, batch: 0, safe: true }).started(0).done(1);
    turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0).done(1);
    expect(testRows(turn.events()).map(({ label }) => label)).toEqual(['a', 'b']);
  });

  it('takes labels, and makes them readable and distinct', () => {
    const turn = new TurnScript();
    for (const [index, id] of ['1', '2', '3', '4'].entries()) {
      turn.call(id).queued(0, { index, batch: 0, safe: true }).started(0).done(1);
    }
    const names = ['results', 'two words', 'two words', '\u001b[2J'];
    const text = renderTestRows(turn.events(), { labels: (id) => names[Number(id) - 1] ?? '' });
    expect(parseRows(text).map(({ label }) => label)).toEqual([
      'results_',
      'two_words',
      'two_words_2',
      '\\x1b[2J',
    ]);
  });

  it('writes long stretches as times where a row would be wider than a picture', () => {
    const turn = new TurnScript();
    turn.call('a').queued(0, safe).started(0).done(600_000, 'timeout');
    turn.call('b').queued(0, { index: 1, batch: 0, safe: true }).started(0).completed(1).result(600_000);
    expect(renderTestRows(turn.events())).toBe(['a ^- 599998ms @', 'b ^|_ 599997ms v'].join('\n'));
    expect(parseRows(renderTestRows(turn.events()))).toEqual(testRows(turn.events()));
    expect(renderTestRows(turn.events(), { compress: false })).toHaveLength(2 * 600_003 + 1);
  });

  it('refuses a run with more columns than a row may have', () => {
    expect(() => testRows([{ type: 'stop', at: 1e9, reason: '', by: '' }])).toThrow(
      'a run of less than 10000000ms',
    );
  });
});
