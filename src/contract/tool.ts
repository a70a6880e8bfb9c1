import type { Observable, ObservableInput } from 'rxjs';
import type { CallContext, CheckContext } from './context.js';
import type { Output, Progress, ToolFailure } from './emission.js';
import type { RuleTarget, ToolPermission } from './permissions.js';
import type { ResultContent, ToolUse } from './toolUse.js';

/** The part of the Standard Schema contract (version 1) that millrace reads; zod 4 and zod 3.24 satisfy it. */
export interface StandardSchema<Input = unknown, Out = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    // Method form: schemas of narrower inputs stay assignable to `StandardSchema`.
    validate(value: unknown): StandardResult<Out> | PromiseLike<StandardResult<Out>>;
    readonly types?: { readonly input: Input; readonly output: Out } | undefined;
  };
}

export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaOutput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : unknown
  : unknown;

/** Which limit a call counts against. */
export type ToolKind = 'shell' | 'file' | 'network' | 'other';

/** Any value, now or later, in one piece or several. */
export type MaybeLater<T> = T | PromiseLike<T> | ObservableInput<T>;

type Unwrap<V> = V extends Output<infer O> ? O : V extends Progress<unknown> | ToolFailure ? never : V;
type Emitted<E> = E extends Output<infer O> ? O : never;
type Reported<E> = E extends Progress<infer P> ? P : never;

/** The output a `call` of this return type ends with. */
export type OutputOf<R> =
  R extends PromiseLike<infer V>
    ? Unwrap<V>
    : R extends Observable<infer E>
      ? Emitted<E>
      : R extends Generator<infer Y, infer T> | AsyncGenerator<infer Y, infer T>
        ? Emitted<Y> | Unwrap<Exclude<T, void>>
        : R extends AsyncIterable<infer Y>
          ? Emitted<Y>
          : Unwrap<R>;

/** The progress a `call` of this return type emits; `unknown` where it may only `report`. */
export type ProgressOf<R> =
  R extends PromiseLike<unknown>
    ? unknown
    : R extends Observable<infer E>
      ? Reported<E>
      : R extends AsyncIterable<infer Y> | Generator<infer Y>
        ? Reported<Y>
        : unknown;

export interface RetryPolicy {
  /** Tries in all; an integer from 1. */
  readonly maxAttempts: number;
  /** Milliseconds; one try that takes longer fails. */
  readonly attemptTimeoutMs?: number;
  /**
   * Milliseconds to wait: `initialMs · factorⁿ`, at most `maxMs`, less a random share of
   * up to `jitter` (0 to 1) of it. What the failure says (`retryAfterMs`) counts before it.
   * Default 500, 2, 30,000, 0.5.
   */
  readonly backoff?: {
    readonly initialMs: number;
    readonly factor: number;
    readonly maxMs: number;
    readonly jitter: number;
  };
  /** Which failures are worth another try; default those marked `transient`. */
  readonly retryOn?: (error: unknown) => boolean;
}

/**
 * What a call names: schema, safety, behaviour. Made by `defineTool`, which infers the types.
 *
 * Members are methods on purpose: a tool of a narrow input stays assignable to a map of tools.
 */
export interface Tool<I = never, O = unknown, P = unknown, N extends string = string> {
  readonly name: N;
  /** Former names, used only where no primary name matches. */
  readonly aliases?: readonly string[];
  readonly description?: string;
  /** zod 4, or any Standard Schema. Its input side goes to the model. */
  readonly inputSchema: StandardSchema;
  /** May it overlap others? Default no. A throw, or anything but `true`, is no. Asked with parsed input. */
  isConcurrencySafe?(input: I): boolean;
  isReadOnly?(input: I): boolean;
  isDestructive?(input: I): boolean;
  /** Default `other`. */
  readonly kind?: ToolKind;
  /** What permission rules compare; asked when somebody might want to know, and again before an unsafe call runs. */
  ruleTargets?(input: I, ctx: CheckContext): MaybeLater<readonly RuleTarget[]>;
  /**
   * A check deeper than the schema: returns a message for the model, or nothing. It must not change the input, so
   * the input of a tool that has one is frozen, for `call` too.
   */
  validateInput?(input: I, ctx: CheckContext): MaybeLater<string | undefined>;
  /** The tool's own opinion; nothing is none. A throw denies. */
  checkPermissions?(input: I, ctx: CheckContext): MaybeLater<ToolPermission | undefined>;
  /**
   * Does the work. A value, a thenable, an Observable, a generator object or an async iterable; everything
   * else, strings and arrays too, is a value.
   */
  call(input: I, ctx: CallContext<never>): unknown;
  /** Output → content of the `tool_result`. Default: text as is, everything else as JSON. */
  mapResult?(output: O, toolUseId: string): string | readonly ResultContent[];
  renderResult?(output: O): string;
  extractSearchText?(output: O): string;
  /** Characters; above it the result is stored and previewed. Default 50,000; `Infinity` opts out. Not applied yet. */
  readonly maxResultSizeChars?: number;
  /** Milliseconds from the start of `call`, over all attempts. Default: the turn's, 10 minutes. */
  readonly timeoutMs?: number;
  /** Milliseconds without progress. Default off. */
  readonly idleTimeoutMs?: number;
  /** Milliseconds from a stop request until the call is given up. Default 0 for safe calls, 2,000 for unsafe. */
  readonly graceMs?: number;
  /** Off by default. Only failures marked `transient`, and only where repeating is safe. */
  readonly retry?: RetryPolicy;
  /** Whether running it twice is the same as running it once. Default no. */
  isIdempotent?(input: I): boolean;
  /** Does this failure cancel the siblings? Default never; a throw is never. */
  readonly abortsSiblings?: boolean | ((failure: unknown, call: ToolUse) => boolean);
  /** Whether an interruption by the user stops it or waits for it. Default `cancel`. */
  readonly onInterrupt?: 'cancel' | 'finish';
  /** Its schema was not sent with the request. */
  readonly deferred?: boolean;
  /** Only in types: what its progress is. */
  readonly '~progress'?: P;
}

/** Tools by primary name. Check your own with `satisfies ToolMap`. */
export type ToolMap = Readonly<Record<string, Tool>>;
export type ToolList = readonly Tool[];

export type ToolOutput<T> = T extends Tool<never, infer O, unknown> ? O : unknown;
export type ToolProgress<T> = T extends { readonly '~progress'?: infer P } ? P : unknown;

/** A list of tools as the map it stands for, so that `event.name` narrows there too. */
export type AsToolMap<T extends ToolMap | ToolList> = T extends ToolList
  ? { readonly [K in T[number] as K['name']]: K }
  : T;
