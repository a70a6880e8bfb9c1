import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds } from './kinds.js';
import { countResources, grownResources } from './resources.js';
import { type RunReport, runOnce } from './run.js';

/** What a series of runs showed. */
export interface SeriesReport {
  readonly runs: readonly RunReport[];
  /** What the program holds more of than before. */
  readonly grown: readonly string[];
  readonly ms: number;
}

/** Runs commands of all kinds in turn, `lanes` at a time. */
export const runSeries = async (count: number, lanes: number): Promise<SeriesReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-processes-'));
  const temporary = process.env.TMPDIR;
  // Output files of commands in the background go there too, so that none can be left unseen.
  process.env.TMPDIR = folder;
  try {
    const before = countResources(folder);
    const since = performance.now();
    const runs = await inLanes(count, lanes, folder);
    return { runs, grown: await grownResources(before, folder), ms: performance.now() - since };
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    rmSync(folder, { recursive: true, force: true });
  }
};

const inLanes = async (count: number, lanes: number, cwd: string): Promise<RunReport[]> => {
  const reports: RunReport[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const kind = kinds[index % kinds.length];
      if (kind !== undefined) reports.push(await runOnce(kind, index, cwd));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return reports;
};

/** A table by kind, then what is wrong. */
export const seriesText = ({ runs, grown, ms }: SeriesReport): string => {
  const rows = kinds.map(({ name }) => {
    const own = runs.filter(({ kind }) => kind === name);
    const slowest = Math.max(0, ...own.map((run) => run.ms)).toFixed(0);
    const sum = (of: (run: RunReport) => number) => own.reduce((total, run) => total + of(run), 0);
    return [
      name,
      own.length,
      slowest,
      sum((run) => run.seen),
      sum((run) => run.left),
      own.filter(({ faults }) => faults.length > 0).length,
    ];
  });
  const faults = runs.flatMap(({ kind, faults }) => faults.map((fault) => `${kind}: ${fault}`));
  const wrong = runs.filter((run) => run.faults.length > 0).length;
  return [
    line(['a command that …', 'runs', 'slowest ms', 'seen alive', 'ended after', 'faults']),
    ...rows.map(line),
    '',
    `${runs.length} runs in ${(ms / 1000).toFixed(1)} s; ${wrong} with faults, ${runs.length - wrong} without: no process left alive.`,
    `Handles, timers, listeners, files more than before: ${grown.length === 0 ? 'none' : grown.join('; ')}.`,
    ...faults.slice(0, 50),
  ].join('\n');
};

const line = ([name, ...cells]: readonly (string | number)[]): string =>
  `${String(name).padEnd(28)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
