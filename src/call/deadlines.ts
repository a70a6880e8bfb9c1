import type { SchedulerLike, Subscription } from 'rxjs';

/** Something that happens unless it is cancelled in time. */
export interface Deadline {
  cancel(): void;
}

/** Who is told. Each call sets a deadline: it stands for itself, so that none needs a closure. */
export interface DeadlineTarget {
  onDeadline(ms: number): void;
}

/**
 * The deadlines of a turn: one timer for each length, not one for each call.
 *
 * Deadlines of one length fall due in the order they were made, so a queue and a timer for its head will do. When
 * the last is cancelled the timer waits for `settle`: the next call, which starts in the same instant as a rule,
 * takes it over. When none is left then, no timer is (law 12).
 */
export class Deadlines {
  readonly #lanes = new Map<number, Lane>();
  #last: Lane | undefined;
  /** Its timer is set, and nothing waits for it. */
  #idle: Lane | undefined;

  constructor(
    private readonly scheduler: SchedulerLike,
    /** The instant now, on the scheduler's clock. */
    private readonly now: () => number,
    /** Called whenever some fall due, before they are told. */
    private readonly onRing: () => void,
  ) {}

  /** Calls `fire` in so many milliseconds; `Infinity` is never. */
  after(ms: number, fire: () => void): Deadline | undefined {
    return this.at(ms, { onDeadline: fire });
  }

  /** The same for whoever stands for itself. */
  at(ms: number, target: DeadlineTarget): Deadline | undefined {
    if (ms === Number.POSITIVE_INFINITY) return undefined;
    // Most calls of a turn have one limit.
    if (this.#last?.ms === ms) return this.#last.add(this.now() + ms, target);
    let lane = this.#lanes.get(ms);
    if (lane === undefined) {
      lane = new Lane(ms, this.scheduler, this.onRing, (idle) => this.#rests(idle));
      this.#lanes.set(ms, lane);
    }
    this.#last = lane;
    return lane.add(this.now() + ms, target);
  }

  /** What follows at once has been started: a timer that nobody has taken over is taken back. */
  settle(): void {
    const idle = this.#idle;
    this.#idle = undefined;
    if (idle?.waits === false) idle.clear();
  }

  clear(): void {
    for (const lane of this.#lanes.values()) lane.clear();
  }

  #rests(lane: Lane): void {
    if (this.#idle !== lane) this.settle();
    this.#idle = lane;
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
    readonly ms: number,
    private readonly scheduler: SchedulerLike,
    private readonly onRing: () => void,
    private readonly onIdle: (lane: Lane) => void,
  ) {}

  get waits(): boolean {
    return this.#live > 0;
  }

  add(due: number, target: DeadlineTarget): Deadline {
    const entry = new Entry(this, due, target);
    this.#queue.push(entry);
    this.#live++;
    // While it rings, the loop below arms for whatever is then the head.
    if (!this.#ringing) this.#timer ??= this.#arm(entry);
    return entry;
  }

  cancelled(): void {
    if (--this.#live === 0) {
      if (this.#queue.length === 1) this.#queue.pop();
      else this.#queue = [];
      this.#head = 0;
      this.onIdle(this);
    } else if (this.#queue.length - this.#head > 64 + 2 * this.#live) {
      this.#queue = this.#queue.slice(this.#head).filter((entry) => entry.target !== undefined);
      this.#head = 0;
    }
  }

  clear(): void {
    // Whoever cancels one of these later must not be counted again.
    for (const entry of this.#queue) entry.target = undefined;
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
      const { target } = entry;
      if (target !== undefined && entry.due > now) break;
      this.#head++;
      if (target === undefined) continue;
      entry.target = undefined;
      this.#live--;
      target.onDeadline(this.ms);
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
    public target: DeadlineTarget | undefined,
  ) {}

  cancel(): void {
    if (this.target === undefined) return;
    this.target = undefined;
    this.lane.cancelled();
  }
}
