import { from, lastValueFrom, NEVER, Subject, timer, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineTool,
  executeTools,
  failure,
  type MisuseError,
  type Tool,
  type ToolEvent,
  type ToolUse,
} from '../../src/index.js';

/** Laws that README.md names and that no picture can show. */
const use = (id: string, name: string, input: unknown = {}): ToolUse => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const run = (tools: readonly Tool[], uses: readonly ToolUse[]): Promise<readonly ToolEvent[]> =>
  lastValueFrom(from(uses).pipe(executeTools({ tools }), toArray()));
const codes = (events: readonly ToolEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'result' ? [event.outcome.code] : []));

describe('law 6: aborting siblings never aborts the parent', () => {
  it('the turn goes on to its end and the caller’s signal stays as it was', async () => {
    const controller = new AbortController();
    const failing = defineTool({
      name: 'failing',
      inputSchema: z.object({}),
      isConcurrencySafe: () => true,
      abortsSiblings: true,
      call: () => timer(1).pipe(() => from([failure('no')])),
    });
    const endless = defineTool({
      name: 'endless',
      inputSchema: z.object({}),
      isConcurrencySafe: () => true,
      call: () => NEVER,
    });
    const turn$ = from([use('a', 'endless'), use('b', 'failing'), use('c', 'endless')]).pipe(
      executeTools({ tools: [failing, endless], signal: controller.signal }),
      toArray(),
    );
    expect(codes(await lastValueFrom(turn$))).toEqual(['sibling_aborted', 'tool_error', 'sibling_aborted']);
    expect(controller.signal.aborted).toBe(false);
  });
});

describe('law 10: a tool sees only valid input, and each parse runs once', () => {
  const counted = () => {
    const seen: unknown[] = [];
    let parses = 0;
    const inputSchema = z.object({ n: z.string() }).transform(({ n }) => {
      parses++;
      return Number(n);
    });
    const tool = defineTool({ name: 'double', inputSchema, call: (n) => seen.push(n) });
    return { tool, seen, parses: () => parses };
  };

  it('the tool gets what the schema made of the input', async () => {
    const { tool, seen, parses } = counted();
    expect(codes(await run([tool], [use('a', 'double', { n: '21' })]))).toEqual(['ok']);
    expect([seen, parses()]).toEqual([[21], 1]);
  });

  it('input the schema refuses never reaches it', async () => {
    const { tool, seen } = counted();
    expect(codes(await run([tool], [use('a', 'double', { n: 21 })]))).toEqual(['invalid_input']);
    expect(seen).toEqual([]);
  });
});

describe('law 11: a tool runs once however many observers there are', () => {
  it('observers share the run, and whoever comes after its end is refused', () => {
    let runs = 0;
    const tool = defineTool({ name: 't', inputSchema: z.object({}), call: () => ++runs });
    const uses$ = new Subject<ToolUse>();
    const turn$ = uses$.pipe(executeTools({ tools: [tool] }));
    const seen: string[][] = [[], []];
    for (const events of seen) turn$.subscribe((event) => events.push(event.type));
    uses$.next(use('a', 't'));
    uses$.complete();
    expect(runs).toBe(1);
    expect(seen[0]).toEqual(['queued', 'started', 'completed', 'result']);
    expect(seen[1]).toEqual(seen[0]);
    let refusal: MisuseError | undefined;
    turn$.subscribe({ error: (error: MisuseError) => (refusal = error) });
    expect(refusal?.code).toBe('misuse');
  });
});
