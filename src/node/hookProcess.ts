import { type ChildProcess, spawn } from 'node:child_process';
import { defer, finalize, fromEvent, map, type Observable, of, race, switchMap, take, timer } from 'rxjs';
import { endGroup } from './endGroup.js';
import { keepUntilExit } from './liveGroups.js';
import type { ProcessNotStarted } from './processEvents.js';
import { describeStartError } from './startError.js';

export interface HookProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute folder to run in. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Written to its standard input, which is closed then. It need not read it. */
  readonly input: string;
  /** Milliseconds from TERM to KILL. */
  readonly killAfterMs: number;
}

/** How a hook's process ended, and what it printed. */
export interface HookProcessEnd {
  readonly type: 'exit';
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It printed more than is kept: what is there is its beginning. */
  readonly isCut: boolean;
}

/** Characters that are kept of each stream; a decision that is longer is none. */
export const keptChars = 1_000_000;
const DRAIN_MS = 250;

/**
 * Runs a program in a group of its own, with text on its standard input and without a terminal: emits once, how it
 * ended. Unsubscribing ends the whole group.
 *
 * A child in the background that holds the output open is ended with its leader: nobody reads it any more. One that
 * has redirected its output is left alone.
 */
export const hookProcess = (options: HookProcessOptions): Observable<HookProcessEnd | ProcessNotStarted> =>
  defer(() => {
    const child = start(options);
    if ('type' in child) return of(child);
    if (child.pid !== undefined) return new HookProcess(child, child.pid, options).end$;
    return fromEvent(child, 'error').pipe(
      take(1),
      map((error) => describeStartError(error, options)),
    );
  });

const start = (options: HookProcessOptions): ChildProcess | ProcessNotStarted => {
  const { command, args, cwd, env, input } = options;
  try {
    // `detached` makes a session of its own, so there is no terminal to ask on either.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    // An 'error' nobody listens to is thrown at the program: EPIPE comes where the hook does not read its input.
    for (const emitter of [child, child.stdin, child.stdout, child.stderr])
      emitter.on('error', () => undefined);
    child.stdin.end(input);
    return child;
  } catch (error) {
    return describeStartError(error, options);
  }
};

class HookProcess {
  readonly end$: Observable<HookProcessEnd>;
  readonly #child: ChildProcess;
  readonly #stdout: Kept;
  readonly #stderr: Kept;
  #hasEnded = false;

  constructor(child: ChildProcess, group: number, { killAfterMs }: HookProcessOptions) {
    this.#child = child;
    this.#stdout = new Kept(child.stdout);
    this.#stderr = new Kept(child.stderr);
    const release = keepUntilExit(group, child);
    const exit$ = fromEvent(child, 'exit') as Observable<[number | null, NodeJS.Signals | null]>;
    this.end$ = exit$.pipe(
      take(1),
      switchMap(([exitCode, signal]) => {
        // Unread input would hold up `close`.
        child.stdin?.destroy();
        return this.#drained().pipe(
          switchMap((isDrained) => (isDrained ? of(true) : endGroup(group, killAfterMs, child))),
          map(() => this.#endOf(exitCode, signal)),
        );
      }),
      finalize(() => {
        const gone$ = this.#hasEnded ? of(true) : endGroup(group, killAfterMs, child);
        gone$.subscribe(() => {
          release();
          for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        });
      }),
    );
  }

  /** Whether its output was closed in time: a child in the background may hold it for ever. */
  #drained(): Observable<boolean> {
    const closed$ = fromEvent(this.#child, 'close').pipe(map(() => true));
    return race(closed$, timer(DRAIN_MS).pipe(map(() => false))).pipe(take(1));
  }

  #endOf(exitCode: number | null, signal: NodeJS.Signals | null): HookProcessEnd {
    this.#hasEnded = true;
    const [stdout, stderr] = [this.#stdout, this.#stderr];
    const isCut = stdout.isCut || stderr.isCut;
    return { type: 'exit', exitCode, signal, stdout: stdout.text, stderr: stderr.text, isCut };
  }
}

/** The beginning of what a stream says; the rest is read and dropped, for who prints must not hang on a full pipe. */
class Kept {
  text = '';
  isCut = false;

  constructor(stream: NodeJS.ReadableStream | null) {
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      const room = keptChars - this.text.length;
      if (chunk.length > room) this.isCut = true;
      if (room > 0) this.text += chunk.slice(0, room);
    });
  }
}
