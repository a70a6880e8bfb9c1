import { type Axis, makeAxis } from '../../../marbles/draw/axis.js';
import { axisLines } from '../../../marbles/draw/axisRow.js';
import { callLabel } from '../../../marbles/draw/callRows.js';
import { rowLines } from '../../../marbles/draw/chartRow.js';
import { wholeAxis } from '../../../marbles/draw/fitAxis.js';
import { fitText } from '../../../marbles/draw/fitText.js';
import { type Naming, namingBy } from '../../../marbles/draw/naming.js';
import { heldByOf, noteOf } from '../../../marbles/draw/note.js';
import { paintLane } from '../../../marbles/draw/paintLane.js';
import type { LaneBuilder } from '../../../marbles/model/laneBuilder.js';
import type { CallLane } from '../../../marbles/model/run.js';
import type { CallEvent } from '../../contract/index.js';
import { CallNames } from './callNames.js';
import { outcomeTone } from './eventWords.js';
import { LEAST_COLUMN, LiveLanes, laneAt } from './liveLanes.js';
import type { LiveLayout } from './liveLayout.js';
import { LastWords, liveNote } from './liveNote.js';
import type { Style, Tone } from './style.js';

/** The calls of a running turn as rows: each once when it is settled, and what is open at any instant. */
export class LiveRows {
  readonly #lanes = new LiveLanes();
  readonly #names = new CallNames();
  readonly #words = new LastWords();
  readonly #naming: Naming = namingBy(this.#lanes.numbers);
  /** Of the settled calls the one that ended last: what held back results behind it. */
  #last: CallLane | undefined;
  #scale = 0;
  #settled = 0;

  /** Calls whose result is out. */
  get settled(): number {
    return this.#settled;
  }

  /** Calls whose result is not out, in call order. */
  get open(): readonly LaneBuilder[] {
    return this.#lanes.open;
  }

  /** Returns the lines to print for good: the row of a call whose result the event lets out. */
  see(event: CallEvent, layout: LiveLayout, style: Style): readonly string[] {
    if (event.type === 'queued') this.#names.add(event);
    this.#words.see(event);
    const lane = this.#lanes.see(event);
    return lane === undefined ? [] : this.#settle(lane, event.at, layout, style);
  }

  /** The rows of some of the open calls, as they stand at `at`. */
  rows(shown: readonly LaneBuilder[], at: number, layout: LiveLayout, style: Style): readonly string[] {
    const axis = axisAt(at, layout);
    const heldBy = heldByOf({ calls: this.open });
    const context = { at, room: layout.note, naming: this.#naming, names: this.#names, heldBy };
    return shown.flatMap((lane) => {
      const note = liveNote(lane, this.#words.of(lane.toolUseId), context);
      return this.#row(
        laneAt(lane, at),
        axis,
        layout,
        style(fitText(note, layout.note, layout.ellipsis), 'quiet'),
      );
    });
  }

  #settle(lane: CallLane, at: number, layout: LiveLayout, style: Style): readonly string[] {
    const heldBy = heldByOf({ calls: this.#last === undefined ? [lane] : [this.#last, lane] });
    if ((lane.endedAt ?? 0) >= (this.#last?.endedAt ?? 0)) this.#last = lane;
    this.#settled += 1;
    const axis = axisAt(at, layout);
    const text = fitText(noteOf(lane, heldBy, this.#naming, layout.note), layout.note, layout.ellipsis);
    const tone: Tone = lane.outcome === undefined ? 'plain' : outcomeTone(lane.outcome);
    const row = this.#row(lane, axis, layout, style(text, tone));
    if (axis.scale === this.#scale) return row;
    // Rows below an axis are on that axis: where its scale changes, there is a new one.
    this.#scale = axis.scale;
    return [...timesLines(axis, layout, style), ...row];
  }

  #row(lane: CallLane, axis: Axis, layout: LiveLayout, note: string): readonly string[] {
    const label = callLabel(lane, gutterOf(lane, layout), this.#naming, layout);
    const lines = rowLines({ label, cells: paintLane(lane, axis), note }, layout);
    return lines.length < layout.lines ? [...lines, ''] : lines;
  }
}

/** Milliseconds below which a column tells nothing, for a frame is no shorter; the whole run so far fits. */
export const axisAt = (at: number, { chart }: LiveLayout): Axis => wholeAxis(at, chart, LEAST_COLUMN);

/** The line of times with its scale, as far as rows on it can grow. */
export const timesLines = ({ scale }: Axis, layout: LiveLayout, style: Style): readonly string[] =>
  axisLines(makeAxis(scale, scale * layout.chart - 1), layout, true).map((line) => style(line, 'quiet'));

/** A bracket that joins shared calls has no ends here: whether the next call belongs to it is not known yet. */
const gutterOf = ({ isConcurrencySafe }: CallLane, { unicode }: LiveLayout): string => {
  if (!isConcurrencySafe) return ' ';
  return unicode ? '│' : '|';
};
