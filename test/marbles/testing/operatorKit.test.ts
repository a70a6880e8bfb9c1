import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { map, tap } from 'rxjs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  checkOperator,
  type OperatorCheckName,
  operatorChecks,
  operatorFailures,
} from '../../../marbles/testing/operatorKit.js';
import {
  drops,
  eager,
  keepsListeners,
  keepsValues,
  neverLeaves,
  plainObserver,
  recursion,
  sharedState,
  swallowsThrows,
  type Target,
  target,
  twoLastValues,
} from './wrongOperators.js';

beforeAll(() => {
  setFlagsFromString('--expose-gc');
  Object.assign(globalThis, { gc: runInNewContext('gc') });
});

const loses: readonly (readonly [string, Target, readonly OperatorCheckName[]])[] = [
  ['plain observers and no look at closed', plainObserver, ['stops a source that emits everything at once']],
  ['state beside the operator', sharedState, ['has fresh state for each subscription']],
  ['recursion', recursion, ['takes 20,000 synchronous answers']],
  ['a second last value', twoLastValues, ['loses and repeats nothing when its consumer feeds the source']],
  ['swallowed throws', swallowsThrows, ['delivers an error once, and nothing after it']],
  ['values kept', keepsValues, ['keeps nothing of what is over']],
  ['listeners kept', keepsListeners, ['keeps nothing of what is over']],
];

describe('an operator that is wrong in one way fails the check of that name, and no other', () => {
  it.each(loses)('%s', async (_, wrong, names) => {
    const failures = await operatorFailures(wrong);
    expect(failures.map(({ name }) => name)).toEqual(names);
  });
});

const spreads: readonly (readonly [string, Target, OperatorCheckName])[] = [
  ['subscribes before it is subscribed to', eager, 'does nothing before it is subscribed to'],
  ['never leaves its source', neverLeaves, 'tears the source down once, and at once'],
  [
    'drops what comes while it delivers',
    drops,
    'loses and repeats nothing when its consumer feeds the source',
  ],
];

describe('an operator that is wrong at the root fails the check of that name among others', () => {
  it.each(spreads)('%s', async (_, wrong, name) => {
    expect((await operatorFailures(wrong)).map((failure) => failure.name)).toContain(name);
  });
});

it('an operator that is right passes; without a garbage collector to ask, one that keeps values does too', async () => {
  const { gc } = globalThis;
  await checkOperator(target(({ call }) => tap(call)));
  Object.assign(globalThis, { gc: undefined });
  expect(await operatorFailures(keepsValues)).toEqual([]);
  Object.assign(globalThis, { gc });
});

it('every check is named once, and says what was expected and what came', async () => {
  const checks = operatorChecks(plainObserver);
  expect(new Set(checks.map(({ name }) => name)).size).toBe(8);
  await expect(checkOperator(plainObserver)).rejects.toThrow(
    'stops a source that emits everything at once: a source that emits everything at once went on after take(1) had left: expected at most 2 values, got 10000',
  );
});

it('an operator that never calls what it is given must say so', async () => {
  const silent = target(() => map((value) => value));
  const [failure] = await operatorFailures(silent);
  expect(failure?.message).toContain('callsBack: false');
  expect(await operatorFailures({ ...silent, callsBack: false })).toEqual([]);
});
