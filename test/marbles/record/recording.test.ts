import { describe, expect, it } from 'vitest';
import { jsonLine } from '../../../marbles/record/jsonLine.js';
import { RecordingError, readRecording } from '../../../marbles/record/readRecording.js';
import { eventLine, headerLine } from '../../../marbles/record/writeRecording.js';
import { EVENTS_VERSION, type ToolEvent } from '../../../src/contract/index.js';

const progress = (data: unknown): ToolEvent => ({
  type: 'progress',
  at: 3,
  toolUseId: 't',
  name: 'Bash',
  data,
});
const record = (...events: ToolEvent[]): string => headerLine({ run: 'r1' }) + events.map(eventLine).join('');

describe('a recording', () => {
  it('reads back as it was written, a line an event', () => {
    const events = [progress('one\ntwo\u2028\u202e\x9b'), progress({ a: [1, null, { b: '😀' }] })];
    const text = record(...events);
    expect(text.split('\n')).toHaveLength(4);
    expect(readRecording(text)).toEqual({
      header: { format: 'millrace-recording', version: 1, events: EVENTS_VERSION, run: 'r1' },
      events,
      cut: false,
    });
  });

  it('takes what is no JSON', () => {
    const cycle: Record<string, unknown> = { big: 3n };
    cycle.self = cycle;
    expect(readRecording(record(progress(cycle))).events).toEqual([
      progress({ big: '3', self: '[circular]' }),
    ]);
  });

  it('leaves out a ledger’s context modifications, which are functions', () => {
    const toolUse = { type: 'tool_use', id: 't', name: 'Bash', input: {} } as const;
    const entry = { toolUse, name: 'Bash', isConcurrencySafe: false, executed: 'yes' } as const;
    const ledger = [{ ...entry, modifyContext: (context: never) => context }];
    const event: ToolEvent = { type: 'discarded', at: 9, cause: 'cut', messages: 1, ledger };
    expect(readRecording(record(event)).events).toEqual([{ ...event, ledger: [entry] }]);
  });

  it('loses but the unfinished line when it was cut anywhere', () => {
    const events = [progress('one'), progress('two'), progress('three')];
    const text = record(...events);
    for (let end = headerLine({ run: 'r1' }).length; end <= text.length; end++) {
      const { events: read, cut } = readRecording(text.slice(0, end));
      expect(read).toEqual(events.slice(0, read.length));
      expect(cut).toBe(!text.slice(0, end).endsWith('\n'));
    }
  });

  it.each([
    ['', 1, 'no recording'],
    ['{"type":"queued"}\n', 1, 'no recording'],
    ['{"format":"millrace-recording"}\n', 1, '"version" is no version'],
    ['{"format":"millrace-recording","version":2,"events":1}\n', 1, '"version" is 2'],
    ['{"format":"millrace-recording","version":1,"events":99}\n', 1, '"events" is 99'],
    [`${record(progress('one'))}{"a\n${eventLine(progress('two'))}`, 3, 'no JSON'],
    [`${record()}[]\n`, 2, 'no event'],
    [`${record()}{"type":"queued"}\n`, 2, 'no event'],
  ])('refuses %j and names the line', (text, line, reason) => {
    const read = () => readRecording(text);
    expect(read).toThrow(RecordingError);
    expect(read).toThrow(`line ${line}: ${reason}`);
  });
});

describe('jsonLine', () => {
  it('writes invisible characters as escapes that read back as themselves', () => {
    const text = 'a\x1b\x7f\u0085\u200b\u202e\u2028\ufeff\u{e0041}b';
    const line = jsonLine(text);
    expect(line).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(line)).toBe(text);
  });
});
