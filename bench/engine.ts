import fc from 'fast-check';
import { Observable, Subject } from 'rxjs';
import { executeTools, progress, type ToolEvent, type ToolUse } from '../src/index.js';
import { predict } from '../test/laws/oracle.js';
import { play } from '../test/laws/play.js';
import { plainSchedule } from '../test/laws/schedule.js';
import { byHand, byMergeMap, byMillrace, inputSchema, toolUses } from './floor.js';

/** `npm run bench:engine`: one JSON line a workload; medians over interleaved rounds of one run. */

const gc = (globalThis as { readonly gc?: () => void }).gc;
const rounds = Number(process.env.ROUNDS ?? 9);

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const round = (value: number): number => Number(value.toPrecision(3));
const print = (line: Readonly<Record<string, unknown>>): void => console.log(JSON.stringify(line));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) * 1000;
};

/** Long enough for the compiler to have settled; forced collections in between would throw its work away. */
const warmUpMs = 700;

/** Warms the contestants, runs them in turn, round after round, and gives each one's median in µs. */
const race = async (
  contestants: readonly (() => Promise<unknown>)[],
  repeat: number,
): Promise<readonly number[]> => {
  const times: number[][] = contestants.map(() => []);
  for (const contestant of contestants) {
    const end = performance.now() + warmUpMs;
    while (performance.now() < end) await contestant();
  }
  for (let i = 0; i < rounds; i++) {
    for (const [c, contestant] of contestants.entries()) {
      const us = await timed(async () => {
        for (let r = 0; r < repeat; r++) await contestant();
      });
      times[c]?.push(us / repeat);
    }
  }
  return times.map(median);
};

const perCall = async (
  workload: string,
  n: number,
  concurrency: number,
  name?: (i: number) => string,
): Promise<number> => {
  const uses = toolUses(n, name);
  const repeat = Math.max(1, Math.ceil(2000 / n));
  const [floor = 0, merge = 0, own = 0] = await race(
    [() => byHand(uses), () => byMergeMap(uses, concurrency), () => byMillrace(uses, concurrency)],
    repeat,
  );
  print({
    workload,
    n,
    us: round(own / n),
    floorUs: round(floor / n),
    mergeMapUs: round(merge / n),
    ratio: round(own / floor),
    toMergeMap: round(own / merge),
    overFloorUs: round((own - floor) / n),
  });
  return own / n;
};

/** Bytes that stay alive for each of n calls that wait behind one that never ends. */
const memory = async (): Promise<void> => {
  const n = 20_000;
  const measure = async (hold: () => unknown): Promise<number> => {
    gc?.();
    const before = process.memoryUsage().heapUsed;
    const held = hold();
    await new Promise((resolve) => setTimeout(resolve, 50));
    gc?.();
    const bytes = (process.memoryUsage().heapUsed - before) / n;
    release(held);
    return bytes;
  };
  const uses = toolUses(n);
  const floors: number[] = [];
  const owns: number[] = [];
  for (let i = 0; i < 5; i++) {
    floors.push(await measure(() => waitingByHand(uses)));
    owns.push(await measure(() => waitingInTurn(uses)));
  }
  print({
    workload: 'memory per waiting call',
    n,
    bytes: round(median(owns)),
    floorBytes: round(median(floors)),
    ratio: round(median(owns) / median(floors)),
  });
};

const release = (held: unknown): void => {
  if (typeof held === 'function') held();
};

/** What a hand-written queue holds: the parsed input, the promise of the result, its place in line. */
const waitingByHand = (uses: readonly ToolUse[]): unknown => {
  const gate = new Promise<void>(() => undefined);
  const one = async (use: ToolUse) => {
    const parsed = inputSchema.safeParse(use.input);
    await gate;
    return { type: 'tool_result', tool_use_id: use.id, content: String(parsed.success) };
  };
  const all = Promise.all(uses.map(one));
  return () => all;
};

const waitingInTurn = (uses: readonly ToolUse[]): unknown => {
  const stuck = {
    name: 'read',
    inputSchema,
    isConcurrencySafe: () => true,
    call: () => new Promise(() => undefined),
  };
  const source$ = new Subject<ToolUse>();
  const subscription = source$.pipe(executeTools({ tools: [stuck], limits: { concurrency: 1 } })).subscribe();
  for (const use of uses) source$.next(use);
  return () => subscription.unsubscribe();
};

const progressRate = async (): Promise<void> => {
  const n = 100_000;
  const uses: readonly ToolUse[] = [{ type: 'tool_use', id: 'a', name: 'chatty', input: { n: 1, path: '' } }];
  let seen = 0;
  const direct = async (): Promise<void> => {
    const sink = (event: ToolEvent): void => {
      if (event.type === 'progress') seen++;
    };
    for (let i = 0; i < n; i++)
      sink({ type: 'progress', at: Date.now(), toolUseId: 'a', name: 'chatty', data: i });
  };
  const chatty = {
    name: 'chatty',
    inputSchema,
    call: () =>
      new Observable((subscriber) => {
        for (let i = 0; i < n; i++) subscriber.next(progress(i));
        subscriber.complete();
      }),
  };
  const own = (): Promise<void> =>
    new Promise((resolve) => {
      let sameTick = true;
      const source$ = new Subject<ToolUse>();
      source$.pipe(executeTools({ tools: [chatty] })).subscribe({
        next: (event) => {
          if (event.type === 'progress') seen += sameTick ? 1 : 0;
        },
        complete: resolve,
      });
      source$.next(uses[0] as ToolUse);
      sameTick = false;
      source$.complete();
    });
  seen = 0;
  await own();
  const inTick = seen;
  const [floor = 0, mine = 0] = await race([direct, own], 1);
  print({
    workload: 'progress events',
    n,
    us: round(mine / n),
    floorUs: round(floor / n),
    rate: round(floor / mine),
    deliveredInTheTick: inTick,
  });
};

/** From the push of a tool use to the entry of its `call`, while others run. */
const startLatency = async (): Promise<void> => {
  const n = 2000;
  const late: number[] = [];
  const pushed = new Map<string, number>();
  const tool = {
    name: 'read',
    inputSchema,
    isConcurrencySafe: () => true,
    call: async (_input: never, ctx: { readonly toolUse: ToolUse }) => {
      late.push(performance.now() - (pushed.get(ctx.toolUse.id) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 1));
      return 'done';
    },
  };
  const source$ = new Subject<ToolUse>();
  const done = new Promise<void>((resolve) => {
    source$
      .pipe(executeTools({ tools: [tool], limits: { concurrency: Number.POSITIVE_INFINITY } }))
      .subscribe({ complete: resolve });
  });
  for (const use of toolUses(n)) {
    pushed.set(use.id, performance.now());
    source$.next(use);
    if (Number(use.id.slice(5)) % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  source$.complete();
  await done;
  late.sort((a, b) => a - b);
  print({
    workload: 'start latency',
    n,
    p50Us: round((late[n >> 1] ?? 0) * 1000),
    p99Us: round((late[Math.floor(n * 0.99)] ?? 0) * 1000),
    maxUs: round((late[n - 1] ?? 0) * 1000),
  });
};

/** Generated mixed schedules in virtual time: the turn ends when the oracle says that it can. */
const makespan = (): void => {
  const runs = 500;
  let worst = 1;
  for (const schedule of fc.sample(plainSchedule, { numRuns: runs, seed: 42 })) {
    const best = Math.max(...predict(schedule).map(({ end }) => end));
    const last =
      play(schedule)
        .events.filter((event) => event.type === 'completed')
        .at(-1)?.at ?? Number.NaN;
    worst = Math.max(worst, last / best);
  }
  print({ workload: 'makespan to the optimum', n: runs, worstRatio: worst });
};

const only = process.argv[2];
const wanted = (name: string): boolean => only === undefined || name.includes(only);

if (wanted('single')) await perCall('one call a turn', 1, 10);
if (wanted('safe')) for (const n of [100, 1000, 10_000]) await perCall('safe calls', n, 10);
if (wanted('mixed'))
  for (const n of [100, 1000, 10_000])
    await perCall('safe and unsafe by turns', n, 10, (i) => (i % 2 ? 'read' : 'write'));
if (wanted('large')) {
  for (const concurrency of [10, Number.POSITIVE_INFINITY]) {
    const name = concurrency === 10 ? 'limit 10' : 'no limit';
    const small = await perCall(`safe calls, ${name}`, 10_000, concurrency);
    const large = await perCall(`safe calls, ${name}`, 100_000, concurrency);
    print({ workload: `growth from 10,000 to 100,000, ${name}`, ratio: round(large / small) });
  }
}
if (wanted('memory')) await memory();
if (wanted('progress')) await progressRate();
if (wanted('latency')) await startLatency();
if (wanted('makespan')) makespan();
