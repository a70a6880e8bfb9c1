import { asyncScheduler, type SchedulerLike } from 'rxjs';

/**
 * Real time that reads 0 when it is first read, which is when the turn begins: so whatever else is stamped with
 * it stands on the turn's own time. In whole milliseconds; it never goes back, as the system's clock may.
 *
 * It stands still while code runs in one go: what follows at once, a start upon its queueing, is one instant, and
 * the cost of showing an event is no pause of the turn.
 */
export const turnClock = (): SchedulerLike => {
  let began: number | undefined;
  let now: number | undefined;
  const read = (): number => {
    queueMicrotask(() => {
      now = undefined;
    });
    began ??= performance.now();
    return Math.floor(performance.now() - began);
  };
  return {
    now: () => {
      now ??= read();
      return now;
    },
    schedule: asyncScheduler.schedule.bind(asyncScheduler),
  };
};
