import { Observable, of } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/contract/defineTool.js';
import { output, progress } from '../../src/contract/emission.js';
import type { AsToolMap, ToolEvent, ToolMap, ToolOutput, ToolProgress } from '../../src/contract/index.js';

const count = defineTool({
  name: 'count',
  inputSchema: z.object({ text: z.string(), min: z.number().default(0) }),
  isConcurrencySafe: ({ min }) => min === 0,
  call: ({ text }) => text.length,
  mapResult: (n) => n.toFixed(1),
});
const later = defineTool({
  name: 'later',
  inputSchema: z.object({ n: z.number() }),
  call: async ({ n }, ctx) => {
    ctx.report('half');
    return n > 1 ? output({ n }) : { n: 0 };
  },
  mapResult: ({ n }) => String(n),
});
const stream = defineTool({
  name: 'stream',
  inputSchema: z.object({}),
  call: () => of(progress('half'), output(42)),
});
const walk = defineTool({
  name: 'walk',
  inputSchema: z.object({}),
  async *call() {
    yield progress({ done: 1 });
    return ['a', 'b'];
  },
});
const tools = { count, later, stream, walk } satisfies ToolMap;

describe('defineTool', () => {
  it('infers output and progress from the schema and from what call returns', () => {
    expectTypeOf<ToolOutput<typeof count>>().toEqualTypeOf<number>();
    expectTypeOf<ToolOutput<typeof later>>().toEqualTypeOf<{ n: number }>();
    expectTypeOf<ToolOutput<typeof stream>>().toEqualTypeOf<number>();
    expectTypeOf<ToolProgress<typeof stream>>().toEqualTypeOf<string>();
    expectTypeOf<ToolOutput<typeof walk>>().toEqualTypeOf<string[]>();
    expectTypeOf<ToolProgress<typeof walk>>().toEqualTypeOf<{ done: number }>();
  });

  it('narrows an event by its name, for a map and for a list', () => {
    const read = (event: ToolEvent<typeof tools>) => {
      if (event.type === 'progress' && event.name === 'walk')
        expectTypeOf(event.data).toEqualTypeOf<{ done: number }>();
      if (event.type === 'completed' && event.name === 'count') {
        expectTypeOf(event.output).toEqualTypeOf<number | undefined>();
      }
      // @ts-expect-error no tool has this name
      if (event.type === 'queued' && event.name === 'nobody') return;
    };
    type Listed = AsToolMap<readonly [typeof count, typeof walk]>;
    expectTypeOf<Listed['walk']>().toEqualTypeOf<typeof walk>();
    expectTypeOf(read).toBeFunction();
    expectTypeOf(new Observable<ToolEvent<typeof tools>>()).toExtend<Observable<ToolEvent>>();
  });

  it('refuses what can not be meant, naming the member, what was expected and what came', () => {
    const schema = z.object({});
    expect(() => defineTool({ name: '', inputSchema: schema, call: () => 1 })).toThrow(
      'expected `tool.name` to be a name that is not empty, got ""',
    );
    // @ts-expect-error not a schema
    expect(() => defineTool({ name: 'a', inputSchema: {}, call: () => 1 })).toThrow(
      'expected `tool "a".inputSchema` to be a zod schema or another Standard Schema (wrap a JSON Schema: `jsonSchema` of millrace/json-schema), got an object (Object)',
    );
    expect(() => defineTool({ name: 'a', inputSchema: schema, call: () => 1, graceMs: Number.NaN })).toThrow(
      'expected `tool "a".graceMs` to be a number of milliseconds from 0 up, got NaN',
    );
  });
});
