import { type ChildProcess, spawn } from 'node:child_process';
import {
  concatMap,
  defer,
  EMPTY,
  finalize,
  fromEvent,
  ignoreElements,
  last,
  map,
  merge,
  type Observable,
  of,
  race,
  take,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { endGroup } from './endGroup.js';
import { keepUntilExit } from './liveGroups.js';
import type {
  ProcessChunk,
  ProcessEvent,
  ProcessExit,
  ProcessGroupOptions,
  ProcessNotStarted,
} from './processEvents.js';
import { describeStartError } from './startError.js';

/** Milliseconds between looks at whether the pipes of a group that has gone have closed, and how many. */
const CLOSE_MS = 10;
const CLOSE_LOOKS = 10;

/**
 * Runs a program in a process group of its own: what it prints, then how it ended, then completion.
 *
 * Cold: each subscription starts a process. Standard input is empty. Unsubscribing stops the group too; its ending
 * outlives the subscription by at most its grace (law 12).
 *
 * **Gotchas** After a stop the exit is told when the whole group has gone, not when its leader has. A child in the
 * background that holds the output open is ended with the leader, since nobody reads that output any more; one that
 * has redirected its output is left alone. Failing to start is a value, `not-started`, never an error.
 *
 * @example
 * ```ts
 * processGroup({ command: '/bin/sh', args: ['-c', 'make'], cwd, stop$: timer(5000) });
 * ```
 */
export const processGroup = (options: ProcessGroupOptions): Observable<ProcessEvent> =>
  defer(() => {
    const child = start(options);
    if ('type' in child) return of(child);
    if (child.pid !== undefined) return new RunningGroup(child, child.pid, options).events$;
    return fromEvent(child, 'error').pipe(
      take(1),
      map((error) => describeStartError(error, options)),
    );
  });

const start = (options: ProcessGroupOptions): ChildProcess | ProcessNotStarted => {
  const { command, args = [], cwd, env = process.env } = options;
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    // An 'error' nobody listens to is thrown at the program, wherever it comes from.
    for (const emitter of [child, child.stdout, child.stderr]) emitter?.on('error', () => undefined);
    return child;
  } catch (error) {
    return describeStartError(error, options);
  }
};

class RunningGroup {
  readonly events$: Observable<ProcessEvent>;
  readonly #child: ChildProcess;
  readonly #group: number;
  readonly #killAfterMs: number;
  readonly #drainMs: number;
  readonly #release: () => void;
  #ending: Observable<boolean> | undefined;
  #exited = false;
  #closed = false;

  constructor(child: ChildProcess, group: number, options: ProcessGroupOptions) {
    this.#child = child;
    this.#group = group;
    this.#killAfterMs = options.killAfterMs ?? 2000;
    this.#drainMs = options.drainMs ?? 250;
    this.#release = keepUntilExit(group);
    child.once('close', () => {
      this.#closed = true;
    });
    const stop$ = (options.stop$ ?? EMPTY).pipe(
      take(1),
      tap(() => this.#end()),
      ignoreElements(),
    );
    this.events$ = merge(this.#chunks('stdout'), this.#chunks('stderr'), this.#exit(), stop$).pipe(
      takeWhile((event) => event.type !== 'exit', true),
      finalize(() => this.#leave()),
    );
  }

  #chunks(stream: 'stdout' | 'stderr'): Observable<ProcessChunk> {
    const source = this.#child[stream];
    if (source === null) return EMPTY;
    // Decodes with a state of its own, so that a character cut in two by the pipe arrives whole.
    source.setEncoding('utf8');
    return fromEvent(source, 'data').pipe(map((text) => ({ type: 'chunk', stream, text: text as string })));
  }

  #exit(): Observable<ProcessExit> {
    return (fromEvent(this.#child, 'exit') as Observable<[number | null, NodeJS.Signals | null]>).pipe(
      take(1),
      concatMap(([exitCode, signal]) =>
        this.#drained().pipe(map((drained) => ({ exitCode, signal, leftOpen: !drained }))),
      ),
      concatMap((exit) => this.#gone(exit.leftOpen).pipe(map((gone) => ({ ...exit, survives: !gone })))),
      // Where the group has gone and its output is open, somebody else holds it.
      concatMap((exit) =>
        exit.leftOpen && !exit.survives
          ? this.#closes().pipe(map((closed) => ({ ...exit, escaped: !closed })))
          : of({ ...exit, escaped: false }),
      ),
      map((exit) => ({ type: 'exit' as const, ...exit })),
      tap(() => {
        this.#exited = true;
      }),
    );
  }

  /** Whether the pipes were closed in time: a child in the background may hold them for ever. */
  #drained(): Observable<boolean> {
    const closed$ = fromEvent(this.#child, 'close').pipe(map(() => true));
    return race(closed$, timer(this.#drainMs).pipe(map(() => false))).pipe(take(1));
  }

  /** Whether the pipes close once the group has gone: by several looks, since a busy program hears of it late. */
  #closes(): Observable<boolean> {
    return timer(0, CLOSE_MS).pipe(
      map(() => this.#closed),
      takeWhile((closed, look) => !closed && look < CLOSE_LOOKS, true),
      last(),
    );
  }

  #gone(leftOpen: boolean): Observable<boolean> {
    return leftOpen || this.#ending !== undefined ? this.#end() : of(true);
  }

  #end(): Observable<boolean> {
    this.#ending ??= endGroup(this.#group, this.#killAfterMs);
    return this.#ending;
  }

  #leave(): void {
    const ended$ = this.#exited ? of(true) : this.#end();
    // Read on without a listener: a process that is printing its farewell must not hang on a full pipe.
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.resume();
    ended$.subscribe(() => {
      this.#release();
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.destroy();
    });
  }
}
