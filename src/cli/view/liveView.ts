import type { LateEvent, ModelEvent, ToolEvent } from '../../contract/index.js';
import type { Terminal } from '../terminal.js';
import { isOfCall } from './eventWords.js';
import { frameLines } from './liveFrame.js';
import { liveLayout } from './liveLayout.js';
import { LiveRegion } from './liveRegion.js';
import { LiveRows } from './liveRows.js';
import { keepScreen } from './liveScreen.js';
import { PlainView, type PlainViewOptions } from './plainView.js';
import type { RunEnd, RunStart, RunView } from './runView.js';
import { type Style, styleOf } from './style.js';

/** Milliseconds from one frame to the next. */
const FRAME_MS = 100;
/** Lines of a terminal that does not tell its size. */
const ROWS_ELSEWHERE = 24;

/**
 * Rows that grow while the run goes on: those of calls whose results are out are printed once and scroll up, the
 * others are painted in place, ten times a second. What the model says and what becomes of the turn are lines, as
 * in `PlainView`, and so is the end.
 */
export class LiveView implements RunView {
  readonly #region: LiveRegion;
  readonly #plain: PlainView;
  readonly #rows = new LiveRows();
  readonly #style: Style;
  readonly #time: TurnTime;
  #modelWrites = true;
  #paused = false;
  #stop: () => void = () => undefined;

  /** @param now milliseconds that never go back */
  constructor(
    private readonly terminal: Terminal,
    private readonly options: PlainViewOptions,
    now: () => number = () => performance.now(),
  ) {
    this.#region = new LiveRegion(terminal);
    this.#style = styleOf(options.colours);
    this.#time = new TurnTime(now);
    const lines = {
      line: (text = '') => this.#region.print(text),
      problem: (text: string) => terminal.problem(text),
    };
    const { unicode, colours } = options;
    this.#plain = new PlainView(lines, {
      ...{ unicode, colours, calls: false },
      // Not copied: it is read each time.
      get width() {
        return options.width;
      },
    });
  }

  begin(run: RunStart): void {
    this.#time.begin();
    this.#plain.begin(run);
    this.terminal.beforeProblem(() => {
      if (!this.#paused) this.#region.clear();
    });
    const release = keepScreen(this.#region);
    const timer = setInterval(() => this.#frame(), FRAME_MS);
    // What runs keeps the program alive, its picture does not.
    timer.unref();
    this.#stop = () => {
      clearInterval(timer);
      release();
    };
    this.#frame();
  }

  model(event: ModelEvent, at: number): void {
    this.#time.see(at);
    if (event.type === 'message-end') this.#modelWrites = false;
    this.#plain.model(event, at);
  }

  event(event: ToolEvent): void {
    this.#time.see(event.at);
    this.#plain.event(event);
    if (!isOfCall(event)) return;
    const layout = liveLayout(this.#columns, this.options.unicode);
    for (const line of this.#rows.see(event, layout, this.#style)) this.#region.print(line);
  }

  late(late: LateEvent): void {
    this.#plain.late(late);
  }

  pause(): void {
    this.#paused = true;
    this.#region.close();
  }

  resume(): void {
    this.#paused = false;
    this.#frame();
  }

  interrupting(): void {
    this.#plain.interrupting();
  }

  end(run: RunEnd): void {
    this.#paused = false;
    this.#stop();
    this.#plain.end(run);
    this.#region.close();
  }

  #frame(): void {
    if (this.#paused) return;
    const lines = frameLines(this.#rows, {
      columns: this.#columns,
      rows: this.terminal.rows || ROWS_ELSEWHERE,
      unicode: this.options.unicode,
      style: this.#style,
      at: this.#time.now,
      modelWrites: this.#modelWrites,
    });
    this.#region.paint(lines);
  }

  /** What is painted over must not wrap, whatever width was asked for. */
  get #columns(): number {
    const { width } = this.options;
    return Math.min(width, this.terminal.columns || width);
  }
}

/** The turn's own time, told from when its events are heard of. */
class TurnTime {
  #began: number | undefined;
  #heard = false;

  constructor(private readonly clock: () => number) {}

  /** The turn begins about now; its first event says when. */
  begin(): void {
    this.#began = this.clock();
  }

  /** Something happens at `at` ms of the turn: now, or a moment ago. */
  see(at: number): void {
    const began = this.clock() - at;
    this.#began = this.#heard ? Math.min(this.#began ?? began, began) : began;
    this.#heard = true;
  }

  /** ms of the turn. */
  get now(): number {
    return Math.max(0, Math.floor(this.clock() - (this.#began ?? this.clock())));
  }
}
