import { map, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ExecuteToolsOptions,
  executeTools,
  failure,
  type Hooks,
  type Tool,
  type ToolEvent,
  type ToolUse,
  toolResultMessage,
} from '../../src/index.js';
import {
  codes,
  eventsOf,
  outcomeOf,
  Seen,
  safeTool,
  startedIds,
  textOf,
  turnOf,
  use,
} from '../engine/turns.js';

const inputSchema = z.object({ path: z.string(), safe: z.boolean().optional() });
type Input = z.infer<typeof inputSchema>;

/** A tool that remembers what it was called with. */
const recorder = (members: Partial<Tool> = {}): { readonly tool: Tool; readonly got: Input[] } => {
  const got: Input[] = [];
  const tool = safeTool(
    'write',
    (input) => {
      got.push(input);
      return 'written';
    },
    { inputSchema, ...members },
  );
  return { tool, got };
};

const run = (
  hooks: Hooks,
  tool: Tool,
  calls: readonly ToolUse[],
  options: Partial<ExecuteToolsOptions> = {},
) => new Seen(turnOf(calls, [tool], { hooks, ...options }));

const one = [use('a', 'write', { path: 'x' })];

describe('a hook before a call', () => {
  it('denies: the tool is not run, and the model is told by whom and why', () => {
    const { tool, got } = recorder();
    const seen = run(
      { PreToolUse: [{ name: 'guard', run: () => ({ decision: 'deny', reason: 'not here' }) }] },
      tool,
      one,
    );
    expect([codes(seen.values), got]).toEqual([['a hook_denied'], []]);
    expect(outcomeOf(seen.values, 'a')).toMatchObject({
      executed: 'no',
      by: { type: 'hook', hook: 'guard' },
    });
    expect(textOf(seen.values, 'a')).toMatch(
      /HookDeniedError: write was stopped by the hook guard\. not here\./,
    );
    expect(eventsOf(seen.values, 'hook')).toMatchObject([
      { point: 'PreToolUse', hook: 'guard', phase: 'started' },
      { hook: 'guard', phase: 'ended', decision: 'deny' },
    ]);
  });

  it('rewrites: the tool gets the parsed rewriting, history keeps what the model wrote', () => {
    const { tool, got } = recorder();
    const seenBy: unknown[] = [];
    const hooks: Hooks = {
      PreToolUse: [
        () => ({ updatedInput: { path: 'y' } }),
        ({ input }) => {
          seenBy.push(input);
          return undefined;
        },
      ],
    };
    const seen = run(hooks, tool, one);
    expect([got, seenBy]).toEqual([[{ path: 'y' }], [{ path: 'y' }]]);
    expect(eventsOf(seen.values, 'queued')[0]?.toolUse.input).toEqual({ path: 'x' });
  });

  it('that rewrites to what the schema refuses leaves the call invalid', () => {
    const { tool, got } = recorder();
    const seen = run({ PreToolUse: [() => ({ updatedInput: { path: 1 } })] }, tool, one);
    expect([codes(seen.values), got]).toEqual([['a invalid_input'], []]);
    expect(textOf(seen.values, 'a')).toMatch(/changed it[\s\S]*`path`/);
  });

  it('may mend what the schema refused', () => {
    const { tool, got } = recorder();
    const calls = [use('a', 'write', { path: 7 }), use('b', 'write', { path: 8 })];
    const seen = run(
      { PreToolUse: [({ toolUse }) => (toolUse.id === 'a' ? { updatedInput: { path: '7' } } : undefined)] },
      tool,
      calls,
    );
    expect([codes(seen.values), got]).toEqual([['a ok', 'b invalid_input'], [{ path: '7' }]]);
  });

  it('can not change what the model wrote', () => {
    const { tool, got } = recorder();
    const change = ({ input }: { readonly input: unknown }): undefined => {
      (input as { path: string }).path = 'z';
      return undefined;
    };
    const seen = run({ PreToolUse: [{ name: 'sly', run: change }] }, tool, one);
    expect([codes(seen.values), got]).toEqual([['a hook_failed'], []]);
    expect(one[0]?.input).toEqual({ path: 'x' });
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers rubbish', () => 'rubbish'],
    ['answers an unknown decision', () => ({ decision: 'perhaps' })],
    ['rewrites to no object', () => ({ updatedInput: 'x' })],
  ])('that %s stops the call, and nobody is said to have refused it', async (_name, answer) => {
    const { tool, got } = recorder();
    const seen = run({ PreToolUse: [{ name: 'broken', run: answer as never }] }, tool, one);
    await new Promise((resolve) => setImmediate(resolve));
    expect([codes(seen.values), got]).toEqual([['a hook_failed'], []]);
    expect(textOf(seen.values, 'a')).toMatch(/Nobody has refused the call/);
    const open = run({ PreToolUse: [{ run: answer as never, onFailure: 'continue' }] }, tool, one);
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes(open.values)).toEqual(['a ok']);
  });

  it('that hangs is given up after its limit; its signal says so', () => {
    const { tool, got } = recorder();
    const scheduler = new VirtualTimeScheduler();
    scheduler.maxFrames = 100_000;
    let aborted = false;
    const hang = ({ signal }: { readonly signal: AbortSignal }): Promise<undefined> => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    };
    const seen = run({ PreToolUse: [{ name: 'slow', run: hang }] }, tool, one, { scheduler });
    expect(eventsOf(seen.values, 'waiting')).toMatchObject([{ toolUseId: 'a', reason: 'hooks' }]);
    scheduler.flush();
    expect([codes(seen.values), got, aborted, scheduler.frame]).toEqual([
      ['a hook_failed'],
      [],
      true,
      60_000,
    ]);
    expect(textOf(seen.values, 'a')).toMatch(/within its limit of 60000 ms/);
    expect(outcomeOf(seen.values, 'a').durations).toMatchObject({ hooks: 60_000, running: 0 });
  });

  it('that puts a call off ends it with a result, and wants no further request', () => {
    const { tool, got } = recorder();
    const seen = run({ PreToolUse: [{ name: 'later', run: () => ({ decision: 'defer' }) }] }, tool, one);
    expect([codes(seen.values), got]).toEqual([['a hook_denied'], []]);
    expect(eventsOf(seen.values, 'stop')).toMatchObject([{ reason: 'tool_deferred', by: 'later' }]);
    expect(textOf(seen.values, 'a')).toMatch(/put off/);
  });

  it('that wants the run stopped lets this call and its siblings go on', () => {
    const { tool, got } = recorder();
    const stop = { name: 'enough', run: () => ({ continue: false, stopReason: 'budget' }) };
    const seen = run({ PreToolUse: [stop] }, tool, [...one, use('b', 'write', { path: 'y' })]);
    expect([codes(seen.values), got.length]).toEqual([['a ok', 'b ok'], 2]);
    expect(eventsOf(seen.values, 'stop')[0]).toMatchObject({
      reason: 'hook',
      by: 'enough',
      message: 'budget',
    });
  });

  it('is stopped with the turn, and its late word counts for nothing', () => {
    const { tool, got } = recorder();
    const answer$ = new Subject<undefined>();
    const interrupt$ = new Subject<string>();
    let aborted = false;
    const ask = ({ signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return answer$;
    };
    const seen = run({ PreToolUse: [ask] }, tool, one, { interrupt$ });
    interrupt$.next('stop');
    answer$.next(undefined);
    expect([codes(seen.values), got, aborted, seen.ended]).toEqual([
      ['a interrupted'],
      [],
      true,
      'completed',
    ]);
    expect(answer$.observed).toBe(false);
  });
});

describe('a call that a hook makes unsafe', () => {
  it('waits for what its batch has started, runs alone, and holds what has not started', () => {
    const scheduler = new VirtualTimeScheduler();
    const spans: string[] = [];
    const tool: Tool = safeTool(
      'write',
      (input, ctx) => {
        const began = scheduler.now();
        return timer(10, scheduler).pipe(
          map(() => {
            spans.push(`${ctx.toolUse.id} ${began}-${scheduler.now()}`);
            return (input as Input).path;
          }),
        );
      },
      { inputSchema, isConcurrencySafe: (input: never) => (input as Input).safe !== false },
    );
    const hooks: Hooks = {
      PreToolUse: [
        ({ toolUse }) => (toolUse.id === 'b' ? { updatedInput: { path: 'x', safe: false } } : undefined),
      ],
    };
    const source = new Subject<ToolUse>();
    const seen = new Seen(source.pipe(executeTools({ tools: [tool], hooks, scheduler })));
    for (const id of ['a', 'b', 'c']) source.next(use(id, 'write', { path: id }));
    source.complete();
    scheduler.flush();
    expect(spans).toEqual(['a 0-10', 'b 10-20', 'c 20-30']);
    const waits = eventsOf(seen.values, 'waiting').map(
      ({ toolUseId, reason, on }) => `${toolUseId} ${reason} ${on}`,
    );
    expect(waits).toEqual(['b exclusive a', 'c batch b']);
  });
});

describe('hooks behind a call', () => {
  it('replace what the model reads, and add to what follows', () => {
    const { tool } = recorder();
    let message: unknown;
    const hooks: Hooks = {
      PostToolUse: [
        ({ output }) => ({
          updatedToolOutput: `${output}, formatted`,
          additionalContext: 'tabs are spaces now',
        }),
        () => ({ decision: 'block', reason: 'no newline at the end' }),
      ],
    };
    const events$ = turnOf(one, [tool], { hooks });
    const seen = new Seen(events$);
    turnOf(one, [tool], { hooks })
      .pipe(toolResultMessage())
      .subscribe((each) => {
        message = each;
      });
    expect(textOf(seen.values, 'a')).toBe('written, formatted');
    expect(eventsOf(seen.values, 'completed')[0]?.output).toBe('written');
    expect(JSON.stringify(message)).toMatch(/tool_result.*tabs are spaces now.*no newline at the end/);
  });

  it.each<[string, Partial<Tool>, Tool['call'], string]>([
    ['a failure', {}, () => failure('no space'), 'tool_error'],
    [
      'a throw',
      {},
      () => {
        throw new Error('broken');
      },
      'tool_error',
    ],
  ])('hear of %s apart', (_name, members, call, code) => {
    const heard: string[] = [];
    const hooks: Hooks = {
      PostToolUse: [() => void heard.push('ok')],
      PostToolUseFailure: [({ outcome, error }) => void heard.push(`${outcome.code}: ${error}`)],
    };
    run(hooks, safeTool('write', call, { inputSchema, ...members }), one);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(new RegExp(`^${code}: `));
  });

  it('hear nothing of what was not run', () => {
    const heard: string[] = [];
    const hooks: Hooks = {
      PreToolUse: [({ toolUse }) => (toolUse.id === 'a' ? { decision: 'deny' } : undefined)],
      PostToolUse: [() => void heard.push('ok')],
      PostToolUseFailure: [() => void heard.push('failed')],
    };
    run(hooks, recorder().tool, [...one, use('b', 'write', {}), use('c', 'nobody')]);
    expect(heard).toEqual([]);
  });

  it('that are broken keep the result, and say that it stands', () => {
    const { tool } = recorder();
    const broken = {
      name: 'fmt',
      run: () => {
        throw new Error('no formatter');
      },
    };
    const seen = run({ PostToolUse: [broken] }, tool, one);
    expect([codes(seen.values), textOf(seen.values, 'a')]).toEqual([['a ok'], 'written']);
    expect(JSON.stringify(eventsOf(seen.values, 'result')[0]?.after)).toMatch(/fmt is broken.*result stands/);
  });

  it('keep the place of the call until they have answered', () => {
    const scheduler = new VirtualTimeScheduler();
    const { tool } = recorder({ isConcurrencySafe: () => false });
    const hooks: Hooks = { PostToolUse: [() => timer(5, scheduler).pipe(map(() => undefined))] };
    const seen = run(hooks, tool, [...one, use('b', 'write', { path: 'y' })], { scheduler });
    expect(startedIds(seen.values)).toEqual(['a']);
    scheduler.flush();
    const starts = eventsOf(seen.values, 'started').map(({ at, toolUseId }) => `${toolUseId}@${at}`);
    expect(starts).toEqual(['a@0', 'b@5']);
    expect(outcomeOf(seen.values, 'a').durations).toMatchObject({ hooks: 5, running: 0 });
  });

  it('are left when the turn is stopped: what the tool did stands', () => {
    const { tool } = recorder();
    const interrupt$ = new Subject<string>();
    const seen = run({ PostToolUse: [() => new Promise(() => undefined)] }, tool, one, { interrupt$ });
    interrupt$.next('stop');
    expect([codes(seen.values), seen.ended]).toEqual([['a ok'], 'completed']);
  });
});

describe('hooks behind a turn', () => {
  it('are asked once, with all results in call order, before the end', () => {
    const { tool } = recorder();
    const asked: unknown[] = [];
    const hooks: Hooks = {
      PostToolBatch: [
        {
          name: 'lint',
          run: ({ calls }) => {
            asked.push(calls.map(({ toolUse, outcome }) => `${toolUse.id} ${outcome.code}`));
            return { decision: 'block', reason: 'two warnings', additionalContext: 'see lint.log' };
          },
        },
      ],
    };
    const calls = [...one, use('b', 'write', {})];
    const seen = run(hooks, tool, calls);
    expect(asked).toEqual([['a ok', 'b invalid_input']]);
    expect(eventsOf(seen.values, 'stop')).toMatchObject([
      { reason: 'hook', by: 'lint', message: 'two warnings' },
    ]);
    let text = '';
    turnOf(calls, [tool], { hooks })
      .pipe(toolResultMessage())
      .subscribe((message) => {
        text = JSON.stringify(message);
      });
    expect(text).toMatch(/two warnings.*see lint\.log/);
    expect(seen.ended).toBe('completed');
  });

  it.each(['interrupt$', 'discard$'] as const)('are left when %s comes, and the turn ends', (control) => {
    const { tool } = recorder();
    const stop$ = new Subject<string>();
    const hooks: Hooks = { PostToolBatch: [() => new Promise(() => undefined)] };
    const seen = run(hooks, tool, one, { [control]: stop$ });
    expect(seen.ended).toBe('open');
    stop$.next('enough');
    expect(seen.ended).toBe('completed');
    const last = seen.values[seen.values.length - 1] as ToolEvent;
    expect(last.type).toBe(control === 'discard$' ? 'discarded' : 'stop');
  });
});

it('a repair mends what a schema refused, and what it gives is parsed again', async () => {
  const { tool, got } = recorder();
  const asked: unknown[] = [];
  const seen = run({}, tool, [use('a', 'write', { path: 7 }), use('b', 'write', { path: 8 })], {
    inputRepair: ({ input, issues }) => {
      asked.push([input, issues.length]);
      return Promise.resolve({ input: { path: (input as { path: number }).path === 7 ? 'seven' : 8 } });
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([codes(seen.values), got, asked]).toEqual([
    ['a ok', 'b invalid_input'],
    [{ path: 'seven' }],
    [
      [{ path: 7 }, 1],
      [{ path: 8 }, 1],
    ],
  ]);
});
