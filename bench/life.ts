import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { ExecuteToolsOptions } from '../src/index.js';
import type * as floor from './floor.js';

/**
 * `npm run bench:life -- REF`: what the life of a call costs, against the build of another commit in the same run, and
 * with guards: ten rules and one function hook. One JSON line a workload; medians over interleaved rounds.
 */

type Build = typeof floor;

const here = process.cwd();
const rounds = Number(process.env.ROUNDS ?? 31);

const bundled = async (folder: string, name: string, into: string): Promise<Build> => {
  const outfile = join(into, `${name}.mjs`);
  await build({
    absWorkingDir: folder,
    entryPoints: ['bench/floor.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
};

/** The files of another commit, beside the packages that are installed here. */
const checkedOut = (ref: string, into: string): string => {
  const folder = mkdtempSync(join(into, 'ref-'));
  const archive = execFileSync('git', ['archive', ref], { cwd: here, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const round = (value: number): number => Number(value.toPrecision(3));

const n = 1000;
const repeat = 3;

/** Each one's median µs per call, and that of the ratios to the first within the rounds. */
const race = async (contestants: readonly (() => Promise<unknown>)[]) => {
  for (const contestant of contestants) {
    const end = performance.now() + 1500;
    while (performance.now() < end) await contestant();
  }
  const times: number[][] = contestants.map(() => []);
  for (let i = 0; i < rounds; i++) {
    // Another one begins each round: who goes first finds the caches as the last one left them.
    for (let c = 0; c < contestants.length; c++) {
      const at = (c + i) % contestants.length;
      const start = performance.now();
      for (let r = 0; r < repeat; r++) await contestants[at]?.();
      times[at]?.push(((performance.now() - start) * 1000) / repeat / n);
    }
  }
  const first = times[0] ?? [];
  return times.map((each) => ({
    us: median(each),
    ratio: median(each.map((time, i) => time / (first[i] ?? time))),
    over: median(each.map((time, i) => time - (first[i] ?? time))),
  }));
};

const guards: Partial<ExecuteToolsOptions> = {
  permissions: {
    cwd: '/project',
    rules: {
      allow: ['read', 'write', 'Bash(npm run *)', 'Bash(git status)', 'Edit(src/**)'],
      deny: ['Bash(rm *)', 'Read(./secrets/**)', 'WebFetch(domain:*.example.com)'],
      ask: ['Bash(git push:*)', 'Edit(.env)'],
    },
  },
  hooks: { PreToolUse: [() => undefined] },
};

const ref = process.argv[2] ?? 'HEAD';
const folder = mkdtempSync(join(tmpdir(), 'millrace-life-'));
try {
  const before = await bundled(checkedOut(ref, folder), 'before', join(here, 'node_modules/.cache/millrace'));
  const now = await bundled(here, 'now', join(here, 'node_modules/.cache/millrace'));
  for (const [workload, name] of [
    ['safe calls', () => 'read'],
    ['safe and unsafe by turns', (i: number) => (i % 2 ? 'read' : 'write')],
  ] as const) {
    const uses = now.toolUses(n, name);
    const [old, same, guarded] = await race([
      () => before.byMillrace(uses, 10),
      () => now.byMillrace(uses, 10),
      () => now.byMillrace(uses, 10, guards),
    ]);
    console.log(
      JSON.stringify({
        workload,
        n,
        against: ref,
        beforeUs: round(old?.us ?? 0),
        us: round(same?.us ?? 0),
        ratio: round(same?.ratio ?? 0),
        guardedUs: round(guarded?.us ?? 0),
        guardsUs: round((guarded?.over ?? 0) - (same?.over ?? 0)),
      }),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
