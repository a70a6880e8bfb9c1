import type { Observable, OperatorFunction } from 'rxjs';
import { operate } from '../../operators/operate.js';
import { MillraceError } from '../contract/errors.js';
import type { ToolEvent } from '../contract/events.js';
import { advance, type Phase } from './lifecycle.js';

/** A run that breaks a law of SPEC §2: a defect of millrace, or of a recording. */
export class LawBrokenError extends MillraceError {
  constructor(
    /** The law's number. */
    readonly law: number,
    message: string,
  ) {
    super('law_broken', `law ${law}: ${message}`);
  }
}

/**
 * Passes the events of a turn and fails at the first that breaks a law; for debug runs and tests.
 *
 * Checks what events alone can show of laws 1 to 4, 7 and of the life of a call. Costs a little for each event.
 *
 * @example
 * ```ts
 * toolUses$.pipe(executeTools({ tools }), checkLaws())
 * ```
 */
export const checkLaws =
  (): OperatorFunction<ToolEvent, ToolEvent> =>
  (source: Observable<ToolEvent>): Observable<ToolEvent> =>
    operate<ToolEvent, ToolEvent>(source, (subscriber) => {
      const laws = new LawChecker();
      return {
        next: (event) => {
          laws.see(event);
          subscriber.next(event);
        },
        complete: () => {
          try {
            laws.end();
          } catch (error) {
            subscriber.error(error);
          }
          subscriber.complete();
        },
      };
    });

interface Seen {
  readonly id: string;
  phase: Phase;
  index: number;
  safe: boolean;
  explained: boolean;
}

type CallEvent = Extract<ToolEvent, { readonly toolUseId: string; readonly name: string }>;

/** Follows a turn event by event. Each step costs the same, however long the turn is. */
export class LawChecker {
  readonly #calls = new Map<string, Seen>();
  /** By index, from the first that has not ended; the second list holds the unsafe ones. */
  readonly #ended: boolean[] = [];
  #firstOpen = 0;
  readonly #unsafe: number[] = [];
  #firstUnsafe = 0;
  #released = 0;
  #at = 0;
  #unexplained: Seen[] = [];
  #discarded = false;
  #running = 0;
  #runningUnsafe = 0;

  /** @throws LawBrokenError */
  see(event: ToolEvent): void {
    if (event.at < this.#at) throw new LawBrokenError(14, `time went back from ${this.#at} to ${event.at}`);
    if (event.at > this.#at) this.#instantOver();
    this.#at = event.at;
    if (event.type === 'tombstone') this.#discarded = true;
    if (event.type === 'context' && this.#discarded)
      throw new LawBrokenError(7, 'a context after the discard');
    if ('toolUseId' in event && event.toolUseId !== undefined && event.type !== 'anomaly') this.#step(event);
  }

  /** @throws LawBrokenError */
  end(): void {
    this.#instantOver();
    for (const { id, phase, explained } of this.#calls.values()) {
      if (phase !== 'yielded' && (phase !== 'new' || explained))
        throw new LawBrokenError(1, `${id} ended as ${phase}, without a result`);
    }
  }

  #step(event: CallEvent): void {
    let call = this.#calls.get(event.toolUseId);
    if (call === undefined) {
      call = { id: event.toolUseId, phase: 'new', index: -1, safe: false, explained: false };
      this.#calls.set(event.toolUseId, call);
    }
    const next = advance(call.phase, event.type);
    if (next === undefined) {
      throw new LawBrokenError(2, `${event.type} of ${call.id}, which is ${call.phase}`);
    }
    if (this.#discarded && event.type !== 'completed' && event.type !== 'result' && event.type !== 'queued') {
      throw new LawBrokenError(7, `${event.type} of ${call.id} after the discard`);
    }
    this.#look(call, event);
    call.phase = next;
  }

  #look(call: Seen, event: CallEvent): void {
    if (event.type === 'queued') this.#queued(call, event.index, event.isConcurrencySafe);
    else if (event.type === 'started') this.#started(call);
    else if (event.type === 'completed') this.#completed(call, event.outcome.code === 'discarded');
    else if (event.type === 'result') this.#result(call, event.synthetic);
    // Hooks and whoever is asked take their time, also where they answer at once and nothing is said to wait.
    else if (event.type === 'waiting' || event.type === 'hook' || event.type === 'permission')
      call.explained = true;
  }

  #queued(call: Seen, index: number, safe: boolean): void {
    if (index !== this.#ended.length)
      throw new LawBrokenError(2, `${call.id} was queued as ${index}, not in its order`);
    call.index = index;
    call.safe = safe;
    this.#ended.push(false);
    if (!safe) this.#unsafe.push(index);
    this.#unexplained.push(call);
  }

  #started(call: Seen): void {
    call.explained = true;
    if (call.phase === 'queued') {
      while (this.#ended[this.#firstOpen]) this.#firstOpen++;
      while (this.#ended[this.#unsafe[this.#firstUnsafe] ?? -1]) this.#firstUnsafe++;
      const before = call.safe ? (this.#unsafe[this.#firstUnsafe] ?? call.index) : this.#firstOpen;
      if (before < call.index)
        throw new LawBrokenError(3, `${call.id} started before call ${before} had ended`);
      if (this.#runningUnsafe > 0 || (!call.safe && this.#running > 0)) {
        throw new LawBrokenError(3, `${call.id} started over another call`);
      }
      this.#running++;
      if (!call.safe) this.#runningUnsafe++;
    }
  }

  #completed(call: Seen, byDiscard: boolean): void {
    call.explained = true;
    this.#ended[call.index] = true;
    if (call.phase !== 'queued') {
      this.#running--;
      if (!call.safe) this.#runningUnsafe--;
    }
    if (byDiscard) this.#discarded = true;
  }

  #result(call: Seen, synthetic: boolean): void {
    if (call.index !== this.#released) {
      throw new LawBrokenError(2, `the result of ${call.id} came when call ${this.#released} was due`);
    }
    this.#released++;
    if (this.#discarded && !synthetic)
      throw new LawBrokenError(7, `a real result of ${call.id} after the discard`);
  }

  /** Law 4: who is queued and does not start in the same instant has been told why. */
  #instantOver(): void {
    for (const call of this.#unexplained) {
      if (!call.explained) throw new LawBrokenError(4, `${call.id} waits and nobody says why`);
    }
    this.#unexplained = [];
  }
}
