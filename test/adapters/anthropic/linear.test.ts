import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { modelEvents } from '../../../src/adapters/anthropic/index.js';
import { E, END, J, MD, MS, T, type Wire } from './wire.js';

/** A call with one string of `size` characters, in deltas of 20. */
const bigCall = (size: number): readonly Wire[] => {
  const json = JSON.stringify({ path: 'a.txt', content: 'lorem "ipsum"\n'.repeat(size / 14) });
  const pieces = json.match(/.{1,20}/gs) ?? [];
  return [MS(), T(0, 't1', 'write'), ...pieces.map((piece) => J(0, piece)), E(0), MD('tool_use'), END];
};

/** Milliseconds for all of it, the best of three, and the longest time one delta took. */
const measure = (size: number) => {
  const wire = bigCall(size);
  const runs = Array.from({ length: 3 }, () => {
    let longest = 0;
    let last = performance.now();
    const begin = last;
    modelEvents(wire).subscribe(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    });
    return { total: performance.now() - begin, longest };
  });
  return runs.reduce((best, run) => (run.total < best.total ? run : best));
};

describe('a large input in small deltas (B17)', () => {
  it('costs about twice the time for twice the size, and never blocks for long', () => {
    measure(100_000);
    const half = measure(500_000);
    const whole = measure(1_000_000);
    // Quadratic work would be a factor of four; 1 MB parsed on each delta would take minutes.
    expect(whole.total / half.total).toBeLessThan(3.5);
    expect(whole.total).toBeLessThan(3000);
    expect(whole.longest).toBeLessThan(500);
  });

  it('shows every delta while short, and lags by a share of the text when long', () => {
    const json = JSON.stringify({ content: 'x'.repeat(100_000) });
    const pieces = json.match(/.{1,20}/gs) ?? [];
    let read = 0;
    modelEvents([MS(), T(0, 't1'), ...pieces.map((piece) => J(0, piece))]).subscribe({
      next: (event) => {
        if (event.type !== 'input-delta') return;
        read += event.delta.length;
        const shown = JSON.stringify(event.input).length;
        expect(shown).toBeGreaterThan(read < 4000 ? read - 5 : read / 1.3);
      },
      error: () => undefined,
    });
    expect(read).toBe(json.length);
  });

  it('survives brackets without end', () => {
    const wire = [MS(), T(0, 't1'), ...Array.from({ length: 5000 }, () => J(0, '['.repeat(20)))];
    const begin = performance.now();
    modelEvents([...wire, MD('max_tokens'), END]).subscribe();
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});
