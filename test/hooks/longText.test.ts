import { describe, expect, it } from 'vitest';
import { askPre, virtualHost } from './rounds.js';

const long = `${'a'.repeat(6_000)}${'z'.repeat(6_000)}`;
const context = (additionalContext: string) => () => ({ additionalContext });

describe('context that is too long for the conversation', () => {
  it('is none up to 10,000 characters', () => {
    const text = 'x'.repeat(10_000);
    expect(askPre([context(text)]).contexts[0]?.text).toBe(text);
  });

  it('loses its middle where nothing stores it, and says how much', () => {
    const text = askPre([context(long)]).contexts[0]?.text;
    expect(text).toBe(`${'a'.repeat(5_000)}\n[… 2000 of 12000 characters left out …]\n${'z'.repeat(5_000)}`);
  });

  it('is stored whole, and its beginning is told with where the rest is', () => {
    const stored: string[] = [];
    const set = virtualHost({
      store: (text) => {
        stored.push(text);
        return set.later(5, '/kept/1');
      },
    });
    const { contexts } = askPre([context(long), context('short')], { set });
    expect(stored).toEqual([long]);
    expect(contexts.map(({ text }) => text)).toEqual([
      `${'a'.repeat(2_000)}\n[… the first 2000 of 12000 characters; the whole text: /kept/1]`,
      'short',
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['answers nothing', () => undefined],
    ['never answers', () => virtualHost().later(1, 'x')],
  ])('loses its middle where the store %s', (_what, store) => {
    const set = virtualHost({ store: store as () => string });
    expect(askPre([context(long)], { set }).contexts[0]?.text).toContain('2000 of 12000 characters left out');
    expect(set.scheduler.pending).toBe(0);
  });

  it('is never cut inside a character', () => {
    for (const shift of ['', 'x']) {
      const text = askPre([context(`${shift}${'😀'.repeat(6_000)}`)]).contexts[0]?.text ?? '';
      expect(text.isWellFormed()).toBe(true);
      const left = Number(/… (\d+) of/.exec(text)?.[1]);
      expect(text.replace(/\n\[….*…\]\n/, '').length + left).toBe(12_000 + shift.length);
    }
  });

  it('holds for reasons and failures too', () => {
    const denied = askPre([
      () => ({ decision: 'deny', reason: long, systemMessage: long, continue: false, stopReason: long }),
    ]);
    const texts = [denied.reason, denied.warnings[0]?.text, denied.stops[0]?.reason];
    for (const text of texts) expect(text).toContain('2000 of 12000 characters left out');
    const failed = askPre([
      () => {
        throw new Error(long);
      },
    ]);
    expect(failed.reason?.length).toBeLessThan(10_100);
  });
});
