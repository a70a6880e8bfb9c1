import type { SchedulerLike, Subscription } from 'rxjs';

/** Something that happens unless it is cancelled in time. */
export interface Deadline {
  cancel(): void;
}

/**
 * The deadlines of a turn: one timer for each length, not one for each call.
 *
 * Deadlines of one length fall due in the order they were made, so a queue and a timer for its head will do.
 * When none is left, no timer is (law 12).
 */
export class Deadlines {
  readonly #lanes = new Map<number, Lane>();

  constructor(
    private readonly scheduler: SchedulerLike,
    /** The instant now, on the scheduler's clock. */
    private readonly now: () => number,
    /** Called whenever some fall due, before they are told. */
    private readonly onRing: () => void,
  ) {}

  /** Calls `fire` in so many milliseconds; `Infinity` is never. */
  after(ms: number, fire: () => void): Deadline | undefined {
    if (ms === Number.POSITIVE_INFINITY) return undefined;
    let lane = this.#lanes.get(ms);
    if (lane === undefined) {
      lane = new Lane(this.scheduler, this.onRing);
      this.#lanes.set(ms, lane);
    }
    return lane.add(this.now() + ms, fire);
  }

  clear(): void {
    for (const lane of this.#lanes.values()) lane.clear();
  }
}

// A timer can't be set for longer: a longer one would fire at once. It is set again when it rings early.
const longest = 2 ** 31 - 1;

class Lane {
  #queue: Entry[] = [];
  #head = 0;
  #live = 0;
  #ringing = false;
  #timer: Subscription | undefined;

  constructor(
    private readonly scheduler: SchedulerLike,
    private readonly onRing: () => void,
  ) {}

  add(due: number, fire: () => void): Deadline {
    const entry = new Entry(this, due, fire);
    this.#queue.push(entry);
    this.#live++;
    // While it rings, the loop below arms for whatever is then the head.
    if (!this.#ringing) this.#timer ??= this.#arm(entry);
    return entry;
  }

  cancelled(): void {
    if (--this.#live === 0) this.clear();
    else if (this.#queue.length - this.#head > 64 + 2 * this.#live) {
      this.#queue = this.#queue.slice(this.#head).filter((entry) => entry.fire !== undefined);
      this.#head = 0;
    }
  }

  clear(): void {
    // Whoever cancels one of these later must not be counted again.
    for (const entry of this.#queue) entry.fire = undefined;
    this.#queue = [];
    this.#head = 0;
    this.#live = 0;
    this.#timer?.unsubscribe();
    this.#timer = undefined;
  }

  #arm(entry: Entry): Subscription {
    const delay = Math.min(Math.max(entry.due - this.scheduler.now(), 0), longest);
    return this.scheduler.schedule(() => this.#ring(), delay);
  }

  #ring(): void {
    this.#timer = undefined;
    this.onRing();
    this.#ringing = true;
    const now = this.scheduler.now();
    for (let entry = this.#queue[this.#head]; entry !== undefined; entry = this.#queue[this.#head]) {
      const { fire } = entry;
      if (fire !== undefined && entry.due > now) break;
      this.#head++;
      if (fire === undefined) continue;
      entry.fire = undefined;
      this.#live--;
      fire();
    }
    this.#ringing = false;
    const head = this.#queue[this.#head];
    if (head === undefined) this.clear();
    else this.#timer = this.#arm(head);
  }
}

class Entry implements Deadline {
  constructor(
    private readonly lane: Lane,
    readonly due: number,
    public fire: (() => void) | undefined,
  ) {}

  cancel(): void {
    if (this.fire === undefined) return;
    this.fire = undefined;
    this.lane.cancelled();
  }
}
