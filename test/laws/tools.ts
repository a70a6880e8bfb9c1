import { Observable, type SchedulerLike } from 'rxjs';
import { z } from 'zod';
import type { CallContext, Cause, StandardSchema, Tool } from '../../src/index.js';
import { failure, output, progress } from '../../src/index.js';
import type { Guarding } from './guards.js';
import type { CallSpec, Schedule } from './schedule.js';
import type { Witness } from './witness.js';

/** What a tool saw of its own run. */
export interface Activity {
  readonly index: number;
  readonly attempt: number;
  readonly input: unknown;
  readonly context: unknown;
  readonly calledAt: number;
  /** Its place among all deeds and events. */
  readonly seq: number;
  /** When it settled by itself, or was unsubscribed from. */
  endedAt: number;
  settled: 'ok' | 'other' | undefined;
  endedSeq: number;
  /** It failed in a way that may pass. */
  transient: boolean;
  askedAt: number | undefined;
  parses: number;
}

interface Stage {
  readonly activities: Activity[];
  readonly scheduler: SchedulerLike;
  readonly witness: Witness;
  readonly guarding: Guarding | undefined;
}

/** A tool for each call, that writes down what happens to it. */
export const instrumentedTools = ({ calls }: Schedule, stage: Stage): Record<string, Tool> =>
  Object.fromEntries(calls.map((spec, index) => [`tool${index}`, instrumented(spec, index, stage)]));

const instrumented = (spec: CallSpec, index: number, stage: Stage): Tool => {
  const { scheduler, guarding } = stage;
  const parses = { count: 0 };
  return {
    name: `tool${index}`,
    inputSchema: schemaOf(spec, index, stage, parses),
    kind: spec.kind,
    isConcurrencySafe: (input: unknown) => {
      if (spec.trouble === 'predicate-throws') throw new Error('as drawn');
      return (input as { readonly safe?: boolean }).safe ?? spec.safe;
    },
    abortsSiblings: spec.cascades,
    onInterrupt: spec.onInterrupt,
    ...(spec.graceMs === undefined ? undefined : { graceMs: spec.graceMs }),
    ...(spec.timeoutMs === undefined ? undefined : { timeoutMs: spec.timeoutMs }),
    ...guarding?.members(index),
    call: (input: never, ctx: CallContext) => {
      const activity = activityOf(index, input, ctx, parses.count, stage);
      stage.activities.push(activity);
      ctx.abort$.subscribe(() => {
        activity.askedAt ??= scheduler.now();
      });
      return answer(attemptOf(spec, ctx.attempt), ctx, activity, stage);
    },
  };
};

const activityOf = (
  index: number,
  input: unknown,
  ctx: CallContext,
  parses: number,
  { scheduler, witness }: Stage,
): Activity => ({
  index,
  attempt: ctx.attempt,
  input,
  context: ctx.context,
  calledAt: scheduler.now(),
  seq: witness.next(),
  endedAt: Number.POSITIVE_INFINITY,
  endedSeq: Number.POSITIVE_INFINITY,
  settled: undefined,
  transient: false,
  askedAt: undefined,
  parses,
});

/** The first attempts of a call that is worth another fail in a way that may pass. */
const attemptOf = (spec: CallSpec, attempt: number): CallSpec & { readonly transient: boolean } => {
  const { retry } = spec.guards ?? {};
  const transient = retry !== undefined && attempt <= retry.failures;
  return transient ? { ...spec, ends: 'failure', transient } : { ...spec, transient };
};

const failureOf = ({ transient, guards }: CallSpec & { readonly transient: boolean }) =>
  transient
    ? failure('as drawn', {
        transient,
        ...(guards?.retry?.unknown ? { infrastructure: true, executed: 'unknown' } : undefined),
      })
    : failure('as drawn');

const schemaOf = (
  spec: CallSpec,
  index: number,
  { scheduler, guarding, witness }: Stage,
  parses: { count: number },
): StandardSchema => {
  if (guarding !== undefined) return writtenDown(spec, index, witness);
  const schema = z.object({ n: z.number() }).transform(({ n }) => {
    parses.count++;
    return { parsed: n };
  });
  return spec.schemaMs === 0 ? schema : later(schema, spec.schemaMs, scheduler);
};

/** A schema whose output says which parse it comes from. */
const writtenDown = ({ schemaMs }: CallSpec, index: number, witness: Witness): StandardSchema => {
  const schema = z.object({ n: z.number(), v: z.string(), safe: z.boolean() });
  return {
    '~standard': {
      version: 1,
      vendor: 'laws',
      validate: (value) => {
        const deed = witness.begin('parse', 'schema', index, value);
        const parsed = schema.transform(({ n, v, safe }) => ({ parsed: n, v, safe, serial: deed.seq }));
        const validate = () => parsed['~standard'].validate(value);
        return witness.answer(deed, { ms: schemaMs, form: 'thenable' }, validate) as never;
      },
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

type AttemptSpec = CallSpec & { readonly transient: boolean };

const answer = (
  spec: AttemptSpec,
  ctx: CallContext,
  activity: Activity,
  { scheduler, witness }: Stage,
): unknown => {
  const over = (): void => {
    activity.endedAt = Math.min(activity.endedAt, scheduler.now());
    activity.endedSeq = Math.min(activity.endedSeq, witness.next());
  };
  const settle = (how: 'ok' | 'other', transient = false): void => {
    activity.settled ??= how;
    activity.transient ||= transient;
    over();
  };
  const modifyContext = (context: { readonly trail: readonly number[] }) => ({
    trail: [...context.trail, activity.index],
  });
  const result = () => output(`done ${activity.index}`, spec.modifiesContext ? { modifyContext } : {});
  if (spec.form === 'throws') {
    settle('other', spec.transient);
    throw failureOf(spec);
  }
  if (spec.form === 'value' || spec.form === 'generator') {
    settle(spec.ends === 'ok' ? 'ok' : 'other', spec.transient);
    if (spec.form === 'value') return spec.ends === 'ok' ? result() : failureOf(spec);
    return (function* () {
      if (spec.progress) yield progress('half');
      if (spec.ends === 'ok') return result();
      if (spec.ends === 'no-output') return undefined;
      if (spec.transient) throw failureOf(spec);
      throw new Error('as drawn');
    })();
  }
  const run = running(spec, ctx, scheduler);
  if (spec.form === 'thenable') {
    return thenable((resolve, reject) =>
      run((how, later) => {
        settle(how === 'ok' ? 'ok' : 'other', isTransient(later));
        if (how === 'ok' || how === 'no-output') resolve(how === 'ok' ? result() : progress('nothing more'));
        else reject(later);
      }),
    );
  }
  return new Observable((subscriber) => {
    if (spec.progress) subscriber.next(progress('half'));
    const stop = run((how, error) => {
      settle(how === 'ok' ? 'ok' : 'other', isTransient(error));
      if (how === 'ok') subscriber.next(result());
      else if (how === 'no-output') subscriber.complete();
      else subscriber.error(error);
    });
    return () => {
      stop();
      over();
    };
  });
};

const isTransient = (error: unknown): boolean =>
  (error as { readonly transient?: boolean } | undefined)?.transient === true;

type Finish = (how: CallSpec['ends'], error?: unknown) => void;

/** Runs its time, or reacts to a stop request as the schedule says. */
const running =
  (spec: AttemptSpec, ctx: CallContext, scheduler: SchedulerLike) =>
  (finish: Finish): (() => void) => {
    const { duration, ends, onStop } = spec;
    let over = false;
    const end: Finish = (how, error) => {
      if (over) return;
      over = true;
      finish(how, error ?? (how === 'failure' ? failure('as drawn') : new Error('as drawn')));
    };
    const own = spec.transient ? failureOf(spec) : undefined;
    const timers =
      duration === Number.POSITIVE_INFINITY ? [] : [scheduler.schedule(() => end(ends, own), duration)];
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
