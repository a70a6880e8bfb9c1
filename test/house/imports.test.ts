import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cycles, importFaults, importsOf, roomOf } from './importRules.js';
import { sourceFiles, textOf } from './projectFiles.js';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const shipped = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
const declared = new Set([...shipped, ...Object.keys(manifest.devDependencies)]);
const isShipped = (path: string): boolean => /^(operators|src|marbles)\//.test(path);
const faults = (path: string, text: string): readonly string[] =>
  importFaults(path, text, isShipped(path) ? shipped : declared);

describe('the import graph', () => {
  it('runs downwards everywhere', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((path) => faults(path, textOf(path)))).toEqual([]);
  });

  it('has no circle of rooms', () => {
    const edges = new Map<string, Set<string>>();
    for (const path of sourceFiles()) {
      const room = roomOf(path) as string;
      for (const specifier of importsOf(textOf(path)).filter((each) => each.startsWith('.'))) {
        const other = roomOf(posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'));
        if (other !== undefined && other !== room) edges.set(room, (edges.get(room) ?? new Set()).add(other));
      }
    }
    expect(edges.size).toBeGreaterThan(5);
    expect(cycles(edges)).toEqual([]);
  });

  it('knows a room for every file', () => {
    expect(sourceFiles().filter((path) => roomOf(path) === undefined)).toEqual([]);
  });
});

describe('the walker', () => {
  it.each([
    ['operators/a.ts', "import { b } from '../src/contract/b.js';"],
    ['operators/a.ts', "import { z } from 'zod';"],
    ['src/contract/a.ts', "import { b } from '../call/b.js';"],
    ['src/results/a.ts', "import { b } from '../hooks/b.js';"],
    ['src/call/a.ts', "import type { Turn } from '../engine/turn.js';"],
    ['src/engine/a.ts', "export { b } from '../turn/b.js';"],
    ['src/engine/a.ts', "const b = await import('../adapters/anthropic/b.js');"],
    ['src/engine/a.ts', "type B = import('../turn/b.js').B;"],
    ['src/engine/a.ts', "import { executeTools } from '../index.js';"],
    ['src/engine/a.ts', "import { readFile } from 'node:fs';"],
    ['src/engine/a.ts', "import picomatch from 'picomatch';"],
    ['src/engine/a.ts', "import { map } from 'rxjs/operators';"],
    ['src/engine/a.ts', "import { TestScheduler } from 'rxjs/testing';"],
    ['src/engine/a.ts', "import { executeTools } from 'millrace';"],
    ['src/node/a.ts', "import { b } from '../tools/b.js';"],
    ['src/adapters/a.ts', "import { b } from '../node/b.js';"],
    ['src/tools/a.ts', "import { drawRows } from '../../marbles/index.js';"],
    ['src/node/a.ts', "import { vi } from 'vitest';"],
    ['src/node/a.ts', "import { x } from 'not-declared';"],
    ['marbles/draw/a.ts', "import { TestScheduler } from 'rxjs/testing';"],
    ['marbles/draw/a.ts', "import { run } from '../../src/cli/run.js';"],
    ['marbles/a.ts', "import { operate } from 'rxjs/internal/util/lift';"],
    ['marbles/a.ts', "import { it } from '../test/marbles/it.js';"],
    ['src/cli/a.ts', "import settings from '../../vitest.config.js';"],
    ['src/somewhere/a.ts', "import { map } from 'rxjs';"],
  ])('catches in %s: %s', (path, text) => {
    expect(faults(path, text)).toHaveLength(1);
  });

  it.each([
    ['operators/a.ts', "import { Observable } from 'rxjs'; import { b } from './b.js';"],
    ['src/call/a.ts', "import * as zod from 'zod/v4/core'; import { b } from '../results/b.js';"],
    ['src/engine/a.ts', "import { b } from '../../operators/b.js';"],
    ['src/index.ts', "export * from './engine/executeTools.js';"],
    ['src/tools/a.ts', "import { b } from '../node/b.js'; import { readFile } from 'node:fs/promises';"],
    ['marbles/testing/a.ts', "import { TestScheduler } from 'rxjs/testing';"],
    ['src/cli/a.ts', "import { drawRows } from '../../marbles/index.js';"],
    ['test/a.ts', "import { it } from 'vitest'; import { executeTools } from 'millrace';"],
  ])('lets pass in %s: %s', (path, text) => {
    expect(faults(path, text)).toEqual([]);
  });

  it('finds a circle, however long', () => {
    const edges = new Map([
      ['a', new Set(['b', 'c'])],
      ['b', new Set(['c'])],
      ['c', new Set(['d'])],
      ['d', new Set(['b'])],
    ]);
    expect(cycles(edges)).toEqual([['b', 'c', 'd', 'b']]);
    expect(
      cycles(
        new Map([
          ['a', new Set(['b', 'c'])],
          ['b', new Set(['c'])],
        ]),
      ),
    ).toEqual([]);
  });
});
