import { runSeries, seriesText } from './series.js';

/**
 * Runs real processes through the engine and looks for what is left of them: `tsx test/processes/main.ts [runs] [lanes]`.
 * "seen alive" counts the processes of the runs when their commands had said that they were ready. "ended after" counts processes that were alive by right when the call was over: listed in the background and ended
 * by the registry, or escaped by `setsid`, told of in the result, and ended by this program.
 */
const [runs = 500, lanes = 6] = process.argv.slice(2).map(Number);
const report = await runSeries(runs, lanes);
console.log(seriesText(report));
process.exitCode = report.grown.length > 0 || report.runs.some(({ faults }) => faults.length > 0) ? 1 : 0;
