import { describe, expect, it } from 'vitest';
import { kinds } from './kinds.js';
import { runSeries } from './series.js';

describe.runIf(process.platform === 'linux')('real commands, run and stopped in every way', () => {
  it('leave no process, listener, timer, handle or file behind', { timeout: 120_000 }, async () => {
    const { runs, grown } = await runSeries(40, 4);
    expect(runs.filter(({ faults }) => faults.length > 0)).toEqual([]);
    expect(grown).toEqual([]);
    expect(new Set(runs.map(({ kind }) => kind)).size).toBe(kinds.length);
  });
});
