import { posix } from 'node:path';
import ts from 'typescript';

/** The house from the ground up. A room may import what stands below it, never what stands beside or above. */
export const layers: readonly (readonly string[])[] = [
  ['operators'],
  ['src/contract'],
  ['src/interop'],
  ['src/permissions', 'src/hooks', 'src/results'],
  ['src/call'],
  ['src/engine'],
  ['src/turn'],
  ['src/index.ts'],
  ['src/adapters', 'src/node', 'src/tools'],
  ['marbles'],
  ['src/cli'],
  ['test', 'examples', 'bench'],
];

/** Neighbours that may import one another all the same: tools run processes, a bench measures by the oracle. */
const besides: ReadonlySet<string> = new Set(['src/tools src/node', 'bench test']);

const heights: ReadonlyMap<string, number> = new Map(
  layers.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)),
);
const face = 'src/index.ts';
const isCore = (room: string): boolean =>
  (heights.get(room) ?? Number.POSITIVE_INFINITY) <= (heights.get(face) as number);

/** The room a file stands in; `undefined` where the house has none for it. */
export const roomOf = (path: string): string | undefined => {
  if (path === face) return face;
  const [first = '', second = ''] = path.split('/');
  const room = first === 'src' ? `src/${second}` : first;
  return heights.has(room) ? room : undefined;
};

/** What a file imports, in any form: static, dynamic, `require`, in types. */
export const importsOf = (text: string): readonly string[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** What is wrong with the imports of a file. `declared` are the packages that `package.json` names. */
export const importFaults = (path: string, text: string, declared: ReadonlySet<string>): readonly string[] =>
  importsOf(text)
    .map((specifier) => [specifier, faultOf(path, specifier, declared)] as const)
    .filter(([, fault]) => fault !== undefined)
    .map(([specifier, fault]) => `${path} imports ${specifier}: ${fault}`);

const faultOf = (path: string, specifier: string, declared: ReadonlySet<string>): string | undefined => {
  const room = roomOf(path);
  if (room === undefined) return 'it stands in no room of the house';
  return specifier.startsWith('.')
    ? relativeFault(path, room, specifier)
    : packageFault(path, room, specifier, declared);
};

const relativeFault = (path: string, room: string, specifier: string): string | undefined => {
  const target = posix.join(posix.dirname(path), specifier);
  const other = roomOf(target.replace(/\.js$/, '.ts'));
  // A test may read data and settings that stand outside of the rooms.
  if (other === undefined) return isTop(room) ? undefined : 'that is no room of the house';
  if (other === room || besides.has(`${room} ${other}`)) return undefined;
  return (heights.get(other) as number) < (heights.get(room) as number)
    ? undefined
    : `${room} does not stand above ${other}`;
};

const isTop = (room: string): boolean => heights.get(room) === layers.length - 1;

const packageFault = (
  path: string,
  room: string,
  specifier: string,
  declared: ReadonlySet<string>,
): string | undefined => {
  if (/^rxjs\/./.test(specifier)) return rxjsFault(path, room, specifier);
  if (specifier.startsWith('node:')) return nodeFault(path, room);
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (room === 'operators') return name === 'rxjs' ? undefined : 'operators import rxjs alone';
  if (isCore(room)) return name === 'rxjs' || name === 'zod' ? undefined : 'the core imports rxjs and zod';
  // Who uses the package by its name sees it as a user does.
  if (name === 'millrace') return isTop(room) ? undefined : 'the rooms import one another by their paths';
  return declared.has(name) ? undefined : 'package.json does not name it';
};

const rxjsFault = (path: string, room: string, specifier: string): string | undefined => {
  if (specifier !== 'rxjs/testing') return 'rxjs is imported by its root';
  return isTop(room) || path.startsWith('marbles/testing/') ? undefined : 'only tests run in virtual time';
};

const nodeFault = (path: string, room: string): string | undefined => {
  if (isCore(room)) return 'the core runs in browsers';
  if (room === 'src/adapters') return 'adapters run in browsers';
  if (room === 'marbles' && !path.startsWith('marbles/visualizer/')) return 'drawings run in browsers';
  return undefined;
};

/** The rooms that import one another in a circle, each circle once, as a list that ends where it began. */
export const cycles = (edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] => {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (room: string, trail: readonly string[]): void => {
    const at = trail.indexOf(room);
    if (at >= 0) found.push([...trail.slice(at), room]);
    if (at >= 0 || done.has(room)) return;
    for (const next of edges.get(room) ?? []) visit(next, [...trail, room]);
    done.add(room);
  };
  for (const room of edges.keys()) visit(room, []);
  return found;
};
