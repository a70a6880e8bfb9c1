import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { defaultIfEmpty, forkJoin, map, type Observable, of, tap } from 'rxjs';
import { atProgramEnd } from '../../node/programEnd.js';

/** How a command in the background ended; nothing is known of one whose shell had ended before. */
export interface BackgroundEnd {
  readonly exitCode?: number | null;
  readonly signal?: NodeJS.Signals | null;
}

/** A command that goes on although its call has ended. */
export interface BackgroundCommand {
  /** `bash_1`, `bash_2`, …: unique within its registry. */
  readonly id: string;
  readonly toolUseId: string;
  readonly command: string;
  /** Process id of its shell, and id of its process group and session. */
  readonly pid: number;
  /** It ran into its timeout; or it ended, and what it had started in the background went on. */
  readonly why: 'timeout' | 'left-running';
  /** File with what it has printed, from its beginning; none where the command itself sent it elsewhere. */
  readonly outputPath?: string;
  /** Left out while it runs. */
  readonly end?: BackgroundEnd;
}

/** A command as the tool hands it over. */
export interface NewBackgroundCommand extends Omit<BackgroundCommand, 'id' | 'end'> {
  /** How it ended; `undefined` while it runs. Not asked again once it has told. */
  ended(): BackgroundEnd | undefined;
  /** Ends it, at once when called; emits once, whether all of it has gone. */
  stop(): Observable<boolean>;
}

/** What goes on after its calls: listed, ended one by one, or all together. Ended with the program at the latest. */
export interface BackgroundCommands {
  /** For tools: takes over a command, and gives it an id. */
  add(command: NewBackgroundCommand): string;
  /** In the order they came; those that have ended too, the last 100 of them. */
  list(): readonly BackgroundCommand[];
  get(id: string): BackgroundCommand | undefined;
  /** Ends one, at once when called; emits once, whether all of it has gone. Its output file stays. */
  end(id: string): Observable<boolean>;
  /** Ends all, at once when called, then removes their files and forgets them. Emits once, whether all have gone. */
  endAll(): Observable<boolean>;
}

/** Ended commands that are remembered; the files of older ones are removed. */
const MAX_ENDED = 100;

/**
 * A registry for commands that go on after their calls, to be given to `bash` or `builtinTools`.
 *
 * @example
 * ```ts
 * const background = createBackgroundCommands();
 * const tools = builtinTools({ cwd, onTimeout: 'background', background });
 * // …
 * background.endAll().subscribe();
 * ```
 */
export const createBackgroundCommands = (): BackgroundCommands => new Registry();

class Registry implements BackgroundCommands {
  readonly #entries = new Map<string, Entry>();
  #count = 0;

  add(command: NewBackgroundCommand): string {
    this.#count += 1;
    const id = `bash_${this.#count}`;
    this.#entries.set(id, new Entry(id, command));
    const ended = [...this.#entries].filter(([, entry]) => entry.look().end !== undefined);
    for (const [old, entry] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      entry.forget();
      this.#entries.delete(old);
    }
    return id;
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#entries.values()].map((entry) => entry.look());
  }

  get(id: string): BackgroundCommand | undefined {
    return this.#entries.get(id)?.look();
  }

  end(id: string): Observable<boolean> {
    return this.#entries.get(id)?.stop() ?? of(true);
  }

  endAll(): Observable<boolean> {
    const entries = [...this.#entries.values()];
    const stopped = entries.map((entry) => entry.stop().pipe(tap(() => this.#forget(entry))));
    return forkJoin(stopped).pipe(
      map((gone) => gone.every(Boolean)),
      defaultIfEmpty(true),
    );
  }

  #forget(entry: Entry): void {
    entry.forget();
    this.#entries.delete(entry.id);
  }
}

class Entry {
  #command: NewBackgroundCommand | undefined;
  #seen: BackgroundCommand;
  readonly #keepFiles: () => void;

  constructor(
    readonly id: string,
    command: NewBackgroundCommand,
  ) {
    const { toolUseId, pid, why, outputPath } = command;
    const place = outputPath === undefined ? undefined : { outputPath };
    this.#command = command;
    this.#seen = { id, toolUseId, command: command.command, pid, why, ...place };
    this.#keepFiles = outputPath === undefined ? () => undefined : atProgramEnd(() => this.#removeFiles());
  }

  look(): BackgroundCommand {
    const end = this.#command?.ended();
    if (end !== undefined) {
      this.#seen = { ...this.#seen, end };
      // What it holds is not needed any more, and its process id may become somebody else's.
      this.#command = undefined;
    }
    return this.#seen;
  }

  stop(): Observable<boolean> {
    return this.look().end === undefined ? (this.#command?.stop() ?? of(true)) : of(true);
  }

  forget(): void {
    this.#keepFiles();
    this.#removeFiles();
  }

  #removeFiles(): void {
    const { outputPath } = this.#seen;
    if (outputPath !== undefined) rmSync(dirname(outputPath), { recursive: true, force: true });
  }
}
