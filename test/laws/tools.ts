import { Observable, type SchedulerLike } from 'rxjs';
import { z } from 'zod';
import type { CallContext, Cause, StandardSchema, Tool } from '../../src/index.js';
import { failure, output, progress } from '../../src/index.js';
import type { CallSpec, Schedule } from './schedule.js';

/** What a tool saw of its own run. */
export interface Activity {
  readonly index: number;
  readonly input: unknown;
  readonly context: unknown;
  readonly calledAt: number;
  /** When it settled by itself, or was unsubscribed from. */
  endedAt: number;
  settled: 'ok' | 'other' | undefined;
  askedAt: number | undefined;
  parses: number;
}

/** A tool for each call, that writes down what happens to it. */
export const instrumentedTools = (
  { calls }: Schedule,
  activities: Activity[],
  scheduler: SchedulerLike,
): Record<string, Tool> =>
  Object.fromEntries(
    calls.map((spec, index) => [`tool${index}`, instrumented(spec, index, activities, scheduler)]),
  );

const instrumented = (
  spec: CallSpec,
  index: number,
  activities: Activity[],
  scheduler: SchedulerLike,
): Tool => {
  let parses = 0;
  const schema = z.object({ n: z.number() }).transform(({ n }) => {
    parses++;
    return { parsed: n };
  });
  return {
    name: `tool${index}`,
    inputSchema: spec.schemaMs === 0 ? schema : later(schema, spec.schemaMs, scheduler),
    kind: spec.kind,
    isConcurrencySafe: () => {
      if (spec.trouble === 'predicate-throws') throw new Error('as drawn');
      return spec.safe;
    },
    abortsSiblings: spec.cascades,
    onInterrupt: spec.onInterrupt,
    ...(spec.graceMs === undefined ? undefined : { graceMs: spec.graceMs }),
    ...(spec.timeoutMs === undefined ? undefined : { timeoutMs: spec.timeoutMs }),
    call: (input: never, ctx: CallContext) => {
      const activity: Activity = {
        index,
        input,
        context: ctx.context,
        calledAt: scheduler.now(),
        endedAt: Number.POSITIVE_INFINITY,
        settled: undefined,
        askedAt: undefined,
        parses,
      };
      activities.push(activity);
      ctx.abort$.subscribe(() => {
        activity.askedAt ??= scheduler.now();
      });
      return answer(spec, ctx, activity, scheduler);
    },
  };
};

/** A schema that answers later, through a thenable: promises don't live in virtual time. */
const later = (schema: StandardSchema, ms: number, scheduler: SchedulerLike): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'laws',
    validate: (value) =>
      thenable((resolve) =>
        scheduler.schedule(() => resolve(schema['~standard'].validate(value)), ms),
      ) as never,
  },
});

const thenable = (start: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) => ({
  then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => start(resolve, reject),
});

const answer = (spec: CallSpec, ctx: CallContext, activity: Activity, scheduler: SchedulerLike): unknown => {
  const settle = (how: 'ok' | 'other'): void => {
    activity.settled ??= how;
    activity.endedAt = Math.min(activity.endedAt, scheduler.now());
  };
  const modifyContext = (context: { readonly trail: readonly number[] }) => ({
    trail: [...context.trail, activity.index],
  });
  const result = () => output(`done ${activity.index}`, spec.modifiesContext ? { modifyContext } : {});
  if (spec.form === 'throws') {
    settle('other');
    throw failure('as drawn');
  }
  if (spec.form === 'value' || spec.form === 'generator') {
    settle(spec.ends === 'ok' ? 'ok' : 'other');
    if (spec.form === 'value') return spec.ends === 'ok' ? result() : failure('as drawn');
    return (function* () {
      if (spec.progress) yield progress('half');
      if (spec.ends === 'ok') return result();
      if (spec.ends === 'no-output') return undefined;
      throw new Error('as drawn');
    })();
  }
  const run = running(spec, ctx, scheduler);
  if (spec.form === 'thenable') {
    return thenable((resolve, reject) =>
      run((how, later) => {
        settle(how === 'ok' ? 'ok' : 'other');
        if (how === 'ok' || how === 'no-output') resolve(how === 'ok' ? result() : progress('nothing more'));
        else reject(later);
      }),
    );
  }
  return new Observable((subscriber) => {
    if (spec.progress) subscriber.next(progress('half'));
    const stop = run((how, error) => {
      settle(how === 'ok' ? 'ok' : 'other');
      if (how === 'ok') subscriber.next(result());
      else if (how === 'no-output') subscriber.complete();
      else subscriber.error(error);
    });
    return () => {
      stop();
      activity.endedAt = Math.min(activity.endedAt, scheduler.now());
    };
  });
};

type Finish = (how: CallSpec['ends'], error?: unknown) => void;

/** Runs its time, or reacts to a stop request as the schedule says. */
const running =
  ({ duration, ends, onStop }: CallSpec, ctx: CallContext, scheduler: SchedulerLike) =>
  (finish: Finish): (() => void) => {
    let over = false;
    const end: Finish = (how) => {
      if (over) return;
      over = true;
      finish(how, how === 'failure' ? failure('as drawn') : new Error('as drawn'));
    };
    const timers =
      duration === Number.POSITIVE_INFINITY ? [] : [scheduler.schedule(() => end(ends), duration)];
    const asked = ctx.abort$.subscribe((_cause: Cause) => {
      if (onStop === undefined) return;
      if (onStop.after === 0) end(onStop.ends);
      else timers.push(scheduler.schedule(() => end(onStop.ends), onStop.after));
    });
    return () => {
      over = true;
      asked.unsubscribe();
      for (const timer of timers) timer.unsubscribe();
    };
  };
