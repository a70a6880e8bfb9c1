import type { Schedule } from './schedule.js';

/** When a call starts and ends, as the text of SPEC §6 has it. */
export interface Prediction {
  readonly start: number;
  readonly end: number;
}

/**
 * An independent model of the admission rule, for schedules whose calls all end well: it steps through the
 * instants at which something can change and starts what may start. It shares nothing with the engine.
 */
export const predict = ({ calls, endGap, concurrency, shell, start }: Schedule): readonly Prediction[] => {
  const arrivals: number[] = [];
  let at = 0;
  for (const call of calls) {
    at += call.gap;
    arrivals.push(at);
  }
  const messageEnd = at + endGap;
  const starts: (number | undefined)[] = calls.map(() => undefined);
  const end = (i: number): number => (starts[i] ?? Number.POSITIVE_INFINITY) + (calls[i]?.duration ?? 0);

  /** The first call of the batch that call `i` belongs to. */
  const batchOf = (i: number): number => {
    let first = i;
    while (first > 0 && calls[i]?.safe && calls[first - 1]?.safe) first--;
    return first;
  };
  const allowed = (i: number, now: number): boolean => {
    const call = calls[i];
    if (call === undefined || starts[i] !== undefined || (arrivals[i] ?? 0) > now) return false;
    const held = start === 'after-message' || (start === 'eager-safe' && !call.safe);
    if (held && now < messageEnd) return false;
    for (let before = 0; before < batchOf(i); before++) if (end(before) > now) return false;
    const running = calls.flatMap((_, j) => (starts[j] !== undefined && end(j) > now ? [j] : []));
    const shells = running.filter((j) => calls[j]?.kind === 'shell').length;
    return running.length < concurrency && (call.kind !== 'shell' || shells < shell);
  };

  for (let now = 0; starts.includes(undefined); ) {
    for (;;) {
      const next = calls
        .flatMap((call, i) => (allowed(i, now) ? [{ i, priority: call.priority }] : []))
        .sort((a, b) => b.priority - a.priority || a.i - b.i)[0];
      if (next === undefined) break;
      starts[next.i] = now;
    }
    const later = [...arrivals, messageEnd, ...calls.map((_, i) => end(i))].filter((t) => t > now);
    now = Math.min(...later);
    if (now === Number.POSITIVE_INFINITY) break;
  }
  return calls.map((_, i) => ({ start: starts[i] ?? Number.NaN, end: end(i) }));
};
