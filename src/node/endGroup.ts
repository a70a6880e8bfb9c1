import { AsyncSubject, defer, filter, map, merge, type Observable, take, tap, timer } from 'rxjs';
import { type GroupId, isGroupAlive, type Leader, signalGroup } from './groupSignals.js';

/** Milliseconds between two looks at whether a group has gone, and until the first, for most end at once. */
const LOOK_MS = 25;
const FIRST_LOOK_MS = 5;
/** Looks after KILL until a group that is still there is given up: it hangs in the kernel. */
const LOOKS_AFTER_KILL = 12;

/**
 * Ends a process group and its session: TERM at once, KILL after `killAfterMs` to what is left.
 *
 * Starts when called, not when subscribed to, and goes on whatever its observers do: leaving a call must not leave
 * its processes (law 12). Emits once, when the group has gone (`true`) or could not be ended (`false`).
 *
 * @param killAfterMs milliseconds between the two signals, from 0
 * @param leader the process that leads it: once it has been reaped, the id may be somebody else's
 */
export const endGroup = (group: GroupId, killAfterMs: number, leader?: Leader): Observable<boolean> => {
  const ended = new AsyncSubject<boolean>();
  terminateThenKill(group, killAfterMs, leader).subscribe(ended);
  return ended;
};

const terminateThenKill = (group: GroupId, killAfterMs: number, leader?: Leader): Observable<boolean> =>
  defer(() => {
    signalGroup(group, 'SIGTERM', leader);
    // A stopped process (SIGSTOP, or a read from a terminal) takes no TERM until it is continued.
    signalGroup(group, 'SIGCONT', leader);
    const gone$ = timer(FIRST_LOOK_MS, LOOK_MS).pipe(
      filter(() => !isGroupAlive(group, leader)),
      map(() => true),
    );
    // KILL again at each look: a process that was starting another may have got it before that one was there.
    const givenUp$ = timer(killAfterMs, LOOK_MS).pipe(
      tap(() => signalGroup(group, 'SIGKILL', leader)),
      filter((look) => look >= LOOKS_AFTER_KILL),
      map(() => !isGroupAlive(group, leader)),
    );
    return merge(gone$, givenUp$).pipe(take(1));
  });
