import { describe, expect, it } from 'vitest';
import type { Hooks, PostToolBatchInput } from '../../src/contract/hooks.js';
import type { Outcome } from '../../src/contract/outcome.js';
import {
  askPostToolBatch,
  askPostToolUse,
  askPostToolUseFailure,
  type HookNotes,
  type PostToolBatchVerdict,
  type PostToolUseVerdict,
  readHooks,
} from '../../src/hooks/index.js';
import { call, toolUse, virtualHost } from './rounds.js';

const outcome = { code: 'tool_error', executed: 'yes' } as Outcome;
const block = { type: 'tool_result', tool_use_id: 't1', content: 'out' } as const;
const calls: PostToolBatchInput['calls'] = [{ toolUse, name: 'Bash', input: toolUse.input, outcome, block }];
const failed = { ...call, outcome, error: 'Exit code 1', isInterrupt: false, durationMs: 3 };

/** What one round says, asked for in virtual time. */
const heard = <V>(
  start: (host: ReturnType<typeof virtualHost>['host'], receive: (verdict: V) => void) => void,
): V => {
  const { host, virtual } = virtualHost();
  const verdicts: V[] = [];
  start(host, (verdict) => verdicts.push(verdict));
  virtual.flush();
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as V;
};
const afterCall = (...hooks: NonNullable<Hooks['PostToolUse']>) => {
  const ready = readHooks({ PostToolUse: hooks }, 'hooks')?.PostToolUse ?? [];
  return heard<PostToolUseVerdict>((host, receive) => {
    askPostToolUse(ready, { ...call, output: 'real', durationMs: 3 }, host, receive);
  });
};
const afterFailure = (...hooks: NonNullable<Hooks['PostToolUseFailure']>) => {
  const ready = readHooks({ PostToolUseFailure: hooks }, 'hooks')?.PostToolUseFailure ?? [];
  return heard<HookNotes>((host, receive) => void askPostToolUseFailure(ready, failed, host, receive));
};
const afterBatch = (...hooks: NonNullable<Hooks['PostToolBatch']>) => {
  const ready = readHooks({ PostToolBatch: hooks }, 'hooks')?.PostToolBatch ?? [];
  return heard<PostToolBatchVerdict>((host, receive) => void askPostToolBatch(ready, calls, host, receive));
};
const boom = () => {
  throw new Error('boom');
};

describe('hooks after a call', () => {
  it('see what it gave, and leave it', () => {
    const seen: unknown[] = [];
    const verdict = afterCall(({ output, durationMs, input }) => {
      seen.push(output, durationMs, input);
      return undefined;
    });
    expect(seen).toEqual(['real', 3, call.input]);
    expect(verdict).toMatchObject({ output: 'real', replacedBy: [], blocks: [] });
  });

  it('replace the output one after another, by `undefined` too', () => {
    const verdict = afterCall(
      { name: 'a', run: ({ output }) => ({ updatedToolOutput: `${output}!` }) },
      { name: 'b', run: ({ output }) => ({ updatedToolOutput: [output] }) },
    );
    expect(verdict).toMatchObject({ output: ['real!'], replacedBy: ['a', 'b'] });
    const emptied = afterCall({ name: 'c', run: () => ({ updatedToolOutput: undefined }) });
    expect(emptied).toMatchObject({ output: undefined, replacedBy: ['c'] });
  });

  it('tell the model what is wrong', () => {
    const verdict = afterCall(
      { name: 'a', run: () => ({ decision: 'block', reason: 'not formatted' }) },
      { name: 'b', run: () => ({ decision: 'block' }) },
    );
    expect(verdict.blocks).toEqual([
      { hook: 'a', text: 'not formatted' },
      { hook: 'b', text: 'The hook b objects, without saying why.' },
    ]);
  });

  it('that break keep the real output, and say that it stands', () => {
    const verdict = afterCall({ name: 'format', run: boom });
    expect(verdict).toMatchObject({ output: 'real', replacedBy: [], blocks: [] });
    expect(verdict.contexts).toEqual([
      {
        hook: 'format',
        text: '[The PostToolUse hook format is broken: it failed: boom. The call had ended before, and its result stands; do not repeat it for this.]',
      },
    ]);
    expect(verdict.failures).toMatchObject([{ hook: 'format', onFailure: 'continue' }]);
  });

  it('that break and must not object', () => {
    const verdict = afterCall({ name: 'check', onFailure: 'deny', run: boom });
    expect(verdict.contexts).toEqual([]);
    expect(verdict.blocks).toMatchObject([
      { hook: 'check', text: expect.stringContaining('is broken: it failed: boom') },
    ]);
  });

  it('that deny are broken: it has run', () => {
    expect(afterCall(() => ({ decision: 'deny' }) as never).failures).toHaveLength(1);
  });
});

describe('hooks after a call that failed', () => {
  it('see how, and add context', () => {
    const seen: unknown[] = [];
    const notes = afterFailure(({ error, outcome, isInterrupt, durationMs }) => {
      seen.push(error, outcome.code, isInterrupt, durationMs);
      return { additionalContext: 'try make' };
    });
    expect(seen).toEqual(['Exit code 1', 'tool_error', false, 3]);
    expect(notes.contexts.map(({ text }) => text)).toEqual(['try make']);
  });

  it('that break add a note', () => {
    expect(afterFailure({ name: 'h', run: boom }).contexts[0]?.text).toContain('its result stands');
  });
});

describe('hooks after a batch', () => {
  it('see all results, whatever the tools are, and may end the loop', () => {
    const seen: unknown[] = [];
    const verdict = afterBatch(
      {
        name: 'a',
        run: (input) => {
          seen.push(input.calls);
          return { decision: 'block', reason: 'enough' };
        },
      },
      { name: 'b', run: () => ({ continue: false, stopReason: 'late' }) },
    );
    expect(seen).toEqual([calls]);
    expect(verdict.blocks).toEqual([{ hook: 'a', text: 'enough' }]);
    expect(verdict.stops).toEqual([{ hook: 'b', reason: 'late' }]);
  });

  it('that break add a note, or end the loop where that is declared', () => {
    const open = afterBatch({ name: 'h', run: boom });
    expect([open.blocks.length, open.contexts[0]?.text]).toEqual([
      0,
      '[The PostToolBatch hook h is broken: it failed: boom. The results stand as they are.]',
    ]);
    const closed = afterBatch({ name: 'h', onFailure: 'deny', run: boom });
    expect([closed.blocks.length, closed.contexts.length]).toEqual([1, 0]);
  });
});
