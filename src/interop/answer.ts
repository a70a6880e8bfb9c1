/** Takes what someone answers: one value, or emissions and their end. */
export interface AnswerReceiver {
  /** True once nothing more is wanted; looked at after every emission. */
  readonly closed: boolean;
  /** A plain value, what a promise resolved to, or what a generator returned. */
  value(value: unknown): void;
  /** One emission of an Observable, a generator or an async iterable. */
  emit(value: unknown): void;
  error(error: unknown): void;
  /** The emissions ended; a generator returned nothing. */
  end(): void;
}

/** An answer that has not fully come yet. */
export interface PendingAnswer {
  /** True where `cancel` is the end of it. A promise goes on, and what comes of it still reaches the receiver. */
  readonly stopsAtOnce: boolean;
  /** Asks politely: a generator ends at its next `yield`. Others learn it from their signal alone. */
  requestStop(): void;
  /** Takes nothing more. */
  cancel(): void;
}
