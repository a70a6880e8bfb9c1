import { Observable, type SchedulerAction, type SchedulerLike } from 'rxjs';
import type { Reply } from './parseReply.js';

/**
 * The text of a reply's events, when they are due; on a clock that reads 0 at the beginning.
 *
 * Each is due from the beginning and not from the event before, so that slow consumers don't bend the pace.
 *
 * @param speed how many times as fast as it was recorded; `Infinity` is without delays
 */
export const playReply = ({ frames }: Reply, speed: number, clock: SchedulerLike): Observable<string> =>
  new Observable((subscriber) => {
    let next = 0;
    const play = function (this: SchedulerAction<unknown>): void {
      for (let frame = frames[next]; frame !== undefined; frame = frames[next]) {
        const wait = frame.at / speed - clock.now();
        if (wait > 0) {
          this.schedule(undefined, wait);
          return;
        }
        next++;
        subscriber.next(frame.text);
        if (subscriber.closed) return;
      }
      subscriber.complete();
    };
    return clock.schedule(play, 0);
  });
