import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type {
  ExecuteToolsOptions,
  Hook,
  HookInput,
  Hooks,
  PermissionAnswer,
  PermissionRequest,
  PreToolUseAnswer,
  Tool,
} from '../../src/index.js';
import { commandHook } from '../../src/node/index.js';
import { codes, eventsOf, outcomeOf, Seen, safeTool, textOf, turnOf, use } from '../engine/turns.js';
import { eventually, temporaryFolder } from '../node/processes.js';

const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));
const never = (): Promise<never> => new Promise(() => undefined);

const inputSchema = z.object({ cmd: z.string(), where: z.string().optional() });

/** A tool that writes down what it ran with. */
const recorder = (members: Partial<Tool> = {}) => {
  const got: unknown[] = [];
  const call = (input: unknown) => {
    got.push(input);
    return 'done';
  };
  const tool = safeTool('run', call, { inputSchema, ...members });
  return { got, tool };
};
const dangerous = use('a', 'run', { cmd: 'rm' });

const fakeTime = (): void => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
};

describe('B43: a hook before a call that can not decide in time counts as a denial', () => {
  fakeTime();

  it('six calls whose hook answers one after another, some of them too late: none runs', async () => {
    const { got, tool } = recorder();
    const aborted: string[] = [];
    let queue: Promise<unknown> = Promise.resolve();
    const guard: Hook<'PreToolUse'> = {
      name: 'guard',
      timeoutMs: 200,
      run: ({ toolUse, signal }) => {
        signal.addEventListener('abort', () => aborted.push(toolUse.id));
        const turn = queue.then(() => later(80, { decision: 'deny', reason: 'not here' } as const));
        queue = turn;
        return turn;
      },
    };
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => use(id, 'run', { cmd: id }));
    const seen = new Seen(turnOf(calls, [tool], { hooks: { PreToolUse: [guard] } }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(got).toEqual([]);
    expect(codes(seen.values)).toEqual([
      ...['a hook_denied', 'b hook_denied'],
      ...['c hook_failed', 'd hook_failed', 'e hook_failed', 'f hook_failed'],
    ]);
    expect(textOf(seen.values, 'a')).toContain('not here');
    expect(textOf(seen.values, 'f')).toContain('within its limit of 200 ms');
    expect(aborted).toEqual(expect.arrayContaining(['c', 'd', 'e', 'f']));
    expect(eventsOf(seen.values, 'completed').at(-1)?.at).toBe(200);
  });

  // A hook that returns nothing has no opinion: B44. It is no failure, and no allow either.
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers an unknown decision', () => ({ decision: 'probably' })],
    ['answers a text', () => 'allow'],
    ['never settles', never],
  ])('one that %s stops its call, unless it was declared to fail open', async (_name, run) => {
    const outcome = async (onFailure?: 'continue') => {
      const { got, tool } = recorder();
      const hook = { timeoutMs: 200, run, ...(onFailure && { onFailure }) } as Hook<'PreToolUse'>;
      const seen = new Seen(turnOf([dangerous], [tool], { hooks: { PreToolUse: [hook] } }));
      await vi.advanceTimersByTimeAsync(500);
      return [codes(seen.values), got.length];
    };
    expect(await outcome()).toEqual([['a hook_failed'], 0]);
    expect(await outcome('continue')).toEqual([['a ok'], 1]);
  });
});

describe('B43: a program as a hook that breaks counts as a denial', () => {
  it.each([
    ['crashes', 'exit 1', 'hook_failed'],
    ['prints rubbish', 'echo "{ decision: allow"', 'hook_failed'],
    ['is not there', 'exec /no/such/program', 'hook_failed'],
    ['hangs', 'sleep 30', 'hook_failed'],
    ['says no by its exit code', 'echo "not here" >&2; exit 2', 'hook_denied'],
    ['has no opinion', 'exit 0', 'ok'],
  ])('that %s', async (_name, command, code) => {
    const { got, tool } = recorder();
    const hook = { ...commandHook('PreToolUse', { cwd: temporaryFolder(), command }), timeoutMs: 1_000 };
    const seen = new Seen(turnOf([dangerous], [tool], { hooks: { PreToolUse: [hook] } }));
    expect(await eventually(() => seen.ended === 'completed')).toBe(true);
    expect([codes(seen.values), got.length]).toEqual([[`a ${code}`], code === 'ok' ? 1 : 0]);
  });
});

describe('B44: what a hook has rewritten stays rewritten', () => {
  const first = (updatedInput: unknown) => ({
    name: 'first',
    run: (): PreToolUseAnswer => ({ updatedInput }),
  });
  const run = (hooks: Hooks['PreToolUse'], options: Partial<ExecuteToolsOptions> = {}) => {
    const { got, tool } = recorder();
    const seen = new Seen(turnOf([dangerous], [tool], { ...options, hooks: { PreToolUse: hooks ?? [] } }));
    return { got, seen, codes: codes(seen.values) };
  };

  it('where the hook after it returns nothing, which receives the rewriting', () => {
    const heard: unknown[] = [];
    const { got } = run([first({ cmd: 'safe' }), ({ input }) => void heard.push(input)]);
    expect([got, heard]).toEqual([[{ cmd: 'safe' }], [{ cmd: 'safe' }]]);
  });

  it('where the hook after it asks: the prompt shows it, and what is approved is what runs', () => {
    const asked: PermissionRequest[] = [];
    const canUseTool = (request: PermissionRequest): PermissionAnswer => {
      asked.push(request);
      return { behavior: 'allow' };
    };
    const { got } = run([first({ cmd: 'safe' }), () => ({ decision: 'ask' })], { canUseTool });
    expect([asked.map(({ input }) => input), got]).toEqual([[{ cmd: 'safe' }], [{ cmd: 'safe' }]]);
  });

  it('where the hook after it rewrites another member', () => {
    const second = ({ input }: { readonly input: unknown }) => ({
      updatedInput: { ...(input as object), where: 'here' },
    });
    expect(run([first({ cmd: 'safe' }), second]).got).toEqual([{ cmd: 'safe', where: 'here' }]);
  });

  it.each(['safe', ['safe'], null, 7])(
    'a rewriting that is no object (%j) is an error, never the original',
    (odd) => {
      for (const hooks of [[first(odd)], [first({ cmd: 'safe' }), first(odd)]]) {
        const result = run(hooks);
        expect([result.codes, result.got]).toEqual([['a hook_failed'], []]);
      }
    },
  );

  it('it is validated again, and tested on the rules again', () => {
    const invalid = run([first({ cmd: 7 })]);
    expect([invalid.codes, invalid.got]).toEqual([['a invalid_input'], []]);
    expect(textOf(invalid.seen.values, 'a')).toContain('`cmd`');
    const denied = run([first({ cmd: 'worse' })], {
      permissions: { rules: { deny: ['run(cmd:worse)'], allow: ['run'] } },
    });
    expect([denied.codes, denied.got]).toEqual([['a denied'], []]);
  });

  it('history keeps what the model wrote', () => {
    const { seen } = run([first({ cmd: 'safe' })]);
    expect(eventsOf(seen.values, 'queued')[0]?.toolUse.input).toEqual({ cmd: 'rm' });
  });
});

describe('B46: which hooks hear of a call that has ended, and what they can not undo', () => {
  fakeTime();

  const heardOf = async (call: Tool['call'], options: Partial<ExecuteToolsOptions> = {}) => {
    const heard: string[] = [];
    const hear = (input: HookInput): undefined => {
      if (input.event === 'PostToolUse') heard.push(`${input.event} ${input.output}`);
      if (input.event === 'PostToolUseFailure') heard.push(`${input.event} ${input.outcome.code}`);
      if (input.event === 'PostToolBatch')
        heard.push(`${input.event} ${input.calls.map(({ outcome }) => outcome.code)}`);
    };
    const hooks = {
      PostToolUse: [hear],
      PostToolUseFailure: [hear],
      PostToolBatch: [hear],
      ...options.hooks,
    };
    const tool = safeTool('run', call, { timeoutMs: 100, graceMs: 0 });
    new Seen(turnOf([dangerous], [tool], { ...options, hooks }));
    await vi.advanceTimersByTimeAsync(500);
    return heard;
  };
  const boom = (): never => {
    throw new Error('no space');
  };

  it.each<[string, Tool['call'], Partial<ExecuteToolsOptions>, readonly string[]]>([
    ['success', () => 'done', {}, ['PostToolUse done', 'PostToolBatch ok']],
    ['a throw', boom, {}, ['PostToolUseFailure tool_error', 'PostToolBatch tool_error']],
    ['a timeout', never, {}, ['PostToolUseFailure timeout', 'PostToolBatch timeout']],
    // What has not run has nothing to be formatted or undone: the hook of the turn hears of it.
    ['a denial', () => 'done', { permissions: { rules: { deny: ['run'] } } }, ['PostToolBatch denied']],
    [
      'a hook’s denial',
      () => 'done',
      { hooks: { PreToolUse: [() => ({ decision: 'deny' })] } },
      ['PostToolBatch hook_denied'],
    ],
  ])('%s', async (_name, call, options, heard) => {
    expect(await heardOf(call, options)).toEqual(heard);
  });

  it('one that throws behind a write that was done keeps the real result, and adds a note', async () => {
    const hooks: Hooks = { PostToolUse: [{ name: 'format', run: boom }] };
    const { got, tool } = recorder();
    const seen = new Seen(turnOf([dangerous], [tool], { hooks }));
    await vi.advanceTimersByTimeAsync(0);
    expect([codes(seen.values), textOf(seen.values, 'a'), got.length]).toEqual([['a ok'], 'done', 1]);
    const after = JSON.stringify(eventsOf(seen.values, 'result')[0]?.after);
    expect(after).toMatch(/format is broken: it failed: no space.*do not repeat it/);
  });

  it('a call that is put off, with nobody to ask, ends in a result', async () => {
    const { got, tool } = recorder();
    const hooks: Hooks = { PreToolUse: [{ name: 'later', run: () => ({ decision: 'defer' }) }] };
    const seen = new Seen(turnOf([dangerous], [tool], { hooks }));
    expect([codes(seen.values), got, seen.ended]).toEqual([['a hook_denied'], [], 'completed']);
    expect(textOf(seen.values, 'a')).toMatch(/put off by the hook later/);
    expect(outcomeOf(seen.values, 'a').executed).toBe('no');
    expect(eventsOf(seen.values, 'stop')).toMatchObject([{ reason: 'tool_deferred' }]);
  });
});
