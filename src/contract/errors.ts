/** What millrace throws at its caller: wrong options, misuse. Failures of tools are data, never thrown. */
export class MillraceError extends Error {
  /** Stable, for programs; the message is for people. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An option or argument that can't be meant: names what was expected and what came. */
export class InvalidOptionError extends MillraceError {
  constructor(option: string, expected: string, got: unknown) {
    super('invalid_option', `expected \`${option}\` to be ${expected}, got ${show(got)}`);
  }
}

/** A call that comes too late, or twice: a turn is run once. */
export class MisuseError extends MillraceError {
  constructor(message: string) {
    super('misuse', message);
  }
}

/** The model's stream failed; `retryable` says whether the same request may succeed. */
export class ModelStreamError extends MillraceError {
  readonly retryable: boolean;
  /** The API's own error type where it named one: `overloaded_error`, … */
  readonly errorType?: string;

  constructor(
    code: 'error_event' | 'unexpected_end' | 'idle' | 'malformed' | 'source_failed' | 'refused' | 'replaced',
    message: string,
    options: { readonly retryable: boolean; readonly errorType?: string; readonly cause?: unknown },
  ) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    if (options.errorType !== undefined) this.errorType = options.errorType;
  }
}

const show = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return `a function`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value)
    ? `an array of ${value.length}`
    : `an object (${value.constructor?.name ?? 'no prototype'})`;
};
