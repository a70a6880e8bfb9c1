import { isFailure } from '../contract/emission.js';
import type { Cause, Durations, Executed, Outcome, OutcomeCode, OutcomeError } from '../contract/outcome.js';
import {
  deniedText,
  discardedText,
  hookDeniedText,
  hookFailedText,
  infrastructureText,
  interruptedText,
  siblingAbortedText,
  timeoutText,
  toolErrorText,
} from '../contract/texts.js';
import { messageOf } from '../results/json.js';
import type { Call, Refusal, Stop } from './call.js';

/** How a call ended, before its durations are known; `text` is what the model reads where there is no output. */
export interface Ending {
  readonly code: OutcomeCode;
  readonly executed: Executed;
  readonly text: string;
  readonly by?: Cause;
  readonly error?: OutcomeError;
  readonly stopped?: boolean;
}

/** The usual ending has nothing but its code, and is not worth three spreads. */
export const outcomeOf = ({ code, executed, by, error, stopped }: Ending, durations: Durations): Outcome =>
  by === undefined && error === undefined && stopped === undefined
    ? { code, executed, durations }
    : {
        code,
        executed,
        ...(by === undefined ? undefined : { by }),
        ...(error === undefined ? undefined : { error }),
        ...(stopped === undefined ? undefined : { stopped }),
        durations,
      };

export const refused = ({ code, text }: Refusal): Ending => ({ code, executed: 'no', text });

/** `isBroken`: who was asked has given no answer, which is nobody's refusal. */
export const denied = (tool: string, by: Cause, message: string, isBroken = false): Ending => ({
  code: 'denied',
  executed: 'no',
  by,
  text: deniedText(tool, by, message, isBroken),
  ...(message === '' ? undefined : { error: { message } }),
});

export const hookDenied = (tool: string, hook: string, reason: string, deferred: boolean): Ending => ({
  code: 'hook_denied',
  executed: 'no',
  by: { type: 'hook', hook },
  text: hookDeniedText(tool, hook, reason, deferred),
  ...(reason === '' ? undefined : { error: { message: reason } }),
});

export const hookFailed = (tool: string, hook: string, failure: string): Ending => ({
  code: 'hook_failed',
  executed: 'no',
  by: { type: 'hook', hook },
  text: hookFailedText(tool, hook, failure),
  error: { message: failure },
});

/** The tool's own word that it failed, or whatever `call` threw. */
export const toolFailed = (tool: string, thrown: unknown): Ending => {
  const error = describeError(thrown);
  if (isFailure(thrown) && thrown.infrastructure)
    return { ...machineryFailed(tool, error.message, thrown.executed ?? 'unknown'), error };
  return { code: 'tool_error', executed: 'yes', text: toolErrorText(tool, error.message), error };
};

/** The machinery failed, not the call. */
export const machineryFailed = (tool: string, what: string, executed: Executed): Ending => ({
  code: 'infrastructure',
  executed,
  text: infrastructureText(tool, what, executed),
  error: { message: what },
});

/** A stop that kept the call from running. */
export const notRun = (tool: string, stop: Stop): Ending => ({
  code: stop.code,
  executed: 'no',
  by: stop.cause,
  text: stopText(tool, stop, 'no', true),
});

/**
 * How a call ends that a stop found before its tool was entered. One that would not have run anyway is told so
 * after a sibling's failure: that text says that the call itself is fine.
 */
export const unstarted = (call: Call, stop: Stop): Ending =>
  stop.code === 'sibling_aborted' && call.refusal !== undefined
    ? refused(call.refusal)
    : notRun(call.name, stop);

/** A stop that reached a running tool; `said` is the text of an error that came in answer to it. */
export const stopped = (tool: string, stop: Stop, hasStopped: boolean, said?: string): Ending => ({
  code: stop.code,
  executed: 'unknown',
  by: stop.cause,
  stopped: hasStopped,
  ...(said === undefined ? undefined : { error: { message: said } }),
  text: stopText(tool, stop, 'unknown', hasStopped, said),
});

const stopText = (
  tool: string,
  stop: Stop,
  executed: Executed,
  hasStopped: boolean,
  said?: string,
): string => {
  const { code, cause } = stop;
  if (code === 'timeout' && cause.type === 'limit') {
    return timeoutText(tool, cause.limit, cause.ms, hasStopped, said);
  }
  if (code === 'sibling_aborted' && cause.type === 'call')
    return siblingAbortedText(tool, cause, executed, said);
  if (code === 'discarded') return discardedText(tool, executed);
  if (code === 'denied') return deniedText(tool, cause, '');
  return interruptedText(tool, cause, executed, said);
};

export const discarded = (call: Call, cause: Cause): Ending => {
  const executed = call.called ? 'unknown' : 'no';
  return { code: 'discarded', executed, by: cause, text: discardedText(call.name, executed) };
};

const describeError = (thrown: unknown): OutcomeError => {
  const message = thrown === undefined || thrown === null ? '' : messageOf(thrown);
  if (isFailure(thrown)) {
    return {
      message,
      ...(thrown.data === undefined ? undefined : { data: thrown.data }),
      ...(thrown.transient === undefined ? undefined : { transient: thrown.transient }),
      ...(thrown.retryAfterMs === undefined ? undefined : { retryAfterMs: thrown.retryAfterMs }),
    };
  }
  const name = nameOf(thrown);
  return name === undefined ? { message } : { message, name, cause: thrown };
};

/** The name of an `Error`. Whatever a tool throws, a proxy that can't be asked too, must not throw here. */
const nameOf = (thrown: unknown): string | undefined => {
  try {
    return thrown instanceof Error && typeof thrown.name === 'string' ? thrown.name : undefined;
  } catch {
    return undefined;
  }
};
