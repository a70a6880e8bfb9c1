import { checkLimit, type SlotLimits } from '../../operators/slots.js';
import { InvalidOptionError } from '../contract/errors.js';
import type { Limits } from '../contract/options.js';

const defaultConcurrency = 10;
const names = ['concurrency', 'shell', 'file', 'network'];

/** @throws InvalidOptionError for anything but integers from 1 and `Infinity` */
export const readLimits = (limits: Limits | undefined, where: string): SlotLimits => {
  if (limits !== undefined && (typeof limits !== 'object' || limits === null || Array.isArray(limits))) {
    throw new InvalidOptionError(where, 'an object of limits', limits);
  }
  const { concurrency = defaultConcurrency, ...named } = limits ?? {};
  const kinds: Record<string, number> = {};
  for (const [kind, limit] of Object.entries({ concurrency, ...named })) {
    if (limit === undefined) continue;
    if (!names.includes(kind)) {
      throw new InvalidOptionError(where, 'limits for concurrency, shell, file or network', kind);
    }
    try {
      checkLimit(`${where}.${kind}`, limit);
    } catch {
      throw new InvalidOptionError(`${where}.${kind}`, 'an integer from 1 up or Infinity', limit);
    }
    if (kind !== 'concurrency' && limit !== Number.POSITIVE_INFINITY) kinds[kind] = limit;
  }
  return { concurrency, ...(Object.keys(kinds).length === 0 ? undefined : { kinds }) };
};
