import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { operatorChecks } from '../../marbles/testing/operatorKit.js';
import * as operators from '../../operators/index.js';
import { batches, targets } from './targets.js';

// Workers of a test runner are not started with the flag; it may be set later.
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  Object.assign(globalThis, { gc: runInNewContext('gc') });
});

describe.each(Object.entries(targets))('%s', (_, target) => {
  for (const { name, run } of operatorChecks(target)) it(name, run);
});

describe('partitionByConcurrency, the batches themselves', () => {
  for (const { name, run } of operatorChecks(batches)) it(name, run);
});

it('no operator is left out', () => {
  const tested = new Set(Object.keys(targets).map((name) => name.replace(/,.*/, '')));
  const exported = Object.entries(operators).filter(([name]) => name !== 'Latch');
  expect([...tested].sort()).toEqual(exported.map(([name]) => name).sort());
});
