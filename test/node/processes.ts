import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, type Observable, toArray } from 'rxjs';
import { onTestFinished } from 'vitest';
import { type ProcessEvent, type ProcessGroupOptions, processGroup } from '../../src/node/index.js';

/** A folder of its own for one test, removed afterwards. */
export const temporaryFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const shell = (script: string, options: Partial<ProcessGroupOptions> = {}): Observable<ProcessEvent> =>
  processGroup({ command: '/bin/sh', args: ['-c', script], cwd: tmpdir(), ...options });

export const runToEnd = (events$: Observable<ProcessEvent>): Promise<ProcessEvent[]> =>
  firstValueFrom(events$.pipe(toArray()));

export const textOf = (events: readonly ProcessEvent[], stream: 'stdout' | 'stderr'): string =>
  events.map((event) => (event.type === 'chunk' && event.stream === stream ? event.text : '')).join('');

/** Polls, because a process tells nobody when it has gone. */
export const eventually = async (condition: () => boolean, withinMs = 4000): Promise<boolean> => {
  const until = Date.now() + withinMs;
  while (!condition() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  return condition();
};

/** Asks the system itself, zombies included. */
export const groupExists = (group: number): boolean => {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
};
