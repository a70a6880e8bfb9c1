import { readdirSync, readFileSync } from 'node:fs';

/** One process, as the system knows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It has ended and waits to be reaped: a zombie. */
  readonly ended: boolean;
  /** When it was started, in the system's own unit: with `pid` it names a process for good, for ids are reused. */
  readonly startedAt: string;
}

/** All processes of the system now; `undefined` where only Linux could say. */
export const processTable = (): readonly ProcessRow[] | undefined => {
  if (process.platform !== 'linux') return undefined;
  const rows = processIds()
    .map(readRow)
    .filter((row) => row !== undefined);
  return rows.length === 0 ? undefined : rows;
};

/**
 * The descendants of a process that are in another session: they made one of their own (`setsid`, a daemon).
 *
 * A daemon whose parent has ended is nobody's descendant any more, and is not found.
 */
export const descendantsElsewhere = (ancestor: number): readonly ProcessRow[] => {
  const rows = processTable() ?? [];
  const family = new Set([ancestor]);
  // By generations: a set that grows while it is gone through is gone through to its new end.
  for (const parent of family) {
    for (const row of rows) if (row.parent === parent) family.add(row.pid);
  }
  return rows.filter(({ pid, session, ended }) => family.has(pid) && session !== ancestor && !ended);
};

/** This program itself; `undefined` where only Linux could say. */
export const ownProcess = (): ProcessRow | undefined =>
  process.platform === 'linux' ? readRow(String(process.pid)) : undefined;

/** Whether one of these very processes still runs. */
export const isAnyAlive = (rows: readonly ProcessRow[]): boolean =>
  rows.some(({ pid, startedAt }) => {
    const now = readRow(String(pid));
    return now?.startedAt === startedAt && !now.ended;
  });

const processIds = (): string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

const readRow = (pid: string): ProcessRow | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses; what follows the last one is fixed.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      ended: state === 'Z' || state === 'X',
      startedAt: fields[19] ?? '',
    };
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
};
