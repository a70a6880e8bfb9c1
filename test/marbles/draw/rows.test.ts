import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type DrawRowsOptions, drawRows } from '../../../marbles/draw/rows.js';
import { foldRun } from '../../../marbles/model/foldRun.js';
import { TurnScript } from '../model/events.js';
import { abortedRun, parallelRun } from './pictures.js';

const first = { run: 'r1', turn: 1, limit: 10 };
const second = { run: 'r2', turn: 3, firstNumber: 7 };
const linesOf = (turn: TurnScript, options?: DrawRowsOptions): readonly string[] =>
  drawRows(turn.events(), options).split('\n');
const rowOf = (turn: TurnScript, options?: DrawRowsOptions): string => linesOf(turn, options)[2] ?? '';
const one = (name: string, input: unknown): TurnScript => {
  const turn = new TurnScript();
  turn.call('a', name).queued(0, { index: 0, batch: 0, safe: true, input }).started(0).done(9);
  return turn;
};

describe('drawRows', () => {
  it('draws the first picture of the notation', () => {
    expect(drawRows(parallelRun().events(), first)).toBe(
      String.raw`
run r1  turn 1  5 calls  wall 1.18s  busy 1.48s (1.25x)  peak 3 of 10           1 column = 20ms
                 0         200ms     400ms     600ms     800ms     1s
/  1 Read a.ts   ::^------|                                                   ok 140ms
|  2 Grep TODO     :^------o-----o2------o------|                             ok 560ms 5 updates
\  3 Glob **.ts     :^----------|_______________v                             ok 220ms held by #2
   4 Edit a.ts       ::.........................^=============|               ok 280ms alone
   5 Read b.ts         :......................................^-------------| ok 280ms
     running       123333322222211111111111111111111111111111111111111111111
     waiting           122222222222222222222222211111111111111
  #4 waited 500ms: alone, needs #1 #2 #3 ended    #5 waited 760ms: behind #4
  legend  : input  . waiting  ^ start  - shared  = alone  o 2 progress  | ok  _ held  v released`.slice(1),
    );
  });

  it('draws the second, without footers and legend', () => {
    // The notation's own picture ends #10 one column later than its wait line says (0.350s + 1.40s).
    expect(drawRows(abortedRun().events(), { ...second, footers: false, legend: false })).toBe(
      String.raw`
run r2  turn 3  4 calls  wall 1.75s  siblings aborted at 1.75s                  1 column = 50ms
                 0         500ms     1s        1.5s
/  7 WebFetch    ::????????????????^-----o-----o----!                         aborted by #8
|  8 probe         ::^---3-----2-----o-----4-----o--#                         error after 1.55s
\  9 WebFetch        :^---------#~~~~^---------@~~~~!                         aborted by #8
  10 Edit c.ts        ::............................x                         not run
  ! 1.750s  #8 probe failed and aborts siblings: #7 #9 stopped, #10 answered without running
  @ 1.500s  #9 attempt 2 ran into its 500ms limit (attempt 1: HTTP 503, back-off 250ms)
  . 0.350s  #10 waited 1.40s: alone, needs #7 #8 #9 ended`.slice(1),
    );
  });

  it('draws both alphabets in the same columns', () => {
    const ascii = linesOf(abortedRun(), second).slice(2, 6);
    const unicode = linesOf(abortedRun(), { ...second, unicode: true }).slice(2, 6);
    expect(unicode[1]).toContain('│  8 probe         ┄┄▸───3─────2─────●─────4─────●──✗');
    expect(unicode.map((line) => stringWidth(line))).toEqual(ascii.map((line) => stringWidth(line)));
  });

  it.each([40, 59, 60, 79, 80, 99, 100, 200])('keeps within %i columns', (width) => {
    for (const turn of [parallelRun(), abortedRun()]) {
      for (const line of linesOf(turn, { ...first, width })) {
        expect(stringWidth(line)).toBeLessThanOrEqual(Math.min(width, 100));
      }
    }
  });

  it('puts notes under the rows below 60 columns', () => {
    const lines = linesOf(parallelRun(), { width: 59 });
    const row = lines.findIndex((line) => line.startsWith('/  1 Read a.ts'));
    expect(lines[row + 1]).toBe(`${' '.repeat(17)}ok 140ms`);
  });

  it('moves the scale in front of the axis where the first line has no room for it', () => {
    const named = { run: 'fix-the-build', width: 80, footers: false, legend: false };
    expect(linesOf(abortedRun(), named).slice(0, 3)).toEqual([
      'run fix-the-build  4 calls  wall 1.75s  siblings aborted at 1.75s',
      '1 column = 50ms  0         500ms     1s        1.5s',
      '/  1 WebFetch    ::????????????????^-----o-----o----!     aborted by #2',
    ]);
    expect(linesOf(abortedRun(), { ...named, run: 'r2' }).slice(0, 2)).toEqual([
      'run r2  4 calls  wall 1.75s  siblings aborted at 1.75s      1 column = 50ms',
      '                 0         500ms     1s        1.5s',
    ]);
  });

  it.each([39, 80.5, Number.NaN])('refuses a width of %d', (width) => {
    expect(() => drawRows([], { width })).toThrow('expected `width` to be an integer of at least 40 columns');
  });

  it('draws a run as it draws its events, twice the same', () => {
    const events = abortedRun().events();
    expect(drawRows(foldRun(events))).toBe(drawRows(events));
    expect(drawRows(events)).toBe(drawRows(events));
  });

  it('draws a turn without calls', () => {
    expect(drawRows([])).toContain('0 calls  wall 0ms  busy 0ms  peak 0');
  });

  it('takes the finest scale of 1, 2, 5, 10 … that fits', () => {
    const scaleOf = (wall: number): string | undefined => {
      const turn = new TurnScript();
      const call = turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0);
      // Progress all along, so that nothing can be cut out.
      call.progress(...Array.from({ length: 20 }, (_, index) => (wall * index) / 20)).done(wall);
      return /1 column = (\S+)/.exec(drawRows(turn.events()))?.[1];
    };
    expect([59, 60, 119, 120, 299, 300, 59_000, 60_000, 3_600_000].map(scaleOf)).toEqual([
      '1ms',
      '2ms',
      '2ms',
      '5ms',
      '5ms',
      '10ms',
      '1s',
      '2s',
      '1m40s',
    ]);
  });
});

describe('labels', () => {
  it('show the name and the first text of the input, cut to their room', () => {
    expect(rowOf(one('Read', { limit: 3, path: 'a.ts' }))).toMatch(/^ {3}1 Read a\.ts {3}\^-+\|/);
    expect(rowOf(one('Bash', { command: 'npm run build' }))).toMatch(/^ {3}1 Bash npm \.\. \^/);
    expect(rowOf(one('Bash', { command: 'npm run build' }), { unicode: true })).toMatch(
      /^ {3}1 Bash npm r… ▸/,
    );
    expect(rowOf(one('WebFetch', { url: 'https://a.example' }))).toMatch(/^ {3}1 WebFetch {4}\^/);
    expect(rowOf(one('Read', { path: '/home/me/project/x.ts' }))).toMatch(/^ {3}1 Read x\.ts {3}\^/);
  });

  it('count wide characters as two columns and never split one', () => {
    const row = rowOf(one('Read', { path: '日本語のファイル' }));
    expect(stringWidth(row.slice(0, row.indexOf('^')))).toBe(17);
  });

  it.each([
    ['an escape sequence', '\u001b[2J', '\\x1b'],
    ['a C1 control', '\u009b2J', '\\x9b'],
    ['a line break', 'a\nb', 'a\\nb'],
    ['a bidi override', '\u202eab', '\\u202e'],
    ['a zero-width space', '\u200bab', '\\u200b'],
    ['a lone surrogate', '\ud800', '\\ud800'],
    ['a tag', '\u{e0041}', '\\u{'],
    ['a filler', '\u3164', '\\u3164'],
  ])('make %s visible', (_, text, shown) => {
    const drawn = drawRows(one('T', { text }).events());
    expect(drawn).toContain(shown);
    expect(drawn).toMatch(/^[ -~\n]*$/);
  });

  it('stay within their line whatever a name or an error is', () => {
    const hostile = '\r\u001b]0;x\u0007\u2028'.repeat(50);
    const turn = new TurnScript();
    turn
      .call('a', hostile)
      .queued(0, { index: 0, batch: 0, safe: true })
      .started(0)
      .done(5, 'tool_error', { error: { message: hostile } });
    const drawn = drawRows(turn.events(), { run: hostile });
    expect(drawn).toMatch(/^[ -~\n]*$/);
    for (const line of drawn.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe('a long stretch without change', () => {
  const night = (): TurnScript => {
    const turn = new TurnScript();
    turn
      .call('a')
      .queued(0, { index: 0, batch: 0, safe: true })
      .permission(5, 'asked')
      .permission(3_600_020, 'decided')
      .started(3_600_020)
      .done(3_600_030);
    turn.call('b').queued(0, { index: 1, batch: 0, safe: true }).started(0).done(4);
    return turn;
  };

  it('is cut out on every row, with its length on the axis', () => {
    const [, axis, a, b, running, waiting] = linesOf(night());
    expect(axis).toBe(`${' '.repeat(17)}0     +1h 1h0.02s   1h0.03s`);
    expect(a).toContain('.....??//?^---------|');
    expect(b).toMatch(/ \^---\| {2}\/\/ +ok 4ms/);
    expect(running).toContain('1111   //');
    expect(waiting).toContain('1111111//');
  });

  it('is told by the legend', () => {
    expect(drawRows(night().events())).toContain('// cut');
  });

  it('is left alone where the run is readable whole', () => {
    const turn = new TurnScript();
    turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(2).progress(3).done(50);
    expect(rowOf(turn)).toContain(`..^o${'-'.repeat(46)}|`);
  });

  it('is left alone where it is no longer than the rest', () => {
    expect(drawRows(parallelRun().events())).not.toContain('//');
  });
});

describe('more than 40 calls', () => {
  const many = (calls: number): TurnScript => {
    const turn = new TurnScript();
    for (let index = 0; index < calls; index += 1) {
      const at = Math.floor(index / 3) * 10;
      const call = turn.call(`c${index}`).queued(0, { index, batch: 0, safe: true });
      if (index > 0) call.waiting(0, 'limit');
      if (index === calls - 1) call.done(at, 'interrupted');
      else call.started(at).done(at + 10);
    }
    return turn;
  };

  it('are drawn by slot, with what never started counted', () => {
    const lines = linesOf(many(43));
    expect(lines.filter((line) => /^ {5}slot \d/.test(line))).toHaveLength(3);
    expect(lines[2]).toMatch(/^ {5}slot 1 {6}\^-\|-\|/);
    expect(lines[2]).toContain('14 calls');
    expect(drawRows(many(43).events())).toContain('1 never started');
  });

  it('list some of their waits and count the rest', () => {
    expect(drawRows(many(43).events())).toMatch(/and 3\d more/);
  });

  it('up to 40 have a row each', () => {
    expect(linesOf(many(40)).filter((line) => /^[/|\\] +\d+ tool/.test(line))).toHaveLength(40);
  });
});

describe('causes', () => {
  const stopped = (write: (turn: TurnScript) => unknown): string => {
    const turn = new TurnScript();
    write(turn);
    return drawRows(turn.events());
  };
  const place = (index: number) => ({ index, batch: index, safe: false });

  it('tell an interruption, and whose grace lapsed', () => {
    const by = { type: 'user', reason: 'stop it' } as const;
    const drawn = stopped((turn) => {
      turn
        .call('a')
        .queued(0, place(0))
        .started(0)
        .stopping(10, by)
        .done(30, 'interrupted', { by, stopped: false });
      turn.call('b').queued(0, place(1)).done(10, 'interrupted', { by });
    });
    expect(drawn.replace(/\s+/g, ' ')).toContain(
      ' ! 0.010s interrupted by the user (stop it): #1 given up when the grace lapsed, #2 answered without running',
    );
    expect(drawn).toContain('interrupted at 10ms');
  });

  it('tell a timeout of the whole call and a refusal', () => {
    const drawn = stopped((turn) => {
      turn
        .call('a', 'Bash')
        .queued(0, place(0))
        .started(0)
        .done(500, 'timeout', { by: { type: 'limit', limit: 'idle', ms: 500 } });
      turn
        .call('b', 'Write')
        .queued(0, place(1))
        .done(510, 'denied', {
          by: { type: 'rule', rule: 'Write(/etc/**)' },
          error: { message: 'not there' },
        });
    });
    expect(drawn).toContain('  @ 0.500s  #1 ran into its 500ms idle limit');
    expect(drawn).toContain('  x 0.510s  #2 Write denied (rule Write(/etc/**)): not there');
  });

  it('tell a failure that aborted nobody', () => {
    const drawn = stopped((turn) => {
      turn
        .call('a', 'Bash')
        .queued(0, place(0))
        .started(0)
        .done(5, 'tool_error', { error: { message: 'exit 1' } });
    });
    expect(drawn).toContain('  # 0.005s  #1 Bash failed: exit 1');
  });

  it('count blockers that are not named', () => {
    const drawn = stopped((turn) => {
      turn.call('a').queued(0, place(0)).waiting(0, 'exclusive', ['x1', 'x2'], 12).started(5).done(6);
    });
    expect(drawn).toContain('#1 waited 5ms: alone, needs x1 x2 and 10 more ended');
  });
});
