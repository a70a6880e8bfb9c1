import type { ToolEvent } from '../../src/contract/events.js';

/** What the first line of a recording says it is. */
export const RECORDING_FORMAT = 'millrace-recording';
/** The version of the file's framing; the events have a version of their own, `EVENTS_VERSION`. */
export const RECORDING_VERSION = 1;

/** What a recording knows beside its events. */
export interface RecordingInfo {
  /** The run's name. */
  readonly run?: string;
  /** `limits.concurrency` of the turn. */
  readonly limit?: number;
}

/** The first line of a recording. */
export interface RecordingHeader extends RecordingInfo {
  readonly format: typeof RECORDING_FORMAT;
  readonly version: number;
  /** The version of the event union. */
  readonly events: number;
}

/** A recording, read. */
export interface Recording {
  readonly header: RecordingHeader;
  readonly events: readonly ToolEvent[];
  /** The last line was not finished, as after a crash, and was left out. */
  readonly cut: boolean;
}
