import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bashSettings } from '../../src/tools/bash/bashSettings.js';
import { KeptOutput } from '../../src/tools/bash/keptOutput.js';
import { OutputFile } from '../../src/tools/bash/outputFile.js';

const cut = /\n\[… (\d+) characters left out …\]\n/;

describe('what is kept of a stream', () => {
  it('is all of it, or its two ends and the exact number of characters between', () => {
    const pieces = fc.array(
      fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('…')),
    );
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 60 }),
        (texts, limit, chars) => {
          const kept = new KeptOutput(limit);
          for (const text of texts) kept.add(text);
          const all = texts.join('');
          expect(kept.length).toBe(all.length);
          for (const shown of [kept.text, kept.excerpt(chars)]) {
            const [start = '', count, end = ''] = shown.split(cut);
            if (count === undefined) expect(shown).toBe(all);
            else {
              expect(all.startsWith(start) && all.endsWith(end)).toBe(true);
              expect(start.length + Number(count) + end.length).toBe(all.length);
              expect(shown.isWellFormed()).toBe(true);
            }
          }
          expect(kept.excerpt(chars).replace(cut, '').length).toBeLessThanOrEqual(chars + 1);
        },
      ),
    );
  });
});

describe('the file of a command in the background', () => {
  it('takes so many bytes and says that it takes no more', () => {
    const file = new OutputFile(10);
    onTestFinished(() => rmSync(dirname(file.path), { recursive: true }));
    for (const text of ['12345', '€€', 'more', 'and more']) file.write(text);
    expect(readFileSync(file.path, 'utf8')).toBe('12345€€\n[no more is kept after 11 bytes]\n');
    file.close();
    file.write('late');
    expect(readFileSync(file.path, 'utf8')).not.toContain('late');
  });
});

describe('the limits of Bash', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are those of the environment, where the options name none', () => {
    vi.stubEnv('BASH_DEFAULT_TIMEOUT_MS', '2e3');
    vi.stubEnv('BASH_MAX_TIMEOUT_MS', '64_000');
    vi.stubEnv('BASH_MAX_OUTPUT_LENGTH', '5000');
    const limits = { defaultTimeoutMs: 2000, maxTimeoutMs: 64_000, maxOutputChars: 5000 };
    expect(bashSettings({ cwd: '/' })).toMatchObject(limits);
    expect(bashSettings({ cwd: '/', defaultTimeoutMs: 7 }).defaultTimeoutMs).toBe(7);
  });

  it('are two minutes, ten minutes and 30,000 characters else, and never more than a timer can hold', () => {
    const limits = { defaultTimeoutMs: 120_000, maxTimeoutMs: 600_000, maxOutputChars: 30_000 };
    for (const name of ['BASH_DEFAULT_TIMEOUT_MS', 'BASH_MAX_TIMEOUT_MS', 'BASH_MAX_OUTPUT_LENGTH'])
      vi.stubEnv(name, '');
    expect(bashSettings({ cwd: '/' })).toMatchObject(limits);
    expect(bashSettings({ cwd: '/', maxTimeoutMs: Number.POSITIVE_INFINITY }).maxTimeoutMs).toBe(2 ** 31 - 1);
  });
});
