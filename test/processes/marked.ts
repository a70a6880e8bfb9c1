import { readdirSync, readFileSync } from 'node:fs';

/** The variable that marks the processes of a run: it is handed on to every child, wherever that goes. */
export const MARK = 'MILLRACE_TEST_RUN';

/** A process that still runs, with what it was started as. */
export interface Marked {
  readonly pid: number;
  readonly commandLine: string;
}

/** The processes of a run that are alive now. Those that only wait to be reaped have no environment any more. */
export const markedProcesses = (mark: string): readonly Marked[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readAll(pid, 'environ').split('\0').includes(`${MARK}=${mark}`))
    .map((pid) => ({ pid: Number(pid), commandLine: readAll(pid, 'cmdline').replaceAll('\0', ' ').trim() }));

const readAll = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or is somebody else's.
    return '';
  }
};
