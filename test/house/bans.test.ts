import { describe, expect, it } from 'vitest';
import { banned, codeLines, machineLines, silencedTests } from './banRules.js';
import { projectFiles, sourceFiles, textOf } from './projectFiles.js';

const core =
  /^(operators|src\/(contract|interop|permissions|hooks|results|call|engine|turn))\/|^src\/index\.ts$/;

/** Uses that the rule does not mean, each with its reason; one that is not needed any more is a failure. */
const allowed: Readonly<Record<string, string>> = {
  'src/turn/toolUses.ts concatMap': 'flattens the list that one event holds; no work of a tool runs in it',
};

describe('the core', () => {
  const found = sourceFiles()
    .filter((path) => core.test(path))
    .flatMap((path) =>
      banned(path, textOf(path)).map((ban) => ({
        at: `${path}:${ban}`,
        key: `${path} ${ban.replace(/^\d+: /, '')}`,
      })),
    );

  it('holds nothing that is banned there', () => {
    expect(found.filter(({ key }) => allowed[key] === undefined).map(({ at }) => at)).toEqual([]);
  });

  it('needs every exception it is granted', () => {
    const used = new Set(found.map(({ key }) => key));
    expect(Object.keys(allowed).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('the walker', () => {
  it.each([
    ['switchMap', "import { switchMap } from 'rxjs';"],
    ['exhaustMap', "import { exhaustMap } from 'rxjs';"],
    ['shareReplay', "import { shareReplay } from 'rxjs';"],
    ['partition', "import { partition as split } from 'rxjs';"],
    ['groupBy', "import { groupBy } from 'rxjs';"],
    ['mergeMap', "import { mergeMap } from 'rxjs';"],
    ['concatMap', "import { map, concatMap } from 'rxjs';"],
    ['import * of rxjs', "import * as rx from 'rxjs';"],
    ['setTimeout', 'setTimeout(run, 1);'],
    ['setInterval', 'globalThis.setInterval(run, 1);'],
    ['queueMicrotask', 'const schedule = { queueMicrotask };'],
    ['Date', 'const now = Date.now();'],
    ['Date', 'const is = value instanceof Date;'],
    ['performance', 'const now = performance.now();'],
    ['process', 'const { env } = process;'],
    ['AbortController', 'const controller = new AbortController();'],
    ['AbortSignal', 'const signal = AbortSignal.timeout(1);'],
    ['Promise', 'const later = new Promise(run);'],
    ['Promise', 'const later = Promise.resolve(1);'],
    ['async', 'const run = async () => 1;'],
    ['await', 'await later;'],
    ['await', 'for await (const each of all) run(each);'],
    ['any', 'const value: any = 1;'],
    ['any', 'const values = [] as readonly any[];'],
    ['enum', 'const enum Kind { A }'],
    ['default export', 'export default 1;'],
    ['default export', 'export default function run() {}'],
    ['default export', 'export { run as default };'],
    ['Subject that is not private', 'export const events = new Subject<string>();'],
    ['Subject that is not private', 'class A { readonly events = new BehaviorSubject(1); }'],
    [
      'Subject that is not private',
      'class A { events; constructor() { this.events = new ReplaySubject(); } }',
    ],
    ['Subject that is not private', 'const make = () => new Subject<string>();'],
    ['Subject that is not private', 'class A extends Subject<string> {}'],
  ])('catches %s in: %s', (what, text) => {
    expect(banned('src/engine/a.ts', text)).toContain(`1: ${what}`);
  });

  it.each([
    'const f = (signal: AbortSignal): signal is AbortSignal => true;',
    'interface A { readonly process: string; Date(): void }',
    'const x = { process: 1, Date: 2 }.process;',
    'class A { readonly #events = new Subject<string>(); }',
    'class A { private readonly events = new Subject<string>(); }',
    'class A { #s; constructor() { this.#s = new Subject(); } }',
    'const run = () => { const gate = new Subject<void>(); return gate.asObservable(); };',
    "import { partition } from './batches.js';",
    'const later: Promise<void> = promise.then(run);',
    "// new Promise, setTimeout and any, in a comment\nconst text = 'await Date';",
  ])('lets pass: %s', (text) => {
    expect(banned('src/engine/a.ts', text)).toEqual([]);
  });

  it('lets promises and signals in where they enter, and no clock', () => {
    const text = 'async function f() { await new Promise(g); return new AbortController(); }';
    expect(banned('src/interop/a.ts', text)).toEqual([]);
    expect(banned('src/interop/a.ts', 'setTimeout(f, Date.now());')).toEqual(['1: setTimeout', '1: Date']);
  });
});

describe('the project', () => {
  const isText = (path: string): boolean => /\.(ts|js|mjs|json|md|sse|html|css|sh)$|^\.|LICENSE/.test(path);

  it('names no path of a machine and no host of a registry', () => {
    const lines = projectFiles()
      .filter(isText)
      .flatMap((path) => machineLines(textOf(path)).map((line) => `${path}:${line}`));
    expect(lines).toEqual([]);
  });

  it('silences no test without a reason', () => {
    const tests = sourceFiles().filter((path) => path.startsWith('test/'));
    expect(tests.flatMap((path) => silencedTests(path, textOf(path)))).toEqual([]);
  });

  it('catches paths, hosts and silenced tests', () => {
    const slash = '/';
    expect(machineLines(`cd ${slash}work${slash}here`)).toHaveLength(1);
    expect(machineLines(`see ..${slash}shared`)).toHaveLength(1);
    expect(machineLines(`${slash}tmp${slash}bash_jobs.0`)).toHaveLength(1);
    expect(machineLines(`https:${slash}${slash}${['registry', 'npmjs', 'org'].join('.')}`)).toHaveLength(1);
    expect(machineLines('a network/work/flow of the registry. Next')).toEqual([]);
    expect(silencedTests('a.test.ts', "it.only('a', f);\ndescribe.each(x).skip('b', g);")).toEqual([
      'a.test.ts:1: .only',
      'a.test.ts:2: .skip',
    ]);
    expect(silencedTests('a.test.ts', "it.skip('a', f); // needs a terminal\nlist.skip(3);")).toEqual([]);
  });

  it('counts lines of code, and warns of long files', () => {
    expect(codeLines('// a\n\n/* b\n c */\nconst d = 1; // e\n')).toBe(1);
    const long = sourceFiles()
      .map((path) => ({
        path,
        lines: codeLines(textOf(path)),
        most: path.startsWith('operators/') ? 60 : 150,
      }))
      .filter(({ path, lines, most }) => !path.startsWith('test/') && lines > most)
      .map(({ path, lines, most }) => `${path}: ${lines} lines of code, meant to be at most ${most}`);
    if (long.length > 0) console.warn(long.join('\n'));
  });
});
