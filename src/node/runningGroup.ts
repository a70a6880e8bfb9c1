import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import {
  concatMap,
  EMPTY,
  filter,
  finalize,
  fromEvent,
  ignoreElements,
  last,
  map,
  merge,
  type Observable,
  of,
  race,
  Subject,
  take,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { endGroup } from './endGroup.js';
import { isGroupAlive } from './groupSignals.js';
import { keepUntilExit, leaveRunning } from './liveGroups.js';
import type { ProcessChunk, ProcessEvent, ProcessExit, ProcessGroupOptions } from './processEvents.js';
import { descendantsElsewhere, isAnyAlive, type ProcessRow } from './processTable.js';

/** Milliseconds between looks at what the system tells late, and how many. */
const LOOK_MS = 10;
const LOOKS = 10;

type Ended = Pick<ProcessExit, 'exitCode' | 'signal'>;
type Rest = Pick<ProcessExit, 'leftOpen' | 'leftRunning' | 'survives'>;

/** A group of processes from its start to its end: what it prints, how its leader ended, and what that left. */
export class RunningGroup {
  readonly events$: Observable<ProcessEvent>;
  readonly #child: ChildProcess;
  readonly #group: number;
  readonly #killAfterMs: number;
  readonly #drainMs: number;
  readonly #release: () => void;
  readonly #notEnded = new Subject<Ended>();
  #ending: Observable<boolean> | undefined;
  #escapes: readonly ProcessRow[] = [];
  #told = false;
  #closed = false;

  constructor(child: ChildProcess, group: number, options: ProcessGroupOptions) {
    this.#child = child;
    this.#group = group;
    this.#killAfterMs = options.killAfterMs ?? 2000;
    this.#drainMs = options.drainMs ?? 250;
    this.#release = keepUntilExit(group, child);
    child.once('close', () => {
      this.#closed = true;
    });
    options.onStart?.({ group, unref: () => this.#hold('unref'), ref: () => this.#hold('ref') });
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
    const exited$ = fromEvent(this.#child, 'exit') as Observable<[number | null, NodeJS.Signals | null]>;
    return merge(
      exited$.pipe(map(([exitCode, signal]): Ended => ({ exitCode, signal }))),
      this.#notEnded,
    ).pipe(
      take(1),
      concatMap((ended) => this.#drained().pipe(map((isClosed) => ({ ended, isClosed })))),
      concatMap(({ ended, isClosed }) => this.#rest(isClosed).pipe(map((rest) => ({ ...ended, ...rest })))),
      concatMap((exit) =>
        this.#escaped(exit).pipe(map((escaped): ProcessExit => ({ type: 'exit', ...exit, escaped }))),
      ),
      tap((exit) => {
        this.#told = true;
        if (exit.leftRunning) leaveRunning(this.#group);
      }),
    );
  }

  /**
   * Whether the pipes were closed in time: a child in the background may hold them for ever. Several looks, for a
   * busy program finds the time over before it has read what was in the pipe all along.
   */
  #drained(): Observable<boolean> {
    const closed$ = fromEvent(this.#child, 'close').pipe(map(() => true));
    return race(
      closed$,
      looks(this.#drainMs / LOOKS, () => this.#closed),
    ).pipe(take(1));
  }

  /** What became of the rest of the group. */
  #rest(isClosed: boolean): Observable<Rest> {
    if (!isClosed || this.#ending !== undefined) {
      const rest = { leftOpen: !isClosed, leftRunning: false };
      return this.#end().pipe(map((gone) => ({ ...rest, survives: !gone })));
    }
    // A helper of the command (`<(…)`) may be about to end: only one that stays was left on purpose.
    return looks(LOOK_MS, () => !isGroupAlive(this.#group, this.#child)).pipe(
      map((gone) => ({ leftOpen: false, leftRunning: !gone, survives: false })),
    );
  }

  /** Where the group has gone and its output is open, somebody else holds it. */
  #escaped({ leftOpen, survives }: Rest): Observable<boolean> {
    if (isAnyAlive(this.#escapes)) return of(true);
    return leftOpen && !survives
      ? looks(LOOK_MS, () => this.#closed).pipe(map((closed) => !closed))
      : of(false);
  }

  #end(): Observable<boolean> {
    if (this.#ending !== undefined) return this.#ending;
    // Asked while the leader lives: its descendants can't be told from others afterwards.
    this.#escapes = descendantsElsewhere(this.#group);
    this.#ending = endGroup(this.#group, this.#killAfterMs, this.#child);
    this.#ending.pipe(filter((gone) => !gone)).subscribe(() => {
      this.#notEnded.next({ exitCode: null, signal: null });
    });
    return this.#ending;
  }

  #leave(): void {
    const ended$ = this.#told ? of(true) : this.#end();
    const { stdout, stderr } = this.#child;
    // Read on without a listener: a process that is printing its farewell must not hang on a full pipe.
    for (const stream of [stdout, stderr]) stream?.resume();
    ended$.subscribe(() => {
      this.#release();
      // One that could not be ended must not keep the program from its end.
      this.#hold('unref');
      for (const stream of [stdout, stderr]) stream?.destroy();
    });
  }

  /** Whether the program waits for it. */
  #hold(how: 'ref' | 'unref'): void {
    this.#child[how]();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream instanceof Socket) stream[how]();
    }
  }
}

/** Looks at once and then every so often, for a limited number of times: whether it came to be. */
const looks = (everyMs: number, condition: () => boolean): Observable<boolean> =>
  timer(0, Math.max(1, everyMs)).pipe(
    map(condition),
    takeWhile((met, look) => !met && look < LOOKS, true),
    last(),
  );
