import { Observable, type SchedulerLike } from 'rxjs';
import type { Pace } from './guardSpecs.js';

/** Something that was asked of somebody else's code. */
export interface Deed {
  readonly what:
    | 'parse'
    | 'pre'
    | 'request'
    | 'post'
    | 'post-failure'
    | 'batch'
    | 'check'
    | 'prompt'
    | 'classify'
    | 'repair'
    | 'call'
    | 'change';
  readonly who: string;
  /** The call; -1: the turn. */
  readonly index: number;
  /** How often the same was asked before. */
  readonly round: number;
  readonly input: unknown;
  readonly at: number;
  /** Its place among all deeds and events. */
  readonly seq: number;
  until: number;
  untilSeq: number;
  /** `left`: whoever asked does not wait for it any more. */
  how: 'open' | 'answered' | 'left';
  signal: AbortSignal | undefined;
}

/** Writes down, in one order with the events, what a turn asks of the world around it. */
export class Witness {
  readonly deeds: Deed[] = [];
  #seq = 0;

  constructor(private readonly scheduler: SchedulerLike) {}

  /** The next place in the order. */
  next(): number {
    return this.#seq++;
  }

  begin(what: Deed['what'], who: string, index: number, input: unknown): Deed {
    const round = this.deeds.filter(
      (each) => each.what === what && each.who === who && each.index === index,
    ).length;
    const deed: Deed = {
      ...{ what, who, index, round, input, at: this.scheduler.now(), seq: this.next() },
      ...{ until: Number.POSITIVE_INFINITY, untilSeq: Number.POSITIVE_INFINITY },
      ...{ how: 'open', signal: undefined },
    };
    this.deeds.push(deed);
    return deed;
  }

  end(deed: Deed, how: 'answered' | 'left'): void {
    if (deed.how !== 'open') return;
    deed.how = how;
    deed.until = this.scheduler.now();
    deed.untilSeq = this.next();
  }

  /** Answers as drawn, and writes down when, or when nobody waited for it any more. */
  answer(deed: Deed, { ms, form }: Pace, give: () => unknown, signal?: () => AbortSignal): unknown {
    if (ms === 0) {
      this.end(deed, 'answered');
      return give();
    }
    deed.signal = signal?.();
    return form === 'thenable' ? this.#thenable(deed, ms, give) : this.#observable(deed, ms, give);
  }

  #observable(deed: Deed, ms: number, give: () => unknown): unknown {
    return new Observable((subscriber) => {
      const answer = (): void => {
        this.end(deed, 'answered');
        try {
          subscriber.next(give());
        } catch (error) {
          subscriber.error(error);
        }
        subscriber.complete();
      };
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : this.scheduler.schedule(answer, ms);
      return () => {
        this.end(deed, 'left');
        timer?.unsubscribe();
      };
    });
  }

  #thenable(deed: Deed, ms: number, give: () => unknown): unknown {
    deed.signal?.addEventListener('abort', () => this.end(deed, 'left'));
    return {
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        if (ms === Number.POSITIVE_INFINITY) return;
        this.scheduler.schedule(() => {
          this.end(deed, 'answered');
          try {
            resolve(give());
          } catch (error) {
            reject(error);
          }
        }, ms);
      },
    };
  }
}
