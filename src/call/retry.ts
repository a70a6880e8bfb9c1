import { isFailure } from '../contract/emission.js';
import type { RetryPolicy, Tool } from '../contract/tool.js';
import { disown } from '../interop/disown.js';
import type { Call } from './call.js';
import { readHint } from './hints.js';

const defaultBackoff = { initialMs: 500, factor: 2, maxMs: 30_000, jitter: 0.5 };

/**
 * Whether running a call again can do no harm: it may overlap others anyway, or the tool says that it is idempotent.
 * An unsafe call that may have taken effect is never run again (SPEC §7).
 */
export const isRepeatable = (tool: Tool, call: Call, error: unknown): boolean => {
  if (call.isConcurrencySafe) return true;
  if (isFailure(error) && error.executed === 'unknown') return false;
  return readHint(tool, 'isIdempotent', call.input) === true;
};

/** Whether a failure is worth another try: it is marked as transient, or the policy's own word says so. */
export const isWorthRetrying = ({ retryOn }: RetryPolicy, error: unknown): boolean => {
  if (retryOn === undefined) return isFailure(error) && error.transient === true;
  const answer: unknown = retryOn(error);
  disown(answer);
  return answer === true;
};

/** Milliseconds to wait after the `attempt`-th try (from 1). What the failure itself says counts before the policy. */
export const delayAfter = (
  { backoff }: RetryPolicy,
  attempt: number,
  error: unknown,
  random: () => number,
): number => {
  const wished = isFailure(error) ? error.retryAfterMs : undefined;
  if (typeof wished === 'number' && wished >= 0) return wished;
  const { initialMs, factor, maxMs, jitter } = { ...defaultBackoff, ...backoff };
  const full = Math.min(initialMs * factor ** (attempt - 1), maxMs);
  return Math.round(full * (1 - jitter * shareOf(random)));
};

/** A source of chance that is broken must not make a delay of nothing, or for ever. */
const shareOf = (random: () => number): number => {
  try {
    const share = random();
    return share >= 0 && share <= 1 ? share : 0;
  } catch {
    return 0;
  }
};
