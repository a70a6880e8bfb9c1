import type {
  LateEvent,
  ModelEvent,
  ModelStreamError,
  ToolEvent,
  ToolResultMessage,
} from '../../contract/index.js';

/** What is known of a run before it begins. */
export interface RunStart {
  /** The run's name, for the drawing. */
  readonly name: string;
  /** The file that is played. */
  readonly path: string;
  /** The folder tools work in. */
  readonly cwd: string;
  /** How many times as fast as it was recorded; `Infinity` is without delays. */
  readonly speed: number;
  /** `limits.concurrency` of the turn. */
  readonly limit: number;
}

/** A run that has ended. */
export interface RunEnd {
  readonly events: readonly ToolEvent[];
  /** For the model; `undefined` where there was no call, or the turn was discarded. */
  readonly message: ToolResultMessage | undefined;
  /** Why the reply failed, where it did. */
  readonly failure: ModelStreamError | undefined;
}

/** Shows a run while it happens. Each way of showing it is one implementation. */
export interface RunView {
  begin(run: RunStart): void;
  /** What the model does, at milliseconds of the turn. */
  model(event: ModelEvent, at: number): void;
  event(event: ToolEvent): void;
  late(late: LateEvent): void;
  /** A question stands open on the screen: nothing is painted until `resume`. */
  pause(): void;
  resume(): void;
  /** The user has asked to stop; answers follow. */
  interrupting(): void;
  end(run: RunEnd): void;
}
