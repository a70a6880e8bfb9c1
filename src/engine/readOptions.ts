import { InvalidOptionError } from '../contract/errors.js';

export const callback = <F>(name: string, value: F | undefined): F | undefined => {
  if (value === undefined || typeof value === 'function') return value;
  throw new InvalidOptionError(name, 'a function', value);
};

export const milliseconds = (name: string, value: number | undefined): number | undefined => {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new InvalidOptionError(name, 'a number of milliseconds from 0 up', value);
};
