import { checkLimit, type SlotLimits } from '../../operators/slots.js';
import { InvalidOptionError } from '../contract/errors.js';
import type { Limits } from '../contract/options.js';

const defaultConcurrency = 10;
const defaultLimits: SlotLimits = { concurrency: defaultConcurrency };
const names = ['concurrency', 'shell', 'file', 'network'] as const satisfies readonly (keyof Limits)[];

/** @throws InvalidOptionError for anything but integers from 1 and `Infinity` */
export const readLimits = (limits: Limits | undefined, where: string): SlotLimits => {
  if (limits !== undefined && (typeof limits !== 'object' || limits === null || Array.isArray(limits))) {
    throw new InvalidOptionError(where, 'an object of limits', limits);
  }
  if (limits === undefined) return defaultLimits;
  for (const name of Object.keys(limits)) {
    if (!names.includes(name as keyof Limits))
      throw new InvalidOptionError(where, 'limits for concurrency, shell, file or network', name);
  }
  const { concurrency = defaultConcurrency } = limits;
  let kinds: Record<string, number> | undefined;
  for (const name of names) {
    const limit = limits[name];
    if (limit === undefined) continue;
    checked(`${where}.${name}`, limit);
    if (name === 'concurrency' || limit === Number.POSITIVE_INFINITY) continue;
    kinds ??= {};
    kinds[name] = limit;
  }
  return kinds === undefined ? { concurrency } : { concurrency, kinds };
};

const checked = (where: string, limit: number): void => {
  try {
    checkLimit(where, limit);
  } catch {
    throw new InvalidOptionError(where, 'an integer from 1 up or Infinity', limit);
  }
};
