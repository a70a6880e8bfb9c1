import type { Latch } from '../../operators/latch.js';
import type { Call } from '../call/call.js';
import type { Cause } from '../contract/outcome.js';

const none: ReadonlySet<Call> = new Set();

/** What the turn knows of one batch. Its calls stand in `open` until their places have ended. */
export class BatchRecord {
  /** Calls that have not ended, in call order. */
  readonly open = new Set<Call>();
  /** Those of them whose place has begun; by kind too, where kinds have limits. */
  #running: Set<Call> | undefined;
  #runningByKind: Map<string, Set<Call>> | undefined;

  get running(): ReadonlySet<Call> {
    return this.#running ?? none;
  }

  /** The running calls of a kind, where kinds have limits. */
  runningOf(kind: string): ReadonlySet<Call> | undefined {
    return this.#runningByKind?.get(kind);
  }
  /** Calls that leave a context modification, in the order they ended. */
  modifiers: Call[] | undefined;
  begun = false;
  /** It can get no more calls. */
  closed = false;
  /** Its context modifications have been applied. */
  over = false;
  /** The start rule holds it until the message has ended. */
  held = false;
  siblingAbort: Latch<Cause> | undefined;
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

  began(call: Call): void {
    // Who holds the slots is asked in safe batches alone.
    if (!this.isConcurrencySafe) return;
    this.#running ??= new Set();
    this.#running.add(call);
    if (!this.countsKinds) return;
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
    this.#running?.delete(call);
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
  /** Begun and not begun ones, by index; each is dropped when it has begun. */
  readonly #waiting = new Map<number, BatchRecord>();
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
    this.#waiting.set(batch.index, batch);
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

  /** The batch of this index begins. */
  begin(index: number): BatchRecord {
    const batch = this.#waiting.get(index) as BatchRecord;
    this.#waiting.delete(index);
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
export const idsOf = (calls: ReadonlySet<Call>): readonly string[] => {
  const ids: string[] = [];
  for (const call of calls) {
    if (ids.length === mostNamed) break;
    ids.push(call.id);
  }
  return ids;
};
