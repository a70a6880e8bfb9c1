import type { LiveRegion } from './liveRegion.js';

/**
 * Gives the cursor back however the program is left: a second Ctrl-C, an error nobody expected, Ctrl-Z. Until what
 * it returns is called.
 */
export const keepScreen = (region: LiveRegion): (() => void) => {
  const leave = (): void => region.abandon();
  const suspend = (): void => {
    region.abandon();
    // Listening has taken the place of what the signal does; the next frame paints below what the shell printed.
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('exit', leave).on('uncaughtExceptionMonitor', leave);
  if (process.platform !== 'win32') process.on('SIGTSTP', suspend);
  return () => {
    process.off('exit', leave).off('uncaughtExceptionMonitor', leave).off('SIGTSTP', suspend);
  };
};
