import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Terminal } from '../../src/cli/terminal.js';
import { LiveView } from '../../src/cli/view/liveView.js';
import type { PlainViewOptions } from '../../src/cli/view/plainView.js';
import type { ToolEvent } from '../../src/contract/index.js';
import { abortedRun, parallelRun } from '../marbles/draw/pictures.js';
import { TurnScript } from '../marbles/model/events.js';
import { VirtualScreen } from './virtualScreen.js';

const start = { name: 'r1', path: 'reply.sse', cwd: '/tmp', speed: 1, limit: 10 };

const begun: LiveView[] = [];

interface Stage {
  readonly screen: VirtualScreen;
  readonly view: LiveView;
  /** Plays events at their times, and lets the view paint in between; `see` is called after each write. */
  play(events: readonly ToolEvent[], see?: () => void): void;
  end(events: readonly ToolEvent[]): void;
}

const stage = (columns = 80, rows = 24, options: Partial<PlainViewOptions> = {}): Stage => {
  const screen = new VirtualScreen(columns, rows);
  const view = new LiveView(new Terminal(screen as never, screen as never), {
    ...{ unicode: false, colours: false },
    get width() {
      return Math.min(120, Math.max(40, screen.columns));
    },
    ...options,
  });
  const began = performance.now();
  view.begin(start);
  begun.push(view);
  return {
    ...{ screen, view },
    play: (events, see = () => undefined) => {
      screen.onWrite = see;
      for (const event of events) {
        vi.advanceTimersByTime(began + event.at - performance.now());
        view.event(event);
      }
      vi.advanceTimersByTime(100);
      screen.onWrite = () => undefined;
    },
    end: (events) => view.end({ events, message: undefined, failure: undefined }),
  };
};

/** A row begins with its gutter and its number. */
const rowsOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => /^[ |│] {0,2}\d+ \D/.test(line));
const numbersOf = (lines: readonly string[]): readonly number[] =>
  rowsOf(lines).map((line) => Number(line.slice(1, 5)));

/** Calls that all wait for the first, which runs. */
const queue = (calls: number): TurnScript => {
  const turn = new TurnScript();
  turn
    .call('c0', 'Bash')
    .queued(0, { index: 0, batch: 0, safe: false, input: { command: 'make' } })
    .started(0);
  for (let index = 1; index < calls; index += 1) {
    const call = turn
      .call(`c${index}`, 'Read')
      .queued(index, { index, batch: 1, safe: true, input: { path: 'a' } });
    call.waiting(index, 'batch', ['c0']);
  }
  return turn;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // The screen's listeners are of the process.
  for (const view of begun.splice(0)) view.end({ events: [], message: undefined, failure: undefined });
  vi.useRealTimers();
});

describe('live rows', () => {
  it('print each settled row once, in call order, above those that are open', () => {
    const { screen, play } = stage();
    play(parallelRun().events());
    expect(rowsOf(screen.lines)).toEqual([
      '|  1 Read a.ts   ^|                                       ok 140ms',
      '|  2 Grep TODO   ^-o3o-|                                  ok 560ms 5 updates',
      '|  3 Glob **.ts  ^--|__v                                  ok 220ms held by #2',
      '   4 Edit a.ts   :.....^==|                               ok 280ms alone',
      '|  5 Read b.ts    ........^-|                             ok 280ms',
    ]);
  });

  it.each([24, 8, 5, 3])('stand on the screen once each at every moment, also on one of %i lines', (rows) => {
    const { screen, play } = stage(80, rows);
    let most = 0;
    play(parallelRun().events(), () => {
      const numbers = numbersOf(screen.lines);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(screen.lines.filter((line) => line.includes('the model writes'))).toHaveLength(1);
      most = Math.max(most, numbers.length);
    });
    expect(most).toBe(5);
  });

  it('show what an open call does, with the chart so far', () => {
    const { screen, play } = stage();
    play(
      parallelRun()
        .events()
        .filter(({ at }) => at <= 500),
    );
    expect(screen.shown.slice(3)).toEqual([
      '1 column = 100ms 0         1s        2s        3s',
      '|  1 Read a.ts   ^|                                       ok 140ms',
      '|  2 Grep TODO   ^-o3o                                    0.4s  480',
      '|  3 Glob **.ts  ^--|_                                    ok 220ms held by #2',
      '   4 Edit a.ts   :....                                    alone, needs #1 #2 #..',
      '|  5 Read b.ts    ....                                    behind #4',
      '1 column = 100ms 0         1s        2s        3s',
      '     0.5s  the model writes  1 running  2 waiting  1 held  1 done',
    ]);
  });

  it('tell attempts, permissions and stops in the words of the lines', () => {
    const { screen, view, play } = stage(100);
    const seen = new Set<string>();
    play(
      abortedRun()
        .events()
        .filter(({ type }) => type !== 'completed' && type !== 'result'),
      () => {
        for (const line of screen.lines) seen.add(line.slice(77).trim());
      },
    );
    expect([...seen]).toContain('permission asked');
    expect([...seen]).toContain('attempt 1, again in ..');
    const cause = { type: 'call', toolUseId: 'p8', name: 'probe' } as const;
    view.event({ type: 'stopping', at: 1700, toolUseId: 'w7', name: 'WebFetch', cause });
    vi.advanceTimersByTime(100);
    expect(screen.lines.join('\n')).toMatch(/1 WebFetch .* asked to stop: #2 pr\.\./);
  });

  it('show the last line a tool has printed', () => {
    const { screen, view, play } = stage();
    play(queue(1).events());
    const data = { stream: 'stdout', text: 'one\ntwo\x1b[2J\n\n' };
    view.event({ type: 'progress', at: 100, toolUseId: 'c0', name: 'Bash', data });
    vi.advanceTimersByTime(100);
    expect(rowsOf(screen.lines)[0]).toMatch(/0\.2s {2}two\\x1b\[2J$/);
  });

  it.each([
    [60, 15],
    [50, 12],
    [80, 5],
    [30, 10],
    [80, 2],
  ])(
    'never take more than a screen of %i columns and %i lines, and count what has no room',
    (columns, rows) => {
      const { screen, play } = stage(columns, rows, { width: columns });
      vi.advanceTimersByTime(0);
      play(queue(60).events());
      const frame = screen.writes.at(-1) ?? '';
      const lines = frame.split('\r\n');
      expect(lines.length).toBeLessThan(rows);
      for (const line of screen.shown) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      if (rows < 5) return;
      const folded = Number(/\.\. (\d+) more waiting/.exec(frame)?.[1]);
      expect(numbersOf(screen.lines)).toHaveLength(60 - folded);
      expect(numbersOf(screen.lines)[0]).toBe(1);
    },
  );

  it('keep what runs in sight where not all has room', () => {
    const { screen, play } = stage(60, 12);
    const turn = queue(40);
    turn.call('c30', 'Read').started(50);
    play(turn.events());
    expect(numbersOf(screen.lines)).toEqual([1, 2, 3, 4, 5, 6, 7, 31]);
  });

  it('are painted ten times a second at most, each frame in one write', () => {
    const { screen, play } = stage();
    const turn = new TurnScript();
    const call = turn.call('a', 'Bash').queued(0, { index: 0, batch: 0, safe: false }).started(0);
    call.progress(...Array.from({ length: 5000 }, (_, ms) => ms));
    play(turn.events());
    expect(screen.writes.length).toBeGreaterThan(45);
    expect(screen.writes.length).toBeLessThanOrEqual(52);
    for (const write of screen.writes) {
      expect(write.startsWith('\x1b[?2026h')).toBe(true);
      expect(write.indexOf('\x1b[?2026l')).toBe(write.length - 8);
    }
  });

  it('get a coarser axis when they have grown too long, told where the rows above are on another', () => {
    const { screen, play } = stage();
    const turn = new TurnScript();
    turn.call('a').queued(0, { index: 0, batch: 0, safe: true }).started(0).done(3900);
    turn.call('b').queued(0, { index: 1, batch: 0, safe: true }).started(0).done(4000);
    turn.call('c').queued(0, { index: 2, batch: 0, safe: true }).started(0).done(4100);
    play(turn.events());
    expect(screen.lines.slice(3, 8)).toEqual([
      '1 column = 100ms 0         1s        2s        3s',
      `|  1 tool        ^${'-'.repeat(38)}| ok 3.90s`,
      '1 column = 200ms 0         2s        4s        6s',
      `|  2 tool        ^${'-'.repeat(19)}|                    ok 4.00s`,
      `|  3 tool        ^${'-'.repeat(19)}|                    ok 4.10s`,
    ]);
  });

  it('use ASCII alone, and no colours, where that is wanted; colours elsewhere', () => {
    const bare = stage(60, 15);
    bare.play(queue(30).events());
    const written = bare.screen.writes
      .join('')
      .replaceAll('\x1b', '')
      .replaceAll('\r\n', '')
      .replaceAll('\r', '');
    expect(written).toMatch(/^[ -~]*$/);
    expect(written).not.toMatch(/\[[\d;]*m/);
    const coloured = stage(60, 15, { colours: true, unicode: true });
    coloured.play(abortedRun().events());
    expect(coloured.screen.writes.join('')).toContain('\x1b[31merror after 1.55s\x1b[39m');
    expect(coloured.screen.lines.join('\n')).toContain('▸');
  });
});

describe('the end of live rows', () => {
  it('leaves the settled rows and the drawing, the cursor, and neither timer nor listener', () => {
    const listeners = () => process.listenerCount('exit') + process.listenerCount('SIGTSTP');
    const before = listeners();
    const { screen, play, end } = stage();
    const events = parallelRun().events();
    play(events);
    expect(screen.cursorVisible).toBe(false);
    expect(listeners()).toBeGreaterThan(before);
    end(events);
    expect([vi.getTimerCount(), listeners()]).toEqual([0, before]);
    expect([screen.cursorVisible, screen.atNewLine]).toEqual([true, true]);
    const text = screen.lines.join('\n');
    expect(text).not.toContain('the model writes');
    expect(text.match(/^run r1 {2}5 calls/gm)).toHaveLength(1);
    expect(numbersOf(screen.lines).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(screen.lines.filter((line) => line.startsWith('1 column = 100ms'))).toHaveLength(1);
  });

  it('is not waited for: frames keep no program alive', () => {
    const timers = vi.spyOn(globalThis, 'setInterval');
    stage();
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    timers.mockRestore();
  });

  it('takes off what is still open', () => {
    const { screen, play, end } = stage(60, 10);
    const events = queue(20).events();
    play(events);
    end(events);
    expect(screen.lines.join('\n')).not.toContain('more waiting');
    expect(screen.lines[3]).toBe('');
    expect(screen.lines[4]).toMatch(/^run r1 {2}20 calls/);
  });

  it('gives the cursor back where the program is left at once, and keeps what was seen', () => {
    const { screen, play, end } = stage();
    const events = parallelRun().events();
    play(events.slice(0, -1));
    const left = process.listeners('exit').at(-1) as () => void;
    left();
    expect([screen.cursorVisible, screen.atNewLine]).toEqual([true, true]);
    expect(numbersOf(screen.lines)).toEqual([1, 2, 3, 4, 5]);
    end(events);
  });
});

describe('live rows beside other things', () => {
  it('make room for a question, stand still while it is open, and are painted anew behind it', () => {
    const { screen, view, play } = stage(80, 24);
    const events = queue(2).events();
    play(events);
    view.pause();
    expect(rowsOf(screen.shown)).toEqual([]);
    expect(screen.cursorVisible).toBe(true);
    screen.write('allow? ');
    const writes = screen.writes.length;
    view.event({ type: 'stop', at: 400, reason: 'interrupted', by: 'Ctrl-C' });
    vi.advanceTimersByTime(1000);
    expect(screen.writes.length).toBe(writes);
    screen.write('once\r\n');
    view.resume();
    const lines = screen.lines.slice(3);
    expect(lines[0]).toBe('allow? once');
    expect(lines[1]).toMatch(/turn +stop/);
    expect(numbersOf(lines)).toEqual([1, 2]);
  });

  it('make room for a problem', () => {
    const { screen, view, play, end } = stage();
    const events = queue(3).events();
    play(events);
    view.interrupting();
    vi.advanceTimersByTime(100);
    expect(screen.lines.slice(2, 6)).toEqual([
      '',
      'millrace: stopping; Ctrl-C again leaves at once',
      '   1 Bash make   ^=                                       running for 0.2s',
      '|  2 Read a      ..                                       behind #1',
    ]);
    end(events);
  });

  it('stand below what the model says and what becomes of the turn', () => {
    const { screen, view, play } = stage();
    play(queue(2).events());
    view.model({ type: 'block', index: 0, block: { type: 'text', text: 'Now\x07 I\nwrite.' } } as never, 60);
    view.event({ type: 'stop', at: 70, reason: 'interrupted', by: 'Ctrl-C' });
    vi.advanceTimersByTime(100);
    expect(screen.lines[3]).toMatch(/0\.060s {2}model {8}says {8}Now\\x07 I \(\+1 line\)/);
    expect(screen.lines[4]).toMatch(/0\.070s {2}turn {9}stop {8}interrupted by Ctrl-C/);
    expect(numbersOf(screen.lines)).toEqual([1, 2]);
  });

  it.each([
    [40, 24],
    [100, 24],
    [55, 20],
    [30, 24],
  ])('are painted anew for a terminal that has become %i by %i', (columns, rows) => {
    const { screen, view, play } = stage(80, 24);
    const events = queue(6).events();
    play(events);
    screen.resize(columns, rows);
    vi.advanceTimersByTime(100);
    expect(numbersOf(screen.lines)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(screen.lines.filter((line) => line.includes('the model writes'))).toHaveLength(1);
    for (const line of screen.lines.slice(3)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    view.end({ events, message: undefined, failure: undefined });
    const drawing = screen.lines.find((line) => line.startsWith('run r1')) ?? '';
    expect(stringWidth(drawing)).toBeLessThanOrEqual(Math.max(40, columns));
  });

  it('fold into a terminal that has become lower', () => {
    const { screen, play } = stage(80, 24);
    play(queue(12).events());
    screen.resize(80, 10);
    vi.advanceTimersByTime(100);
    expect(screen.writes.at(-1)?.split('\r\n').length).toBeLessThan(10);
    expect(screen.shown.join('\n')).toContain('more waiting');
  });
});
