import { type GroupId, signalGroup } from './groupSignals.js';

const live = new Set<GroupId>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Registers a group that must not outlive this program; returns what takes it off.
 *
 * A group of its own gets neither the terminal's Ctrl-C nor the signal that ends the program. So while groups
 * live, and only then, the program listens: at its end they are killed, for there is no time left to ask first.
 */
export const keepUntilExit = (group: GroupId): (() => void) => {
  if (live.size === 0) listen();
  live.add(group);
  return () => {
    if (live.delete(group) && live.size === 0) stopListening();
  };
};

const listen = (): void => {
  process.on('exit', killAll);
  for (const signal of signals) process.on(signal, onSignal);
};

const stopListening = (): void => {
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, onSignal);
};

const killAll = (): void => {
  for (const group of live) signalGroup(group, 'SIGKILL');
};

const onSignal = (signal: NodeJS.Signals): void => {
  // The host has a handler of its own: it decides how the program ends, and `exit` comes when it does.
  if (process.listenerCount(signal) > 1) return;
  killAll();
  // A listener takes away the signal's default action, the end of the program: given back, and sent again.
  stopListening();
  process.kill(process.pid, signal);
};
