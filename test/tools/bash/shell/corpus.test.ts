import { describe, expect, it } from 'vitest';
import { chapters, isBypass, isNeedless, type Judged, judgeCorpus } from './corpus/corpus.js';

const judged = judgeCorpus();
const of = (name: string): readonly Judged[] => judged.filter(({ chapter }) => chapter.name === name);
const texts = (list: readonly Judged[]): readonly string[] => list.map(({ command }) => command);

describe('the corpus of commands', () => {
  it('is large and has no command twice in one chapter', () => {
    expect(of('plain').length).toBeGreaterThanOrEqual(120);
    expect(judged.length).toBeGreaterThanOrEqual(320);
    for (const { commands } of chapters) expect(new Set(commands).size).toBe(commands.length);
  });

  it('has no command that gets around the rules', () => {
    expect(texts(judged.filter(isBypass))).toEqual([]);
  });

  it('has at most one plain command in twenty asked about', () => {
    expect(of('plain').filter(isNeedless).length / of('plain').length).toBeLessThanOrEqual(0.05);
  });

  it.each(chapters.filter(({ name }) => name !== 'plain'))(
    'decides $name as expected',
    ({ name, expected }) => {
      expect(texts(of(name).filter(({ decision }) => decision !== expected))).toEqual([]);
    },
  );
});
