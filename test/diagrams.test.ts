import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Fence, findFences } from '../marbles/testing/diagrams/findFences.js';
import { parseDiagram } from '../marbles/testing/diagrams/parseDiagram.js';
import { runDiagram } from '../marbles/testing/diagrams/runDiagram.js';
import { runTurnDiagram } from '../marbles/testing/diagrams/turnDiagram.js';
import { diagrams } from './operators/diagrams.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const sources = (): readonly string[] => {
  const rooms = ['operators', 'src', 'marbles'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(root, room, name)),
  );
  return [...rooms, ...['README.md'].map((name) => join(root, name)).filter((name) => existsSync(name))];
};

interface Found extends Fence {
  readonly file: string;
  readonly place: string;
}

const found: readonly Found[] = sources().flatMap((file) =>
  findFences(readFileSync(file, 'utf8'))
    .filter(({ language }) => language === 'marbles' || language === 'rows')
    .map((fence) => ({ ...fence, file, place: `${relative(root, file)}:${fence.line}` })),
);

const run = ({ file, language, words, options, text, place }: Found): void => {
  if (language === 'rows') {
    runTurnDiagram(text);
    return;
  }
  const operator = words[0] ?? basename(file, '.ts');
  const build = diagrams[operator];
  if (build === undefined)
    throw new Error(`${place}: no entry in test/operators/diagrams.ts for ${operator}`);
  runDiagram(parseDiagram(text, options), build, operator);
};

describe('every diagram that is published shows what happens', () => {
  it.each(found.map((fence) => [fence.place, fence] as const))('%s', (_, fence) => run(fence));

  it('one that nobody knows how to run fails', () => {
    const unknown = { language: 'marbles', words: ['later'], options: {}, text: 'a -|', line: 1 };
    expect(() => run({ ...unknown, file: 'operators/latch.ts', place: 'operators/latch.ts:1' })).toThrow(
      'operators/latch.ts:1: no entry in test/operators/diagrams.ts for later',
    );
  });

  it('every operator is drawn', () => {
    const drawn = found
      .filter(({ language }) => language === 'marbles')
      .map(({ file, words }) => words[0] ?? basename(file, '.ts'));
    expect([...new Set(drawn)].sort()).toEqual(Object.keys(diagrams).sort());
  });
});
