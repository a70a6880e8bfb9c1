import type { Latch } from '../../operators/latch.js';
import type { Cause } from '../contract/outcome.js';

/**
 * A call's signal, made on first use and aborted by its latch; its `reason` is the cause.
 *
 * It is aborted by a stop request alone, never by the call's normal end: an `abort()` in a teardown would turn
 * the signal of every call that succeeded.
 */
export const callSignal = (stop: Latch<Cause>): AbortSignal => {
  const controller = new AbortController();
  stop.onTrip((cause) => controller.abort(cause));
  return controller.signal;
};
