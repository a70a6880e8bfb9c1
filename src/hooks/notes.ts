/** What hooks say beside their decisions, each kind in the order they were asked. */
export interface HookNotes {
  /** For the model, after the results of the turn. Fit for the conversation already. */
  readonly contexts: readonly HookText[];
  /** Who wants no further model request after this turn, and why, for the user. */
  readonly stops: readonly HookStop[];
  /** Warnings for the user. */
  readonly warnings: readonly HookText[];
  readonly failures: readonly HookFailure[];
}

export interface HookText {
  readonly hook: string;
  readonly text: string;
}

export interface HookStop {
  readonly hook: string;
  readonly reason?: string;
}

/** A hook that threw, rejected, took too long, or answered what is no answer. */
export interface HookFailure {
  readonly hook: string;
  /** In words, without an end: `it gave no answer within its limit of 500 ms`. */
  readonly failure: string;
  /** What was thrown, for the host; left out where nothing was. */
  readonly error?: unknown;
  readonly onFailure: 'deny' | 'continue';
}
