import { ownProcess, processTable } from './processTable.js';

/** A group's id is its leader's process id, and the id of the session it leads. */
export type GroupId = number;

/** What a `ChildProcess` says of its end: both are `null` while it runs, or has ended and is not reaped. */
export interface Leader {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
}

/** The leader of a group that was left to run on. */
export const reapedLeader: Leader = { exitCode: 0, signalCode: null };

/** Whether it still runs. `killed` of a `ChildProcess` says only that a signal has been sent. */
export const isLeading = (leader: Leader | undefined): boolean =>
  leader !== undefined && leader.exitCode === null && leader.signalCode === null;

/**
 * Sends a signal to every process of a group, and to the other groups of its session (`timeout`, job control and
 * interactive shells make them); returns whether there was one to receive it.
 *
 * A group that has gone, or that belongs to somebody else, is no error: there is nothing to do about it.
 */
export const signalGroup = (group: GroupId, signal: NodeJS.Signals, leader?: Leader): boolean => {
  if (!isForeign(group) || isReissued(group, leader)) return false;
  const others = membersOf(group)?.map((row) => row.group) ?? [];
  const groups = [...new Set([group, ...others])].filter(isForeign);
  return groups.map((each) => send(each, signal)).includes(true);
};

/** Whether a process of the group or its session still runs; one that has ended and waits to be reaped does not count. */
export const isGroupAlive = (group: GroupId, leader?: Leader): boolean => {
  if (isLeading(leader)) return true;
  if (!isForeign(group) || isReissued(group, leader)) return false;
  const members = membersOf(group);
  // An orphan is reaped by the first process of the system, which in a container may take seconds or never do it:
  // waiting for that would hold up every stop. Where the system tells of nobody, the signal decides.
  return members === undefined || members.length === 0 ? send(group, 0) : members.some(({ ended }) => !ended);
};

const membersOf = (group: GroupId) =>
  processTable()?.filter((row) => row.group === group || row.session === group);

/**
 * Whether the id was given to somebody else meanwhile. The system gives no id to a new process while a group or a
 * session has it: where a process has it after the leader was reaped, ours has gone.
 */
const isReissued = (group: GroupId, leader: Leader | undefined): boolean =>
  leader !== undefined && !isLeading(leader) && isTaken(group);

/**
 * Whether an id can be that of a group made for a child. A signal to the program's own group would end the program,
 * and whoever started it; kill(-1) reaches every process of the user, and kill(-0) the program's own group.
 */
const isForeign = (group: GroupId): boolean => {
  if (!Number.isInteger(group) || group <= 1) return false;
  const own = ownProcess();
  return group !== process.pid && group !== own?.group && group !== own?.session;
};

const isTaken = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM';
  }
};

const send = (group: GroupId, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // Thrown from a timer or from the end of the program, nobody would be there to take it.
    return false;
  }
};
