import { foldCall } from '../../../marbles/model/foldCall.js';
import { finishLane, type LaneBuilder, newLane } from '../../../marbles/model/laneBuilder.js';
import type { CallLane } from '../../../marbles/model/run.js';
import type { CallEvent, InputDeltaEvent, ProgressEvent } from '../../contract/index.js';

/** Milliseconds of the finest live column. */
export const LEAST_COLUMN = 100;
/** A column counts up to ten pieces of progress; more of them change no picture. */
const MOST_COUNTED = 10;

interface Progress {
  column: number;
  count: number;
}

/** The calls of a turn while it runs, folded event by event; a call leaves when its result is out. */
export class LiveLanes {
  readonly #open = new Map<string, LaneBuilder>();
  readonly #numbers = new Map<string, number>();
  readonly #progress = new Map<string, Progress>();

  /** Calls whose result is not out, in call order. */
  get open(): readonly LaneBuilder[] {
    return [...this.#open.values()];
  }

  /** By id, from 1; of all calls that were heard of. */
  get numbers(): ReadonlyMap<string, number> {
    return this.#numbers;
  }

  /** Returns the call whose result the event lets out. */
  see(event: CallEvent): CallLane | undefined {
    const lane = this.#laneOf(event);
    if (lane === undefined) return undefined;
    if (event.type === 'queued') this.#numbers.set(event.toolUseId, event.index + 1);
    if (event.type === 'input-delta') write(lane, event);
    if (event.type === 'progress' && this.#isTooMuch(event)) lane.updates += 1;
    else foldCall(lane, event);
    return event.type === 'result' ? this.#settle(lane, event.at) : undefined;
  }

  #laneOf({ toolUseId, name, at }: CallEvent): LaneBuilder | undefined {
    const known = this.#open.get(toolUseId);
    if (known !== undefined || this.#numbers.has(toolUseId)) return known;
    const lane = newLane(toolUseId, name, at);
    this.#open.set(toolUseId, lane);
    this.#numbers.set(toolUseId, this.#numbers.size + 1);
    return lane;
  }

  /** So that a tool that reports without end costs each frame no more than its columns. */
  #isTooMuch({ toolUseId, at }: ProgressEvent): boolean {
    const column = Math.floor(at / LEAST_COLUMN);
    const counted = this.#progress.get(toolUseId);
    const count = counted?.column === column ? counted.count + 1 : 1;
    this.#progress.set(toolUseId, { column, count });
    return count > MOST_COUNTED;
  }

  #settle(lane: LaneBuilder, at: number): CallLane {
    this.#open.delete(lane.toolUseId);
    this.#progress.delete(lane.toolUseId);
    return finishLane(lane, at);
  }
}

/** An open lane as it stands at an instant; the lane itself goes on. */
export const laneAt = (lane: LaneBuilder, at: number): CallLane =>
  finishLane({ ...lane, segments: [...lane.segments], waits: [] }, at);

/** What is written so far names the call on the screen; what it is called with comes when it is queued. */
const write = (lane: LaneBuilder, { toolUseId: id, name, input }: InputDeltaEvent): void => {
  lane.toolUse = { type: 'tool_use', id, name, input };
};
