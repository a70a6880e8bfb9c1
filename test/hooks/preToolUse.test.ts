import { EMPTY, NEVER, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { PreToolUseAnswer } from '../../src/contract/hooks.js';
import { askPre, call, seeing, virtualHost } from './rounds.js';

type Decision = NonNullable<PreToolUseAnswer['decision']>;
const named = (name: string, answer: unknown) => ({ name, run: () => answer as undefined });

describe('decisions of hooks before a call', () => {
  it('are none where no hook has an opinion, and the input stays the very same', () => {
    const verdict = askPre([() => undefined, () => null, () => ({}), () => EMPTY]);
    expect(verdict.decision).toBeUndefined();
    expect(verdict.input).toBe(call.input);
    expect(verdict.rewrittenBy).toEqual([]);
  });

  const all: readonly Decision[] = ['allow', 'ask', 'defer', 'deny'];
  const pairs = all.flatMap((strong, index) => all.slice(0, index).map((weak) => [strong, weak] as const));
  it.each(pairs)('%s beats %s in either order', (strong, weak) => {
    for (const order of [
      [strong, weak],
      [weak, strong],
    ]) {
      const verdict = askPre(
        order.map((decision) => named(decision, { decision, reason: `why ${decision}` })),
      );
      expect(verdict).toMatchObject({ decision: strong, by: strong, reason: `why ${strong}` });
    }
  });

  it('name the first hook of equal strength, and never the reason of another', () => {
    const verdict = askPre([
      named('a', { decision: 'deny' }),
      named('b', { decision: 'deny', reason: 'b’s' }),
    ]);
    expect(verdict).toMatchObject({ decision: 'deny', by: 'a' });
    expect(verdict.reason).toBeUndefined();
  });

  it('are the same whether they come at once, as an Observable or later', () => {
    const set = virtualHost();
    const answer = { decision: 'ask', reason: 'r' } as const;
    const verdicts = [
      askPre([() => answer]),
      askPre([() => of(answer)]),
      askPre([() => set.later(5, answer)], { set }),
    ].map((verdict) => ({ ...verdict, by: '' }));
    expect(verdicts[1]).toEqual(verdicts[0]);
    expect(verdicts[2]).toEqual(verdicts[0]);
  });

  it('do not keep the hooks behind a denial from being asked', () => {
    const seen: unknown[] = [];
    askPre([named('guard', { decision: 'deny' }), seeing(seen)]);
    expect(seen).toEqual([call.input]);
  });
});

describe('rewriting', () => {
  it('is seen by the next hook, and one that answers nothing does not lose it', () => {
    const seen: unknown[] = [];
    const safe = { command: 'safe' };
    const verdict = askPre([named('h1', { updatedInput: safe }), seeing(seen), seeing(seen, {})]);
    expect(seen).toEqual([safe, safe]);
    expect(verdict).toMatchObject({ input: safe, rewrittenBy: ['h1'] });
  });

  it('outlives a hook that asks, and one that fails and may', () => {
    const safe = { command: 'safe' };
    const broken = { onFailure: 'continue', run: () => throwError(() => new Error('x')) } as const;
    const verdict = askPre([named('h1', { updatedInput: safe }), named('h2', { decision: 'ask' }), broken]);
    expect(verdict).toMatchObject({ decision: 'ask', by: 'h2', input: safe });
  });

  it('adds up over hooks, in order', () => {
    const add = (key: string) => ({
      name: key,
      run: ({ input }: { input: unknown }) => ({ updatedInput: { ...(input as object), [key]: 1 } }),
    });
    const verdict = askPre([add('a'), add('b')]);
    expect(verdict.input).toEqual({ command: 'ls', a: 1, b: 1 });
    expect(verdict.rewrittenBy).toEqual(['a', 'b']);
    expect(call.input).toEqual({ command: 'ls' });
  });

  it('ends with a denial: those behind it see what was denied', () => {
    const seen: unknown[] = [];
    const verdict = askPre([
      named('guard', { decision: 'deny', updatedInput: { command: 'other' } }),
      named('rewriter', { updatedInput: { command: 'another' } }),
      seeing(seen),
    ]);
    expect(seen).toEqual([call.input]);
    expect(verdict.rewrittenBy).toEqual([]);
  });

  it.each([[null], [[]], ['text'], [1], [true]])('to %j is a failure, never the original', (updatedInput) => {
    const verdict = askPre([named('h', { updatedInput })]);
    expect(verdict).toMatchObject({ decision: 'failed', by: 'h' });
    expect(verdict.reason).toContain('`updatedInput` is');
    expect(verdict.reason).toContain('expected an object');
  });
});

describe('a hook that fails', () => {
  const failing: readonly (readonly [string, () => unknown, string])[] = [
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'it failed: boom',
    ],
    ['errors', () => throwError(() => 'text'), 'it failed: text'],
    ['answers a text', () => 'allow', 'it answered "allow", expected an object or nothing'],
    ['answers true', () => true, 'it answered true, expected an object or nothing'],
    ['answers a list', () => [], 'it answered a list, expected an object or nothing'],
    ['answers a function', () => () => undefined, 'it answered a function, expected an object or nothing'],
    [
      'decides the unknown',
      () => ({ decision: 'block' }),
      '`decision` is "block", expected one of allow, deny',
    ],
    ['misspells a member', () => ({ permissionDecision: 'deny' }), 'unknown member "permissionDecision"'],
    ['wants a text to stop', () => ({ continue: 'false' }), '`continue` is "false", expected true or false'],
    [
      'answers what can not be read',
      () => ({
        get decision() {
          throw new Error('trap');
        },
      }),
      'it failed: trap',
    ],
    ['never answers', () => NEVER, 'it gave no answer within its limit of 60000 ms'],
  ];

  it.each(failing)('%s: counts as failed, not as a denial', (_what, run, reason) => {
    const verdict = askPre([{ name: 'h', run: run as () => undefined }, () => ({ decision: 'allow' })]);
    expect(verdict).toMatchObject({ decision: 'failed', by: 'h' });
    expect(verdict.reason).toContain(reason);
    expect(verdict.failures).toMatchObject([{ hook: 'h', onFailure: 'deny' }]);
  });

  it.each(failing)('%s: is noted and passed over where that is declared', (_what, run) => {
    const verdict = askPre([
      { name: 'h', onFailure: 'continue', run: run as () => undefined },
      () => ({ decision: 'allow' }),
    ]);
    expect(verdict.decision).toBe('allow');
    expect(verdict.failures).toMatchObject([{ hook: 'h', onFailure: 'continue' }]);
  });

  it('is beaten by a denial alone', () => {
    const broken = named('broken', 1);
    expect(askPre([broken, named('guard', { decision: 'deny' })])).toMatchObject({
      decision: 'deny',
      by: 'guard',
    });
    expect(askPre([named('guard', { decision: 'defer' }), broken])).toMatchObject({ decision: 'failed' });
  });

  it('keeps what it threw for the host', () => {
    const error = new Error('boom');
    const verdict = askPre([() => throwError(() => error)]);
    expect(verdict.failures[0]?.error).toBe(error);
  });
});

describe('what hooks say beside decisions', () => {
  it('is collected in order, with who said it', () => {
    const verdict = askPre([
      named('a', { additionalContext: 'one', systemMessage: 'careful' }),
      named('b', { additionalContext: 'two', continue: false, stopReason: 'enough' }),
      named('c', { additionalContext: '', continue: true, systemMessage: '' }),
      named('d', { continue: false }),
    ]);
    expect(verdict.contexts).toEqual([
      { hook: 'a', text: 'one' },
      { hook: 'b', text: 'two' },
    ]);
    expect(verdict.warnings).toEqual([{ hook: 'a', text: 'careful' }]);
    expect(verdict.stops).toEqual([{ hook: 'b', reason: 'enough' }, { hook: 'd' }]);
  });
});
