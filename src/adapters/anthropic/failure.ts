import { ModelStreamError } from '../../contract/index.js';
import { isRecord, type JsonRecord, recordOf } from './wire.js';

/** The API's error types that the same request would meet again. */
const permanent: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'billing_error',
]);

/** 4xx means the request is at fault, but for these: too slow, in conflict, too many. */
const transientStatus: ReadonlySet<number> = new Set([408, 409, 429]);

const aborts: ReadonlySet<unknown> = new Set(['AbortError', 'APIUserAbortError']);

/** What an `error` event, or the JSON body of a refused request, says. */
export const apiFailure = (body: JsonRecord, status?: number, cause?: unknown): ModelStreamError => {
  const { type, message } = recordOf(body.error);
  const text = typeof message === 'string' && message !== '' ? message : 'no message';
  const at = status === undefined ? '' : ` (HTTP ${status})`;
  if (typeof type !== 'string') {
    const code = status === undefined ? 'error_event' : 'source_failed';
    const options = { retryable: isTransientStatus(status), cause };
    return new ModelStreamError(code, `The model's stream failed${at}: ${text}`, options);
  }
  const options = { retryable: !permanent.has(type), errorType: type, cause };
  return new ModelStreamError('error_event', `The API reported ${type}${at}: ${text}`, options);
};

/** Whatever a source failed with, as the one error of a model's stream. */
export const toModelStreamError = (error: unknown): ModelStreamError => {
  if (error instanceof ModelStreamError) return error;
  const { status, error: body, type, name, message } = isThing(error) ? error : ({} as JsonRecord);
  const httpStatus = typeof status === 'number' ? status : undefined;
  if (isRecord(recordOf(body).error)) return apiFailure(recordOf(body), httpStatus, error);
  if (typeof type === 'string' && type.endsWith('_error')) {
    return apiFailure({ error: { type, message } }, httpStatus, error);
  }
  const retryable = !isAbort(error, name) && isTransientStatus(httpStatus);
  return new ModelStreamError('source_failed', `The model's stream broke off: ${describe(error)}`, {
    retryable,
    cause: error,
  });
};

// The client's abort error keeps the name "Error"; only its class tells.
const isAbort = (error: unknown, name: unknown): boolean =>
  aborts.has(name) || (isThing(error) && aborts.has(error.constructor?.name));

const isTransientStatus = (status: number | undefined): boolean =>
  status === undefined || status >= 500 || transientStatus.has(status);

// Errors carry their members by inheritance or as accessors, so a plain record check would miss them.
const isThing = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null;

const describe = (error: unknown): string => {
  try {
    return isThing(error) && typeof error.message === 'string' ? error.message : String(error);
  } catch {
    return 'an error that cannot be shown';
  }
};

export const unexpectedEnd = (): ModelStreamError =>
  new ModelStreamError('unexpected_end', 'The connection ended before the message did.', { retryable: true });

export const idle = (ms: number): ModelStreamError =>
  new ModelStreamError('idle', `Nothing came from the model for ${ms} ms.`, { retryable: true });

/** A frame that can't be read. Garbled text may come whole next time; a wrong protocol will not. */
export const malformed = (what: string, retryable: boolean): ModelStreamError =>
  new ModelStreamError('malformed', `The model's stream holds ${what}.`, { retryable });
