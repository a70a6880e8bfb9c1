import { MillraceError } from './errors.js';
import type { Executed } from './outcome.js';
import type { Message } from './toolUse.js';

const kind: unique symbol = Symbol.for('millrace.emission');

/** A piece of progress, as a tool emits it. */
export interface Progress<P> {
  readonly [kind]: 'progress';
  readonly data: P;
}

/** A tool's output, with what goes beside it. */
export interface Output<O> {
  readonly [kind]: 'output';
  readonly data: O;
  readonly modifyContext?: (context: never) => unknown;
  readonly newMessages?: readonly Message[];
}

export interface OutputOptions<C = never> {
  /** Applied when the batch has ended, in call order (law 5). Pure; a throw becomes an `anomaly`. */
  readonly modifyContext?: (context: C) => C;
  /** Added after the results of the turn. */
  readonly newMessages?: readonly Message[];
}

/** Emitted by Observables and generators while they work; promises use `ctx.report`. */
export const progress = <P>(data: P): Progress<P> => ({ [kind]: 'progress', data });

/** A tool's output: ends an Observable or a generator, or adds to a returned value. */
export const output = <O, C = never>(data: O, options?: OutputOptions<C>): Output<O> => ({
  [kind]: 'output',
  data,
  ...(options as OutputOptions<never> | undefined),
});

export interface FailureOptions {
  readonly data?: unknown;
  /** Worth trying again (SPEC §7). */
  readonly transient?: boolean;
  /** Milliseconds to wait before the next try, at least. */
  readonly retryAfterMs?: number;
  /** Not the call was at fault but what the tool stands on: the outcome is `infrastructure`, not `tool_error`. */
  readonly infrastructure?: boolean;
  /** Whether it had any effect, where that is known of an infrastructure failure. Default `unknown`. */
  readonly executed?: Executed;
}

/** The tool's own word that it failed. */
export class ToolFailure extends MillraceError {
  readonly [kind] = 'failure';
  readonly data?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
  readonly infrastructure: boolean;
  readonly executed?: Executed;

  constructor(message: string, options: FailureOptions = {}) {
    super('tool_failure', message);
    this.infrastructure = options.infrastructure === true;
    if (options.executed !== undefined) this.executed = options.executed;
    if (options.data !== undefined) this.data = options.data;
    if (options.transient !== undefined) this.transient = options.transient;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Says that the tool failed; may be returned, emitted or thrown. */
export const failure = (message: string, options?: FailureOptions): ToolFailure =>
  new ToolFailure(message, options);

export type Emission<O = unknown, P = unknown> = Progress<P> | Output<O> | ToolFailure;

/** What can't be read (a proxy that is revoked, a getter that throws) is no emission of ours. */
const kindOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return (value as { readonly [kind]?: unknown })[kind];
  } catch {
    return undefined;
  }
};

export const isProgress = (value: unknown): value is Progress<unknown> => kindOf(value) === 'progress';
export const isOutput = (value: unknown): value is Output<unknown> => kindOf(value) === 'output';
export const isFailure = (value: unknown): value is ToolFailure => kindOf(value) === 'failure';
