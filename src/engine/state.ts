import { defer, distinctUntilChanged, type OperatorFunction, scan } from 'rxjs';
import type { ToolEvent, WaitReason } from '../contract/events.js';
import type { Outcome } from '../contract/outcome.js';
import type { ToolUse } from '../contract/toolUse.js';
import { PersistentList } from './persistentList.js';

/** The public states of a call (SPEC §5). */
export type CallStatus = 'queued' | 'executing' | 'completed' | 'yielded';

/** What is known of one call at one moment. */
export interface CallSnapshot {
  readonly toolUseId: string;
  readonly name: string;
  readonly status: CallStatus;
  readonly toolUse?: ToolUse;
  readonly isConcurrencySafe?: boolean;
  readonly batch?: number;
  /** Why it waits, while it does. */
  readonly waiting?: { readonly reason: WaitReason; readonly on: readonly string[]; readonly count: number };
  readonly stopping?: boolean;
  /** How many progress events there were. */
  readonly updates: number;
  /** The last one's data. */
  readonly progress?: unknown;
  readonly outcome?: Outcome;
}

/**
 * Every call of the turn at one moment, in the order they were heard of. Immutable; what has not changed is
 * shared with the snapshot before, so keeping all of them costs no more than keeping the events.
 */
export class TurnSnapshot implements Iterable<CallSnapshot> {
  /** The turn before anything was heard of it. */
  static empty(): TurnSnapshot {
    return new TurnSnapshot(PersistentList.empty(), new Map());
  }

  private constructor(
    private readonly calls: PersistentList<CallSnapshot>,
    /** Only ever added to, so that the snapshots of one line of events can share it. */
    private readonly positions: Map<string, number>,
  ) {}

  get size(): number {
    return this.calls.size;
  }

  get(toolUseId: string): CallSnapshot | undefined {
    const position = this.positions.get(toolUseId);
    const call = position === undefined ? undefined : this.calls.get(position);
    // A later snapshot may know more calls than this one, and one of another line others.
    return call?.toolUseId === toolUseId ? call : undefined;
  }

  [Symbol.iterator](): Iterator<CallSnapshot> {
    return this.calls[Symbol.iterator]();
  }

  /** The next snapshot, pure: the same one where the event changes nothing. */
  static reduce(this: void, snapshot: TurnSnapshot, event: ToolEvent): TurnSnapshot {
    if (!('toolUseId' in event) || event.toolUseId === undefined || event.type === 'anomaly') return snapshot;
    return snapshot.#with(event);
  }

  #with(event: CallEvent): TurnSnapshot {
    const before = this.get(event.toolUseId);
    const next = nextCall(before ?? heardOf(event), event);
    if (before !== undefined) {
      const position = this.positions.get(event.toolUseId) as number;
      return new TurnSnapshot(this.calls.set(position, next), this.positions);
    }
    // Folded on from an earlier snapshot, another line begins: it gets a map of its own.
    const shared = this.positions.size === this.calls.size;
    const positions = shared
      ? this.positions
      : new Map([...this.calls].map((call, i) => [call.toolUseId, i]));
    positions.set(event.toolUseId, this.calls.size);
    return new TurnSnapshot(this.calls.push(next), positions);
  }
}

type CallEvent = Exclude<Extract<ToolEvent, { readonly toolUseId: string }>, { readonly type: 'anomaly' }>;

const heardOf = ({ toolUseId, name }: CallEvent): CallSnapshot => ({
  toolUseId,
  name,
  status: 'queued',
  updates: 0,
});

const nextCall = (call: CallSnapshot, event: CallEvent): CallSnapshot => {
  switch (event.type) {
    case 'queued': {
      const { toolUse, isConcurrencySafe, batch } = event;
      return { ...withoutWait(call), name: event.name, toolUse, isConcurrencySafe, batch };
    }
    case 'waiting':
      return { ...call, waiting: { reason: event.reason, on: event.on, count: event.count } };
    case 'started':
      return { ...withoutWait(call), status: 'executing' };
    case 'progress':
      return { ...call, updates: call.updates + 1, progress: event.data };
    case 'stopping':
      return { ...call, stopping: true };
    case 'completed':
      return { ...withoutWait(call), status: 'completed', outcome: event.outcome };
    case 'result':
      return { ...call, status: 'yielded', outcome: event.outcome };
    default:
      return call;
  }
};

const withoutWait = ({ waiting: _waiting, ...call }: CallSnapshot): CallSnapshot => call;

/**
 * Folds the events of a turn into snapshots of every call, one for each event that changes something.
 *
 * @example
 * ```ts
 * events$.pipe(toolStates()).subscribe((turn) => render([...turn]));
 * ```
 */
export const toolStates = (): OperatorFunction<ToolEvent, TurnSnapshot> => (source) =>
  defer(() => source.pipe(scan(TurnSnapshot.reduce, TurnSnapshot.empty()), distinctUntilChanged()));
