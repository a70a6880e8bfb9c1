import type { SchedulerAction, SchedulerLike, Subscription } from 'rxjs';

/** A scheduler that knows what it has been asked for and has not done: the probe for timers left behind. */
export class CountingScheduler implements SchedulerLike {
  readonly #open = new Set<Subscription>();

  constructor(private readonly scheduler: SchedulerLike) {}

  now(): number {
    return this.scheduler.now();
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#open.size;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    const open = this.#open;
    const timer = this.scheduler.schedule<T>(
      function (this: SchedulerAction<T>, given?: T) {
        open.delete(this);
        work.call(this, given);
        // The work may have scheduled itself again.
        if (!this.closed && (this as { readonly pending?: boolean }).pending === true) open.add(this);
      },
      delay,
      state,
    );
    if (!timer.closed) {
      open.add(timer);
      timer.add(() => open.delete(timer));
    }
    return timer;
  }
}
