import type { Latch } from '../../operators/latch.js';
import { LinkedList } from '../../operators/linkedList.js';
import type { Call, Place } from '../call/call.js';
import type { Cause } from '../contract/outcome.js';

/** What the turn knows of one batch. Its calls stand in `open` until their places have ended. */
export class BatchRecord {
  /** Calls that have not ended, in call order. */
  readonly open = new LinkedList<Call>();
  /** Those of them whose place has begun; by kind too, where kinds have limits. */
  running: LinkedList<Place> | undefined;
  #runningByKind: Map<string, Set<Call>> | undefined;

  /** The running calls of a kind, where kinds have limits. */
  runningOf(kind: string): ReadonlySet<Call> | undefined {
    return this.#runningByKind?.get(kind);
  }

  /** Calls that leave a context modification, in the order they ended. */
  modifiers: Call[] | undefined;
  begun = false;
  /** The batch behind it. */
  next: BatchRecord | undefined;
  /** It can get no more calls. */
  closed = false;
  /** Its context modifications have been applied. */
  over = false;
  /** The start rule holds it until the message has ended. */
  held = false;
  siblingAbort: Latch<Cause> | undefined;
  #exclusive: Set<Call> | undefined;
  /** Its only call will not run, but is answered in its place. */
  refused = false;

  constructor(
    readonly index: number,
    readonly isConcurrencySafe: boolean,
    /** The batch before it, while that may be in the way. */
    public previous: BatchRecord | undefined,
    /** Whether kinds have limits, so that who holds a kind's slots may be asked. */
    private readonly countsKinds: boolean,
  ) {}

  /** Calls of it that have become unsafe, and have not ended. */
  get exclusive(): Set<Call> {
    this.#exclusive ??= new Set();
    return this.#exclusive;
  }

  began(place: Place): void {
    // Who holds the slots is asked in safe batches alone.
    if (!this.isConcurrencySafe) return;
    this.running ??= new LinkedList();
    this.running.add(place);
    if (!this.countsKinds) return;
    const { call } = place;
    this.#runningByKind ??= new Map();
    let ofKind = this.#runningByKind.get(call.kind);
    if (ofKind === undefined) {
      ofKind = new Set();
      this.#runningByKind.set(call.kind, ofKind);
    }
    ofKind.add(call);
  }

  left(call: Call): void {
    this.open.delete(call);
    this.#exclusive?.delete(call);
    if (call.run !== undefined) this.running?.delete(call.run);
    if (this.countsKinds) this.#runningByKind?.get(call.kind)?.delete(call);
    if (call.modifyContext === undefined) return;
    this.modifiers ??= [];
    this.modifiers.push(call);
  }

  /** The nearest batch before this one that has calls in the way. */
  blocker(): BatchRecord | undefined {
    while (this.previous !== undefined && this.previous.open.size === 0)
      this.previous = this.previous.previous;
    return this.previous;
  }
}

/**
 * The batches of a turn as `partitionByConcurrency` will cut them: admission names a call's batch before the
 * operator has seen it, by the same greedy rule.
 */
export class Batches {
  /** The first that has not begun; they begin in their order. */
  #next: BatchRecord | undefined;
  #last: BatchRecord | undefined;
  #left: BatchRecord | undefined;
  #count = 0;

  constructor(
    private readonly countsKinds: boolean,
    private readonly onClosed: (batch: BatchRecord) => void,
  ) {}

  join(call: Call): BatchRecord {
    const last = this.#last;
    if (last !== undefined && call.isConcurrencySafe && last.isConcurrencySafe) {
      last.open.add(call);
      return last;
    }
    const batch = new BatchRecord(this.#count++, call.isConcurrencySafe, last, this.countsKinds);
    this.#last = batch;
    if (last !== undefined) last.next = batch;
    this.#next ??= batch;
    batch.open.add(call);
    this.#left = last;
    if (!batch.isConcurrencySafe) batch.closed = true;
    batch.refused = call.refusal !== undefined;
    return batch;
  }

  /** The batch that the last call did not join can get no more: to be said when that call has been told of. */
  closeLeft(): void {
    const left = this.#left;
    this.#left = undefined;
    if (left !== undefined) this.#close(left);
  }

  /** The next batch begins. */
  begin(): BatchRecord {
    const batch = this.#next as BatchRecord;
    this.#next = batch.next;
    batch.begun = true;
    batch.previous = undefined;
    return batch;
  }

  /** No more calls will come. */
  end(): void {
    this.closeLeft();
    if (this.#last !== undefined) this.#close(this.#last);
  }

  #close(batch: BatchRecord): void {
    if (batch.closed) return;
    batch.closed = true;
    this.onClosed(batch);
  }
}

const mostNamed = 8;

/** The first of these calls, by id: what a `waiting` event names. */
export const idsOf = (calls: Iterable<Call>): readonly string[] => {
  const ids: string[] = [];
  for (const call of calls) {
    if (ids.length === mostNamed) break;
    ids.push(call.id);
  }
  return ids;
};

/** The same of calls in their places, in the order they began. Asked for each call that must wait: no iterator. */
export const idsOfPlaces = (first: Place | undefined): readonly string[] => {
  const ids: string[] = [];
  for (let place = first; place !== undefined && ids.length < mostNamed; place = place.after)
    ids.push(place.call.id);
  return ids;
};
