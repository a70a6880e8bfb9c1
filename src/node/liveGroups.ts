import { type GroupId, isGroupAlive, type Leader, reapedLeader, signalGroup } from './groupSignals.js';
import { atProgramEnd } from './programEnd.js';

/** Groups whose leader has ended well and that were left to run on, with what takes them off. */
const left = new Map<GroupId, () => void>();

/**
 * Registers a group that must not outlive this program; returns what takes it off.
 *
 * A group of its own gets neither the terminal's Ctrl-C nor the signal that ends the program. At the end of the
 * program it is killed, for there is no time left to ask first.
 */
export const keepUntilExit = (group: GroupId, leader?: Leader): (() => void) => {
  forgetGoneGroups();
  const release = atProgramEnd(() => signalGroup(group, 'SIGKILL', leader));
  return () => {
    release();
    forgetGoneGroups();
  };
};

/** Registers a group that goes on without its leader, until it has gone or the program ends. */
export const leaveRunning = (group: GroupId): void => {
  left.set(group, keepUntilExit(group, reapedLeader));
};

/** Takes off the groups left running that have gone meanwhile: nobody tells of it, so it is looked at now and then. */
export const forgetGoneGroups = (): void => {
  for (const [group, release] of left) {
    if (isGroupAlive(group, reapedLeader)) continue;
    left.delete(group);
    release();
  }
};
