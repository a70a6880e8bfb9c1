import type { PermissionMode, Permissions } from '../contract/permissions.js';
import { disown } from '../interop/disown.js';
import { isMode, type ModeFault } from './modes.js';
import { storeOf } from './permissions.js';

/**
 * The mode that holds now; a function is asked with the turn's context.
 *
 * A function that throws or answers no mode is a fault, which `decide` takes as a denial: no mode can stand in for
 * one that may have been meant to be stricter.
 */
export const modeOf = (permissions: Permissions, context: unknown): PermissionMode | ModeFault => {
  const { mode } = storeOf(permissions);
  if (typeof mode !== 'function') return mode;
  try {
    // The function's parameter is the caller's own type of context.
    const answer: unknown = (mode as (context: unknown) => unknown)(context);
    disown(answer);
    return isMode(answer) ? answer : { fault: 'the function `permissions.mode` answered no mode' };
  } catch {
    return { fault: 'the function `permissions.mode` failed' };
  }
};
