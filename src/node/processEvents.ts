import type { Observable } from 'rxjs';

/** A piece of what a process printed; a character is never split over two pieces. */
export interface ProcessChunk {
  readonly type: 'chunk';
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** How the leader of the group ended. */
export interface ProcessExit {
  readonly type: 'exit';
  /** `null` where a signal ended it, or where it could not be ended. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It left processes behind that held its output open; those of its session were ended. */
  readonly leftOpen: boolean;
  /** Processes of the group go on with their output elsewhere; they are ended with this program at the latest. */
  readonly leftRunning: boolean;
  /**
   * A process that made a session of its own (`setsid`, a daemon) may still run; it was left alone. Known where it
   * holds the output open or, on Linux, where it was a descendant of the leader when the stop came.
   */
  readonly escaped: boolean;
  /** Processes of the group are still there: they could not be ended. */
  readonly survives: boolean;
}

/** It could not be started at all. */
export interface ProcessNotStarted {
  readonly type: 'not-started';
  /** `ENOENT`, `E2BIG`, `EMFILE`, … */
  readonly code: string;
  /** For people and models: what failed and why. */
  readonly message: string;
}

/** A group of processes has been started. */
export interface ProcessStarted {
  readonly group: number;
  /** From now on it does not keep this program alive; at the program's end it is killed. */
  unref(): void;
  /** Takes that back. */
  ref(): void;
}

/** What `processGroup` tells: chunks, then one exit; or that it was not started, alone. */
export type ProcessEvent = ProcessChunk | ProcessExit | ProcessNotStarted;

/** What to run, and how it is stopped. */
export interface ProcessGroupOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Absolute folder to run in. */
  readonly cwd: string;
  /** Default: the environment of this program. */
  readonly env?: NodeJS.ProcessEnv;
  /** Its first value stops the group; the exit is still told. */
  readonly stop$?: Observable<unknown>;
  /** Told once, before anything else, where it could be started. */
  readonly onStart?: (started: ProcessStarted) => void;
  /** Milliseconds from TERM to KILL when the group is stopped. Default 2,000. */
  readonly killAfterMs?: number;
  /** Milliseconds after the leader's exit in which its output may still arrive. Default 250. */
  readonly drainMs?: number;
}
