import { readdirSync, readFileSync } from 'node:fs';

/** A group's id is its leader's process id. */
export type GroupId = number;

/**
 * Sends a signal to every process of a group; returns whether there was one to receive it.
 *
 * A group that has gone, or that belongs to somebody else, is no error: there is nothing to do about it.
 */
export const signalGroup = (group: GroupId, signal: NodeJS.Signals | 0): boolean => {
  // kill(-1) reaches every process of the user and kill(-0) the caller's own group: neither is ever meant.
  if (!Number.isInteger(group) || group <= 1 || group === process.pid) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // Thrown from a timer or from the end of the program, nobody would be there to take it.
    return false;
  }
};

/** Whether a process of the group still runs; one that has ended and waits to be reaped does not count. */
export const isGroupAlive = (group: GroupId): boolean => signalGroup(group, 0) && !isGroupReapable(group);

/**
 * Whether all that is left of a group are zombies.
 *
 * An orphan is reaped by the first process of the system, which in a container may take seconds or never do it;
 * waiting for that would hold up every stop. Only Linux says it cheaply; elsewhere the signal alone decides.
 */
const isGroupReapable = (group: GroupId): boolean => {
  if (process.platform !== 'linux') return false;
  const states = processIds()
    .map(readState)
    .filter((state) => state?.group === group);
  return states.length > 0 && states.every((state) => state?.ended === true);
};

const processIds = (): string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

const readState = (pid: string): { readonly group: GroupId; readonly ended: boolean } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses; what follows the last one is fixed.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { group: Number(group), ended: state === 'Z' || state === 'X' };
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
};
