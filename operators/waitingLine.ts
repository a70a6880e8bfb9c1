/** One that waits: a value, and what decides when its turn comes. Internal. */
export interface Waiting<T> {
  readonly value: T;
  readonly kind: string;
  readonly priority: number;
  /** The order in which they came. */
  readonly arrival: number;
}

/** Whoever knows whether a kind has a slot now. Internal. */
export interface SlotSource {
  hasSlot(kind: string): boolean;
}

/**
 * Values that wait for a slot: the higher priority first, else the one that came first. Internal.
 *
 * One line a kind, so that a full kind never makes the others' values be looked at. A value that goes behind
 * all before it, as all do where priorities are equal, costs the same however long the line is; one that goes
 * before others, the logarithm of the length at most.
 */
export class WaitingLine<E extends Waiting<unknown>> {
  /** The only kind there has been: most lines have one, and it needs no looking up. */
  #only: KindLine<E> | undefined;
  #kinds: Map<string, KindLine<E>> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(waiting: E): void {
    this.#length++;
    this.#lineOf(waiting.kind).add(waiting);
  }

  /** The first of all whose kind has a slot, taken out; `undefined` where none has. */
  take(slots: SlotSource): E | undefined {
    const best = this.#only ?? this.#best(slots);
    if (best === undefined || (best === this.#only && !slots.hasSlot(best.kind))) return undefined;
    const first = best.take();
    if (first === undefined) return undefined;
    this.#length--;
    // A kind that nobody waits for must cost the others nothing, however many kinds there have been.
    if (best.head === undefined) this.#kinds?.delete(best.kind);
    return first;
  }

  /** The first of each kind. */
  *heads(): Iterable<E> {
    const lines = this.#only === undefined ? (this.#kinds?.values() ?? []) : [this.#only];
    for (const { head } of lines) if (head !== undefined) yield head;
  }

  #best(slots: SlotSource): KindLine<E> | undefined {
    let best: KindLine<E> | undefined;
    for (const line of this.#kinds?.values() ?? []) {
      if (!slots.hasSlot(line.kind)) continue;
      if (best === undefined || goesBefore(line.head as E, best.head as E)) best = line;
    }
    return best;
  }

  #lineOf(kind: string): KindLine<E> {
    if (this.#kinds === undefined) {
      this.#only ??= new KindLine(kind);
      if (this.#only.kind === kind) return this.#only;
      this.#kinds = new Map();
      if (this.#only.head !== undefined) this.#kinds.set(this.#only.kind, this.#only);
      this.#only = undefined;
    }
    let line = this.#kinds.get(kind);
    if (line === undefined) {
      line = new KindLine(kind);
      this.#kinds.set(kind, line);
    }
    return line;
  }
}

/** Those that came in their order stand in a queue; those that go before some of them, in a heap beside it. */
class KindLine<E extends Waiting<unknown>> {
  #queue: E[] = [];
  #from = 0;
  readonly #urgent: E[] = [];

  constructor(readonly kind: string) {}

  get head(): E | undefined {
    const queued = this.#queue[this.#from];
    const urgent = this.#urgent[0];
    return urgent !== undefined && (queued === undefined || goesBefore(urgent, queued)) ? urgent : queued;
  }

  add(waiting: E): void {
    const last = this.#queue[this.#queue.length - 1];
    if (last !== undefined && this.#from < this.#queue.length && goesBefore(waiting, last)) {
      rise(this.#urgent, waiting);
    } else this.#queue.push(waiting);
  }

  take(): E | undefined {
    const { head } = this;
    if (head === undefined) return undefined;
    if (head === this.#urgent[0]) return shift(this.#urgent);
    this.#from++;
    // What has been taken is let go of now and then: each value is moved at most once for each time it is taken.
    if (this.#from > 32 && 2 * this.#from > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#from);
      this.#from = 0;
    }
    return head;
  }
}

const goesBefore = (a: Waiting<unknown>, b: Waiting<unknown>): boolean =>
  a.priority > b.priority || (a.priority === b.priority && a.arrival < b.arrival);

const rise = <E extends Waiting<unknown>>(heap: E[], waiting: E): void => {
  let at = heap.push(waiting) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as E;
    if (!goesBefore(waiting, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = waiting;
};

const shift = <E extends Waiting<unknown>>(heap: E[]): E => {
  const first = heap[0] as E;
  const last = heap.pop() as E;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right !== undefined && goesBefore(right, heap[child] as E)) child++;
    if (!goesBefore(heap[child] as E, last)) break;
    heap[at] = heap[child] as E;
    at = child;
  }
  heap[at] = last;
  return first;
};
