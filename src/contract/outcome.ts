/** How a call ended. Each code has its own text for the model (SPEC §5, Outcomes). */
export type OutcomeCode =
  | 'ok'
  | 'tool_error'
  | 'infrastructure'
  | 'unknown_tool'
  | 'invalid_json'
  | 'invalid_input'
  | 'cut_off'
  | 'denied'
  | 'hook_denied'
  | 'hook_failed'
  | 'timeout'
  | 'sibling_aborted'
  | 'interrupted'
  | 'discarded';

/** Whether the tool's side effects took place. `unknown`: it had started and was not seen to finish. */
export type Executed = 'yes' | 'no' | 'unknown';

/** What ended a call, or asked it to end. */
export type Cause =
  | { readonly type: 'call'; readonly toolUseId: string; readonly name: string }
  | {
      readonly type: 'limit';
      readonly limit: 'timeout' | 'idle' | 'permission' | 'attempt';
      readonly ms: number;
    }
  | { readonly type: 'user'; readonly reason: string }
  | { readonly type: 'signal'; readonly reason: string }
  | { readonly type: 'discard'; readonly reason: string }
  | { readonly type: 'rule'; readonly rule: string }
  | { readonly type: 'hook'; readonly hook: string }
  | { readonly type: 'mode'; readonly mode: string }
  | { readonly type: 'callback'; readonly callback: string }
  | { readonly type: 'tool'; readonly name: string }
  /** It would have been asked, and there is nobody to ask. */
  | { readonly type: 'nobody' };

export interface OutcomeError {
  readonly message: string;
  readonly name?: string;
  /** What `failure(message, { data })` carried. */
  readonly data?: unknown;
  /** What was thrown, with its stack: for the host, never for the model. */
  readonly cause?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
}

/** Milliseconds of the turn's scheduler, by what the call spent them on. */
export interface Durations {
  /** From `queued` until its place began: batches, limits, pool. */
  readonly queued: number;
  readonly hooks: number;
  readonly permission: number;
  /** From `started` to `completed`, back-offs and grace included. */
  readonly running: number;
  /** From `completed` until its result was released in order; 0 on `completed` events. */
  readonly held: number;
}

/** How a call ended; every call has exactly one (law 1). */
export interface Outcome {
  readonly code: OutcomeCode;
  readonly executed: Executed;
  readonly by?: Cause;
  readonly error?: OutcomeError;
  /** True where the outcome was taken over from an equal call of an abandoned attempt. */
  readonly adopted?: boolean;
  /** Only after a stop request to a running tool: whether the tool was seen to stop before its grace lapsed. */
  readonly stopped?: boolean;
  readonly durations: Durations;
}
