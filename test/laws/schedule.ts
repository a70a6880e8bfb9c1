import fc from 'fast-check';
import type { CallGuards, TurnGuards } from './guardSpecs.js';

/** What one call of a generated schedule does. Times in virtual milliseconds. */
export interface CallSpec {
  /** Since the call before it. */
  readonly gap: number;
  readonly safe: boolean;
  readonly kind: 'shell' | 'file' | 'other';
  /** How the tool answers. `value`: at once. `thenable` can't be unsubscribed from. */
  readonly form: 'observable' | 'thenable' | 'value' | 'generator' | 'throws';
  /** How long it runs; `Infinity`: for ever. */
  readonly duration: number;
  readonly ends: 'ok' | 'failure' | 'error' | 'no-output';
  readonly progress: boolean;
  readonly cascades: boolean;
  readonly graceMs: number | undefined;
  readonly timeoutMs: number | undefined;
  /** What a stop request makes of it; `undefined`: it goes on. */
  readonly onStop: { readonly after: number; readonly ends: 'ok' | 'failure' } | undefined;
  readonly onInterrupt: 'cancel' | 'finish';
  readonly trouble:
    | 'none'
    | 'unknown'
    | 'invalid'
    | 'invalid_json'
    | 'cut_off'
    | 'predicate-throws'
    | 'duplicate';
  /** The schema answers so much later; 0: at once. */
  readonly schemaMs: number;
  readonly modifiesContext: boolean;
  readonly priority: number;
  /** What hooks, rules and people do of it; only in guarded schedules. */
  readonly guards?: CallGuards;
}

export interface Schedule {
  readonly calls: readonly CallSpec[];
  /** From the last call to the end of the message. */
  readonly endGap: number;
  readonly sourceFails: boolean;
  readonly concurrency: number;
  readonly shell: number;
  readonly start: 'eager' | 'eager-safe' | 'after-message';
  readonly siblingAbort: 'turn' | 'batch' | 'off';
  /** When each control is used, if it is. */
  readonly discardAt: number | undefined;
  readonly interruptAt: number | undefined;
  readonly abortAt: number | undefined;
  readonly leaveAt: number | undefined;
  /** When a second observer joins. */
  readonly joinAt: number | undefined;
  /** What the observer does while it handles the event of this number. */
  readonly onEvent:
    | { readonly number: number; readonly act: 'discard' | 'interrupt' | 'abort' | 'leave' }
    | undefined;
  readonly guards?: TurnGuards;
}

export const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

export const usually = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, ...others.map((other) => fc.constant(other)));

export const callSpec: fc.Arbitrary<CallSpec> = fc.record({
  gap: fc.integer({ min: 0, max: 4 }),
  safe: fc.boolean(),
  kind: fc.constantFrom('shell', 'file', 'other'),
  form: usually<CallSpec['form']>('observable', 'thenable', 'value', 'generator', 'throws'),
  duration: usually(3, 0, 1, 2, 5, 8, Number.POSITIVE_INFINITY),
  ends: usually<CallSpec['ends']>('ok', 'failure', 'error', 'no-output'),
  progress: fc.boolean(),
  cascades: usually(false, true),
  graceMs: sometimes(fc.integer({ min: 0, max: 5 }), 2),
  timeoutMs: sometimes(fc.integer({ min: 1, max: 7 }), 2),
  onStop: sometimes(
    fc.record({
      after: fc.integer({ min: 0, max: 4 }),
      ends: fc.constantFrom<'ok' | 'failure'>('ok', 'failure'),
    }),
    2,
  ),
  onInterrupt: usually<CallSpec['onInterrupt']>('cancel', 'finish'),
  trouble: fc.oneof(
    { weight: 12, arbitrary: fc.constant<CallSpec['trouble']>('none') },
    {
      weight: 2,
      arbitrary: fc.constantFrom<CallSpec['trouble']>(
        'unknown',
        'invalid',
        'invalid_json',
        'cut_off',
        'predicate-throws',
        'duplicate',
      ),
    },
  ),
  schemaMs: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  modifiesContext: fc.boolean(),
  priority: usually(0, 1, 2),
});

const endless = Number.POSITIVE_INFINITY;

const onEvent = (last: number) =>
  sometimes(
    fc.record({
      number: fc.integer({ min: 0, max: last }),
      act: fc.constantFrom<'discard' | 'interrupt' | 'abort' | 'leave'>(
        'discard',
        'interrupt',
        'abort',
        'leave',
      ),
    }),
  );

/** What is drawn of a turn beside its calls; `lastEvent`: the last at which its observer may act. */
export const turnSpec = (lastEvent: number) => ({
  endGap: fc.integer({ min: 0, max: 4 }),
  sourceFails: usually(false, false, true),
  concurrency: fc.constantFrom(1, 2, 3, 10, endless),
  shell: fc.constantFrom(1, 2, endless),
  start: usually<Schedule['start']>('eager', 'eager-safe', 'after-message'),
  siblingAbort: usually<Schedule['siblingAbort']>('turn', 'batch', 'off'),
  discardAt: sometimes(fc.integer({ min: 0, max: 20 })),
  interruptAt: sometimes(fc.integer({ min: 0, max: 20 })),
  abortAt: sometimes(fc.integer({ min: 0, max: 20 }), 8),
  leaveAt: sometimes(fc.integer({ min: 0, max: 20 }), 12),
  joinAt: sometimes(fc.integer({ min: 0, max: 20 })),
  onEvent: onEvent(lastEvent),
});

/** Schedules of everything a turn without guards may meet. */
export const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({ calls: fc.array(callSpec, { minLength: 1, maxLength: 9 }), ...turnSpec(20) })
  .map((schedule) => consistent(schedule));

/** Endless tools always have a timeout, so that every turn ends. */
export const consistent = (schedule: Schedule): Schedule => ({
  ...schedule,
  calls: schedule.calls.map(possible),
  // Where one observer leaves and another stays, the turn goes on unseen by the first.
  joinAt: schedule.leaveAt === undefined && schedule.onEvent?.act !== 'leave' ? schedule.joinAt : undefined,
});

const possible = (call: CallSpec, index: number): CallSpec =>
  index === 0 && call.trouble === 'duplicate' ? ending({ ...call, trouble: 'none' }) : ending(call);

const ending = (call: CallSpec): CallSpec =>
  call.duration === endless && call.timeoutMs === undefined ? { ...call, timeoutMs: 6 } : call;

/**
 * Plain schedules whose instants are all distinct, for the oracle: which of two things in one instant comes
 * first is left to the laws.
 */
export const plainSchedule: fc.Arbitrary<Schedule> = fc
  .record({
    kinds: fc.array(
      fc.record({ safe: fc.boolean(), shell: fc.boolean(), priority: fc.constantFrom(0, 0, 1) }),
      {
        minLength: 1,
        maxLength: 10,
      },
    ),
    // Powers of two never add up to one another, whatever chain of waits they are summed along.
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    concurrency: fc.constantFrom(1, 2, 3, 10, endless),
    shell: fc.constantFrom(1, 2, endless),
    start: usually<Schedule['start']>('eager', 'eager-safe', 'after-message'),
  })
  .map(({ kinds, order, concurrency, shell, start }) => {
    const lengths = shuffled(
      Array.from({ length: 2 * kinds.length }, (_, i) => 2 ** i),
      () => order.next().value as number,
    );
    const calls = kinds.map((kind, i) => ({
      ...plainCall,
      ...kind,
      kind: kind.shell ? ('shell' as const) : ('other' as const),
      gap: lengths[2 * i] as number,
      duration: lengths[2 * i + 1] as number,
    }));
    return { ...plainTurn, calls, concurrency, shell, start };
  });

const shuffled = <T>(values: readonly T[], random: () => number): readonly T[] =>
  values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

const plainCall = {
  form: 'observable',
  ends: 'ok',
  progress: false,
  cascades: false,
  graceMs: undefined,
  timeoutMs: undefined,
  onStop: undefined,
  onInterrupt: 'cancel',
  trouble: 'none',
  schemaMs: 0,
  modifiesContext: false,
} as const;

const plainTurn = {
  endGap: 0.5,
  sourceFails: false,
  siblingAbort: 'turn',
  discardAt: undefined,
  interruptAt: undefined,
  abortAt: undefined,
  leaveAt: undefined,
  joinAt: undefined,
  onEvent: undefined,
} as const;
