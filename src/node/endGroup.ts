import { AsyncSubject, defer, delay, filter, map, merge, type Observable, take, tap, timer } from 'rxjs';
import { type GroupId, isGroupAlive, signalGroup } from './groupSignals.js';

/** Milliseconds after KILL until a group that is still there is given up: it hangs in the kernel. */
const AFTER_KILL_MS = 300;
/** Milliseconds between two looks at whether a group has gone. */
const LOOK_MS = 25;

/**
 * Ends a process group: TERM at once, KILL after `killAfterMs` to what is left.
 *
 * Starts when called, not when subscribed to, and goes on whatever its observers do: leaving a call must not leave
 * its processes (law 12). Emits once, when the group has gone (`true`) or could not be ended (`false`).
 *
 * @param killAfterMs milliseconds between the two signals, from 0
 */
export const endGroup = (group: GroupId, killAfterMs: number): Observable<boolean> => {
  const ended = new AsyncSubject<boolean>();
  terminateThenKill(group, killAfterMs).subscribe(ended);
  return ended;
};

const terminateThenKill = (group: GroupId, killAfterMs: number): Observable<boolean> =>
  defer(() => {
    signalGroup(group, 'SIGTERM');
    // A stopped process (SIGSTOP, or a read from a terminal) takes no TERM until it is continued.
    signalGroup(group, 'SIGCONT');
    const gone$ = timer(LOOK_MS / 5, LOOK_MS).pipe(
      filter(() => !isGroupAlive(group)),
      map(() => true),
    );
    const givenUp$ = timer(killAfterMs).pipe(
      tap(() => signalGroup(group, 'SIGKILL')),
      delay(AFTER_KILL_MS),
      map(() => !isGroupAlive(group)),
    );
    return merge(gone$, givenUp$).pipe(take(1));
  });
