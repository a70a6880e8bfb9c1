import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importsOf } from './importRules.js';
import { root, textOf } from './projectFiles.js';

type Entry = string | { readonly types: string; readonly default: string };
interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Entry>>;
  readonly bin: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name: name.replace(/^\./, manifest.name), ...entry }],
);

/** The package as it would be published: built apart, so that nothing stale in `dist` can pass. */
let folder = '';
let packed: readonly string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-package-'));
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'examples']) {
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const dist = join(folder, 'dist');
  // Types are checked by `npm run check`; here it matters what is written.
  const options = ['--noCheck', '--outDir', dist, '--tsBuildInfoFile', join(dist, '.tsbuildinfo')];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...options], { cwd: folder });
  const list = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(list) as [{ readonly files: readonly { readonly path: string }[] }];
  packed = files.map(({ path }) => path);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('contains what it promises', () => {
    const promised = [
      ...entries.flatMap((entry) => [entry.types, entry.default]),
      ...Object.values(manifest.bin),
      // What the command's `example` runs.
      'examples/replies/fix-the-build.sse',
      'examples/workspace/package.json',
    ].map((path) => path.replace(/^\.\//, ''));
    const missing = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', ...promised].filter(
      (path) => !packed.includes(path),
    );
    expect(missing).toEqual([]);
  });

  it('contains nothing else', () => {
    const known =
      /^dist\/(operators|src|marbles)\/|^examples\/(replies|workspace)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
    const unwanted = packed.filter((path) => !known.test(path) || /\.test\.|tsbuildinfo|\/test\//.test(path));
    expect(unwanted).toEqual([]);
  });
});

/**
 * Imports an entry as a user's program does, and fails where that leaves something behind in the process; zod's own
 * settings, which it keeps on `globalThis` for all copies of itself, are not ours to forbid.
 */
const probe = (entry: string) => `
  const look = () => ({
    resources: process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY|FS|CloseReq/.test(name)),
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    globals: Reflect.ownKeys(globalThis).map(String).filter((name) => !name.startsWith('__zod_')),
  });
  const before = JSON.stringify(look());
  const face = await import(${JSON.stringify(entry)});
  const after = JSON.stringify(look());
  if (Object.keys(face).length === 0) throw new Error('it exports nothing');
  if (after !== before) throw new Error('before ' + before + ', after ' + after);
`;

const runNode = (program: string) => {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    { cwd: folder, encoding: 'utf8', timeout: 20_000 },
  );
  return { status, signal, stdout, stderr };
};
const clean = { status: 0, signal: null, stdout: '', stderr: '' };

describe('an entry', () => {
  it.each(entries)('$name is imported by plain Node and leaves nothing behind', ({ name }) => {
    expect(runNode(probe(name))).toEqual(clean);
  });

  it('that left a timer or a listener behind would be caught', () => {
    const module = (text: string) => probe(`data:text/javascript,export const a = 1; ${text}`);
    expect(runNode(module(''))).toEqual(clean);
    expect(runNode(module('setTimeout(() => {}, 1)')).stderr).toContain('Timeout');
    expect(runNode(module('process.on("exit", () => {})')).stderr).toContain('exit');
    expect(runNode(module('globalThis.leak = 1')).status).toBe(1);
  });
});

/** Every file that an entry loads, and the packages it asks for. */
const loads = (path: string, seen = new Map<string, readonly string[]>()): ReadonlySet<string> => {
  const imports = importsOf(readFileSync(path, 'utf8'));
  seen.set(path, imports);
  for (const specifier of imports.filter((each) => each.startsWith('.'))) {
    const target = join(dirname(path), specifier);
    if (!seen.has(target)) loads(target, seen);
  }
  return new Set([...seen.values()].flat().filter((each) => !each.startsWith('.')));
};

describe('the core', () => {
  it.each(['millrace', 'millrace/operators'])('%s loads rxjs and zod alone', (name) => {
    const entry = entries.find((each) => each.name === name);
    const file = join(folder, entry?.default ?? '');
    expect(existsSync(file)).toBe(true);
    const loaded = loads(file);
    expect(loaded).toContain('rxjs');
    expect([...loaded].filter((specifier) => !/^(rxjs|zod(\/v4\/core)?)$/.test(specifier))).toEqual([]);
  });

  it('has a walk that sees what the tools load', () => {
    const tools = entries.find(({ name }) => name === 'millrace/tools');
    const loaded = [...loads(join(folder, tools?.default ?? ''))];
    expect(loaded).toEqual(expect.arrayContaining(['node:fs/promises', 're2js']));
  });
});
