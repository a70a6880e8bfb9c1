import { describe, expect, it } from 'vitest';
import { brief, gistOf, progressOf } from '../../../src/cli/view/brief.js';
import { CallNames } from '../../../src/cli/view/callNames.js';
import { eventWords } from '../../../src/cli/view/eventWords.js';
import { messageLines } from '../../../src/cli/view/messageLines.js';
import { ProgressLines } from '../../../src/cli/view/progressLines.js';
import { styleOf, wantsColours } from '../../../src/cli/view/style.js';
import type { QueuedEvent, ToolEvent, WaitingEvent } from '../../../src/contract/index.js';

const queued = (index: number, name: string): QueuedEvent => ({
  type: 'queued',
  at: 0,
  toolUseId: `t${index}`,
  name,
  toolUse: { type: 'tool_use', id: `t${index}`, name, input: {} },
  index,
  batch: 0,
  isConcurrencySafe: true,
});

const namesOf = (...tools: string[]): CallNames => {
  const names = new CallNames();
  tools.forEach((tool, index) => {
    names.add(queued(index, tool));
  });
  return names;
};

const names = namesOf('Read', 'Grep', 'Edit', 'Bash', 'Bash');

const waiting = (reason: WaitingEvent['reason'], on: string[], count = on.length): ToolEvent => ({
  type: 'waiting',
  at: 0,
  toolUseId: 't4',
  name: 'Bash',
  reason,
  on,
  count,
});

describe('the words of an event', () => {
  it.each([
    [waiting('exclusive', ['t0', 't1']), 'exclusive: runs alone, needs #1 Read, #2 Grep ended'],
    [waiting('batch', ['t2']), 'batch: behind #3 Edit, which runs alone'],
    [waiting('limit', []), 'limit: no free slot'],
    [waiting('validation', ['t9']), 'validation: until the input of t9 is checked'],
    [
      waiting('pool', ['t0', 't1', 't2', 't3', 't4'], 12),
      'pool: no free slot in the pool, taken by #1 Read, #2 Grep, #3 Edit, #4 Bash and 8 more',
    ],
  ])('tell why a call waits', (event, more) => {
    expect(eventWords(event, names)).toMatchObject({ what: 'waits', more });
  });

  it('tell who ended a call, and whether it ran', () => {
    const durations = { queued: 9, hooks: 0, permission: 0, running: 0, held: 0 };
    const by = { type: 'call', toolUseId: 't3', name: 'Bash' } as const;
    const outcome = { code: 'sibling_aborted', executed: 'no', by, durations } as const;
    const event = { type: 'completed', at: 9, toolUseId: 't4', name: 'Bash', outcome } as const;
    expect(eventWords(event, names)?.more).toBe('sibling_aborted  not run, #4 Bash failed');
  });

  it('are none for the writing of an input', () => {
    const event = { type: 'input-delta', at: 0, toolUseId: 't0', name: 'Read', input: {} } as const;
    expect(eventWords(event, names)).toBeUndefined();
  });
});

describe('somebody else’s words', () => {
  it('are harmless, on one line, bounded', () => {
    expect(brief('\n one\n\ntwo\r\nthree')).toBe('one (+2 lines)');
    expect(brief('a\tb\x1b[2J')).toBe('a b\\x1b[2J');
    expect(brief('x'.repeat(1e6)).length).toBeLessThan(400);
    expect(brief('')).toBe('');
  });

  it('are the first text of an input, else all of it', () => {
    expect(gistOf({ count: 1, path: 'a.ts', other: 'b' })).toBe('a.ts');
    expect(gistOf({ count: 1 })).toBe('{"count":1}');
    expect(gistOf(undefined)).toBe('undefined');
  });

  it('are the text of a piece of progress, whatever a tool reports', () => {
    expect(progressOf({ stream: 'stderr', text: 'oh\n' })).toBe('stderr: oh');
    expect(progressOf({ stream: 'stdout', text: 'ah\n' })).toBe('ah');
    expect(progressOf('half')).toBe('half');
    expect(progressOf({ done: 3n })).toBe('{"done":"3"}');
  });
});

describe('ProgressLines', () => {
  it('tells a call’s progress ten times a second at most, and counts the rest', () => {
    const lines = new ProgressLines();
    const at = (ms: number, toolUseId = 't0') =>
      lines.tells({ type: 'progress', at: ms, toolUseId, name: 'Bash', data: '' });
    expect([at(0), at(50), at(99), at(100), at(150), at(120, 't1')]).toEqual([
      ...[true, false, false],
      ...[true, false, true],
    ]);
    expect([lines.leftOut('t0'), lines.leftOut('t1'), lines.leftOut('t2')]).toEqual([1, 0, 0]);
  });
});

describe('messageLines', () => {
  const style = styleOf(false);
  const linesOf = (content: string, width = 40) =>
    messageLines(
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't0', content, is_error: true }] },
      { names, width, ellipsis: '..', style },
    );

  it('wraps long lines, keeps indentation and makes text harmless', () => {
    expect(linesOf('  if (a) {\n\tb\x1b\n}\nthe quick brown fox jumps over the lazy dog\n')).toEqual([
      '  tool_result  #1 Read  is_error',
      '      if (a) {',
      '            b\\x1b',
      '    }',
      '    the quick brown fox jumps over the',
      '      lazy dog',
    ]);
  });

  it('bounds what it shows, and says what is left out', () => {
    const lines = linesOf(Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'));
    expect(lines).toHaveLength(14);
    expect(lines.at(-1)).toBe('    .. 88 more lines');
    expect(linesOf('x y '.repeat(1e6)).length).toBeLessThan(30);
  });
});

describe('colours', () => {
  it('are for terminals that have them, unless somebody says no', () => {
    expect(wantsColours(true, true, {})).toBe(true);
    expect(wantsColours(false, true, {})).toBe(false);
    expect(wantsColours(true, false, {})).toBe(false);
    expect(wantsColours(true, true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColours(true, true, { NO_COLOR: '' })).toBe(true);
    expect(wantsColours(true, true, { TERM: 'dumb' })).toBe(false);
    expect(styleOf(false)('a', 'bad')).toBe('a');
    expect(styleOf(true)('a', 'bad')).toBe('\x1b[31ma\x1b[39m');
  });
});
