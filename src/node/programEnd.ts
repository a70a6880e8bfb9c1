const tasks = new Set<() => void>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Registers what must be done at the end of this program, however it ends: by itself, `process.exit`, an exception
 * that nobody caught, or a signal. Returns what takes it off. Synchronous, for there is no time left to wait.
 *
 * The program listens only while there is something to do. After SIGKILL nothing of it is done.
 */
export const atProgramEnd = (task: () => void): (() => void) => {
  if (tasks.size === 0) listen();
  tasks.add(task);
  return () => {
    if (tasks.delete(task) && tasks.size === 0) stopListening();
  };
};

const listen = (): void => {
  process.on('exit', doAll);
  for (const signal of signals) process.on(signal, onSignal);
};

const stopListening = (): void => {
  process.off('exit', doAll);
  for (const signal of signals) process.off(signal, onSignal);
};

const doAll = (): void => {
  for (const task of tasks) {
    try {
      task();
    } catch {
      // One that fails must not keep the others from their end.
    }
  }
};

const onSignal = (signal: NodeJS.Signals): void => {
  // The host has a handler of its own: it decides how the program ends, and `exit` comes when it does.
  if (process.listenerCount(signal) > 1) return;
  doAll();
  // A listener takes away the signal's default action, the end of the program: given back, and sent again.
  stopListening();
  process.kill(process.pid, signal);
};
