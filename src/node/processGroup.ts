import { type ChildProcess, spawn } from 'node:child_process';
import { defer, fromEvent, map, type Observable, of, take } from 'rxjs';
import type { ProcessEvent, ProcessGroupOptions, ProcessNotStarted } from './processEvents.js';
import { RunningGroup } from './runningGroup.js';
import { describeStartError } from './startError.js';

/**
 * Runs a program in a process group and session of its own: what it prints, then how it ended, then completion.
 *
 * Cold: each subscription starts a process. Standard input is empty. Unsubscribing stops the group too; its ending
 * outlives the subscription by at most its grace (law 12).
 *
 * **Gotchas** After a stop the exit is told when the whole group has gone, not when its leader has. A child in the
 * background that holds the output open is ended with the leader, since nobody reads that output any more; one that
 * has redirected its output is left running until this program ends. Failing to start is a value, `not-started`,
 * never an error.
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
