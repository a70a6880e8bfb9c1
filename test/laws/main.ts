import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { renderTestRows } from '../../marbles/index.js';
import { guardedSchedule } from './guardSpecs.js';
import { brokenLaw, laws } from './laws.js';
import { play } from './play.js';
import { anySchedule, plainSchedule, type Schedule } from './schedule.js';

/** `npm run laws -- --runs N [--seed S] [--law K] [--path P]`: schedules of everything, with guards and without, and plain ones for the oracle. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    law: { type: 'string' },
    path: { type: 'string' },
    /** `any`, `guarded` or `plain`; default all. */
    kind: { type: 'string' },
  },
});

const number = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^-?\d+$/.test(text)) return Number(text);
  console.error(`expected \`--${name}\` to be a whole number, got "${text}"`);
  process.exit(2);
};

const runs = number('runs', values.runs) ?? 2000;
const law = number('law', values.law);
const seed = number('seed', values.seed) ?? Date.now() & 0x7fffffff;
if (law !== undefined && laws[law] === undefined) {
  console.error(`expected \`--law\` to be one of ${Object.keys(laws).join(', ')}, got ${law}`);
  process.exit(2);
}

const report = (kind: string, schedule: Schedule, wrong: string, path: string | null): void => {
  console.log(`\n${wrong}\n\n${renderTestRows(play(schedule).events)}\n`);
  console.log(JSON.stringify(schedule));
  const only = law === undefined ? '' : ` --law ${law}`;
  console.log(`\nagain: npm run laws -- --seed ${seed} --kind ${kind} --path ${path}${only}`);
};

const check = (kind: string, arbitrary: fc.Arbitrary<Schedule>, numRuns: number): boolean => {
  const started = Date.now();
  const property = fc.property(arbitrary, (schedule) => {
    const wrong = brokenLaw(schedule, law);
    if (wrong !== undefined) throw new Error(wrong);
  });
  const details = fc.check(property, {
    numRuns,
    seed,
    ...(values.path === undefined ? undefined : { path: values.path }),
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    `${kind}: ${details.numRuns} schedules, ${details.failed ? 'BROKEN' : 'all laws hold'}, ${seconds}s, seed ${seed}`,
  );
  if (!details.failed || details.counterexample === null) return !details.failed;
  const [schedule] = details.counterexample;
  report(
    kind,
    schedule,
    brokenLaw(schedule, law) ?? String(details.errorInstance),
    details.counterexamplePath,
  );
  return false;
};

const wanted = (kind: string): boolean => values.kind === undefined || values.kind === kind;
const any = !wanted('any') || check('any', anySchedule, runs);
const plain = !wanted('plain') || check('plain', plainSchedule, Math.max(1, Math.ceil(runs / 4)));
const guarded = !wanted('guarded') || check('guarded', guardedSchedule, runs);
process.exitCode = any && plain && guarded ? 0 : 1;
