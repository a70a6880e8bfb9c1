/** One that waits: a value, and what decides when its turn comes. Internal. */
export interface Waiting<T> {
  readonly value: T;
  readonly kind: string;
  readonly priority: number;
  /** The order in which they came. */
  readonly arrival: number;
}

/**
 * Values that wait for a slot: the higher priority first, else the one that came first. Internal.
 *
 * One heap a kind, so that a full kind never makes the others' values be looked at; adding and taking cost
 * the logarithm of the length at most, and nothing extra where all priorities are equal: values that come in
 * order rise no step.
 */
export class WaitingLine<E extends Waiting<unknown>> {
  readonly #heaps = new Map<string, E[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(waiting: E): void {
    let heap = this.#heaps.get(waiting.kind);
    if (heap === undefined) {
      heap = [];
      this.#heaps.set(waiting.kind, heap);
    }
    this.#length++;
    rise(heap, waiting);
  }

  /** The first of all whose kind has a slot, taken out; `undefined` where none has. */
  take(hasSlot: (kind: string) => boolean): E | undefined {
    let best: E[] | undefined;
    for (const [kind, heap] of this.#heaps) {
      const head = heap[0];
      if (head === undefined || !hasSlot(kind)) continue;
      if (best === undefined || goesBefore(head, best[0] as E)) best = heap;
    }
    if (best === undefined) return undefined;
    this.#length--;
    const first = shift(best);
    // A kind that nobody waits for must cost the others nothing, however many kinds there have been.
    if (best.length === 0) this.#heaps.delete(first.kind);
    return first;
  }

  /** The first of each kind. */
  *heads(): Iterable<E> {
    for (const heap of this.#heaps.values()) if (heap[0] !== undefined) yield heap[0];
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
