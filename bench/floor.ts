import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { z } from 'zod';
import type { ExecuteToolsOptions, Tool, ToolEvent, ToolUse } from '../src/index.js';
import { defineTool, executeTools } from '../src/index.js';

export const inputSchema = z.object({ n: z.number(), path: z.string() });

const answer = async ({ n }: { readonly n: number }): Promise<string> => `done ${n}`;

const tool = (name: string, safe: boolean): Tool =>
  defineTool({ name, inputSchema, isConcurrencySafe: () => safe, call: answer });

export const tools = { read: tool('read', true), write: tool('write', false) };

export const toolUses = (n: number, name: (i: number) => string = () => 'read'): readonly ToolUse[] =>
  Array.from({ length: n }, (_, i) => ({
    type: 'tool_use',
    id: `call_${i}`,
    name: name(i),
    input: { n: i, path: 'a.ts' },
  }));

const block = (id: string, content: string) => ({ type: 'tool_result' as const, tool_use_id: id, content });

const registry = new Map<string, (input: { readonly n: number }) => Promise<string>>([
  ['read', answer],
  ['write', answer],
]);

/** One call as a programmer would write it by hand: look up, parse, await, build the block. */
const one = async ({ id, name, input }: ToolUse) => {
  const call = registry.get(name);
  if (call === undefined) return block(id, 'unknown tool');
  const parsed = inputSchema.safeParse(input);
  if (!parsed.success) return block(id, parsed.error.message);
  try {
    return block(id, await call(parsed.data));
  } catch (error) {
    return block(id, String(error));
  }
};

export const byHand = (uses: readonly ToolUse[]) => Promise.all(uses.map(one));

export const byMergeMap = (uses: readonly ToolUse[], limit: number) =>
  lastValueFrom(from(uses).pipe(mergeMap(one, limit), toArray()));

/** All events observed, results collected. */
export const byMillrace = (
  uses: readonly ToolUse[],
  concurrency: number,
  guards: Partial<ExecuteToolsOptions> = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    let results = 0;
    from(uses)
      .pipe(executeTools({ ...guards, tools, limits: { concurrency } }))
      .subscribe({
        next: (event: ToolEvent) => {
          if (event.type === 'result') results++;
        },
        error: reject,
        complete: () => resolve(results),
      });
  });
