import { asyncScheduler, lastValueFrom, type Observable } from 'rxjs';
import { Deadlines } from '../../src/call/deadlines.js';
import type { Hook, HookEventName, HookInput } from '../../src/contract/hooks.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { HookHost } from '../../src/hooks/index.js';

const common = {
  context: undefined,
  permissionMode: 'default',
  signal: new AbortController().signal,
  scheduler: asyncScheduler,
} as const;

/** What a hook is asked about a call of `Bash`, or of another tool. */
export const inputOf = (
  event: HookEventName,
  input: unknown = { command: 'ls' },
  name = 'Bash',
  more: object = {},
): HookInput => {
  const call = { toolUse: { type: 'tool_use', id: 't1', name, input }, name, input } as const;
  const outcome = { code: 'ok' } as Outcome;
  const block = { type: 'tool_result', tool_use_id: 't1', content: 'out' } as const;
  const special = {
    PreToolUse: {},
    PermissionRequest: { message: 'asks', suggestions: ['Bash(ls *)', 'Read'] },
    PostToolUse: { output: { exitCode: 0 }, durationMs: 12 },
    PostToolUseFailure: { outcome, error: 'Exit code 1', isInterrupt: false, durationMs: 12 },
    PostToolBatch: { calls: [{ ...call, outcome, block }] },
  }[event];
  return {
    event,
    ...(event === 'PostToolBatch' ? undefined : call),
    ...special,
    ...common,
    ...more,
  } as HookInput;
};

/** Asks a hook itself, without the runner: its answer, or its failure as a rejection. */
export const answerOf = (hook: Hook, input: HookInput): Promise<unknown> =>
  lastValueFrom(hook.run(input as never) as Observable<unknown>);

/** A host in real time. */
export const realHost = (): HookHost & { readonly clock: Deadlines } => ({
  ...common,
  clock: new Deadlines(
    asyncScheduler,
    () => asyncScheduler.now(),
    () => undefined,
  ),
});
