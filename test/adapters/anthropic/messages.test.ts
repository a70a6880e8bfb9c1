import { describe, expect, it } from 'vitest';
import { B, call, D, E, END, J, K, MD, MS, read, T, text, types, X } from './wire.js';

describe('the message', () => {
  it('is assembled block for block, with its stop reason and usage', async () => {
    const { events, end } = await read([
      MS(),
      K(0),
      D(0, { type: 'thinking_delta', thinking: 'Let ' }),
      D(0, { type: 'thinking_delta', thinking: 'me.' }),
      D(0, { type: 'signature_delta', signature: 'sig' }),
      E(0),
      B(1, { type: 'redacted_thinking', data: 'xyz' }),
      E(1),
      X(2),
      text(2, 'Hello '),
      text(2, '👋'),
      E(2),
      ...call(3, 't1'),
      X(4),
      text(4, 'after the call'),
      E(4),
      MD('tool_use'),
      END,
    ]);
    expect(end).toEqual({
      type: 'message-end',
      stopReason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 9 },
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'model-a',
        content: [
          { type: 'thinking', thinking: 'Let me.', signature: 'sig' },
          { type: 'redacted_thinking', data: 'xyz' },
          { type: 'text', text: 'Hello 👋' },
          { type: 'tool_use', id: 't1', name: 'read', input: { n: 1 } },
          { type: 'text', text: 'after the call' },
        ],
        stop_reason: 'tool_use',
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 9 },
      },
    });
    expect(types(events).slice(0, 5)).toEqual([
      'message-start',
      'thinking-delta',
      'thinking-delta',
      'block',
      'block',
    ]);
    expect(events).toContainEqual({ type: 'text-delta', index: 2, text: '👋' });
  });

  it('collects citations, and takes the final value of a compaction', async () => {
    const { end } = await read([
      MS(),
      B(0, { type: 'compaction', content: null }),
      D(0, { type: 'compaction_delta', content: 'summary', encrypted_content: 'e' }),
      E(0),
      B(1, { type: 'text', text: '', citations: [] }),
      D(1, { type: 'citations_delta', citation: { n: 1 } }),
      text(1, 'cited'),
      D(1, { type: 'citations_delta', citation: { n: 2 } }),
      E(1),
      MD('end_turn'),
      END,
    ]);
    expect(end?.message.content).toEqual([
      { type: 'compaction', content: 'summary', encrypted_content: 'e' },
      { type: 'text', text: 'cited', citations: [{ n: 1 }, { n: 2 }] },
    ]);
  });

  it('takes counts as totals: later ones overwrite, null and missing ones leave what is known', async () => {
    const usage = {
      output_tokens: 5,
      input_tokens: null,
      cache_read_input_tokens: 3,
      iterations: [{ n: 1 }],
    };
    const delta = { ...MD('end_turn', usage), context_management: { applied_edits: [] } };
    const { end } = await read([MS(), MD(null, { output_tokens: 4, input_tokens: 12 }), delta, END]);
    expect(end?.usage).toEqual({
      input_tokens: 12,
      output_tokens: 5,
      cache_read_input_tokens: 3,
      iterations: [{ n: 1 }],
    });
    expect(end?.message).toMatchObject({ context_management: { applied_edits: [] } });
  });

  it('is replaced whole by a second start with another id', async () => {
    const { events, toolUses, end } = await read([
      MS('m1'),
      ...call(0, 't1'),
      T(1, 't2'),
      E(1),
      MS('m2', { model: 'model-b' }),
      ...call(0, 't3'),
      MD('tool_use'),
      END,
    ]);
    expect(events).toContainEqual({ type: 'message-replaced', messageId: 'm1', by: 'm2' });
    // t2 was undecided: it goes with its message.
    expect(toolUses.map(({ id, messageId }) => [id, messageId])).toEqual([
      ['t1', 'm1'],
      ['t3', 'm2'],
    ]);
    expect(end?.message).toMatchObject({ id: 'm2', model: 'model-b', content: [{ id: 't3' }] });
  });

  it('is not touched by its own start repeated', async () => {
    const wire = [MS(), ...call(0, 't1'), MD('tool_use'), END];
    const { events } = await read([MS(), MS(), ...wire.slice(1, 4), MS(), ...wire.slice(4)]);
    expect(events).toEqual((await read(wire)).events);
  });
});

describe('what the protocol does not foresee is survived and told', () => {
  it.each([
    ['a delta for a block that was never started', [text(5, 'x')], 'stray_delta'],
    ['a delta behind its block', [X(1), E(1), text(1, 'x')], 'stray_delta'],
    ['a delta without a delta', [{ type: 'content_block_delta', index: 0 }], 'stray_delta'],
    ['an index that is none', [{ ...text(0, 'x'), index: '0' }], 'stray_delta'],
    ['a delta of the wrong kind', [X(1), J(1, '{}'), E(1)], 'mismatched_delta'],
    ['the end of a block that is not open', [E(4)], 'stray_block_stop'],
    ['a block start without a block', [{ type: 'content_block_start', index: 1 }], 'missing_field'],
    ['an event of an unknown type', [{ type: 'weather_report' }], 'unknown_event'],
    ['a call without an id', [B(1, { type: 'tool_use', name: 'x', input: { a: 1 } }), E(1)], 'missing_field'],
  ])('%s', async (_, wire, code) => {
    const { anomalies, error, toolUses, end } = await read([
      MS(),
      ...call(0, 't1'),
      ...wire,
      MD('tool_use'),
      END,
    ]);
    expect(error).toBeUndefined();
    expect(anomalies).toContain(code);
    expect(toolUses.map(({ id }) => id)).toEqual(['t1']);
    expect(end?.message.content[0]).toMatchObject({ id: 't1', input: { n: 1 } });
  });

  it('a start repeated while its block is open: the block goes on', async () => {
    const { anomalies, toolUses } = await read([
      MS(),
      T(0, 't1'),
      J(0, '{"a"'),
      T(0, 't1'),
      J(0, ':1}'),
      E(0),
      MD('tool_use'),
      END,
    ]);
    expect(anomalies).toEqual(['repeated_block_start']);
    expect(toolUses).toMatchObject([{ id: 't1', input: { a: 1 } }]);
  });

  it('another block at an index that is open: the first counts only if its text is whole', async () => {
    const second = call(0, 't2');
    const whole = await read([MS(), T(0, 't1'), J(0, '{"a":1}'), ...second, MD('tool_use'), END]);
    expect(whole.toolUses).toMatchObject([{ id: 't1', input: { a: 1 } }, { id: 't2' }]);
    expect(whole.anomalies).toEqual(['repeated_block_start']);
    const half = await read([MS(), T(0, 't1'), J(0, '{"a":'), ...second, MD('tool_use'), END]);
    expect(half.toolUses).toMatchObject([{ id: 't1', fault: { code: 'invalid_json' } }, { id: 't2' }]);
    const empty = await read([MS(), T(0, 't1'), ...second, MD('tool_use'), END]);
    expect(empty.toolUses).toMatchObject([{ id: 't1', fault: { code: 'invalid_json' } }, { id: 't2' }]);
  });

  it('blocks before the message has begun', async () => {
    const { anomalies, toolUses } = await read([
      ...call(0, 't0'),
      MS(),
      ...call(0, 't1'),
      MD('tool_use'),
      END,
    ]);
    expect(anomalies).toEqual(['outside_message', 'outside_message', 'outside_message']);
    expect(toolUses.map(({ id }) => id)).toEqual(['t1']);
  });

  it.each([
    ['a call', call(1, 't9')],
    ['another message', [MS('m2')]],
    ['an error', [{ type: 'error', error: { type: 'api_error', message: 'late' } }]],
  ])('%s behind the end of the message changes nothing', async (_, wire) => {
    const { events, anomalies, error } = await read([MS(), MD('end_turn'), END, ...wire]);
    expect(error).toBeUndefined();
    expect(new Set(anomalies)).toEqual(new Set(['after_message_end']));
    expect(types(events).filter((type) => type !== 'anomaly')).toEqual(['message-start', 'message-end']);
  });

  it('a message without any of its members', async () => {
    const { end, error, anomalies } = await read([{ type: 'message_start' }, ...call(0, 't1'), END]);
    expect(error).toBeUndefined();
    expect(anomalies).toEqual(['missing_field']);
    expect(end?.message).toMatchObject({ role: 'assistant', content: [{ id: 't1' }] });
  });
});
