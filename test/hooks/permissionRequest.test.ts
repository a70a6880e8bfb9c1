import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../src/contract/hooks.js';
import { askPermissionRequest, type PermissionRequestVerdict, readHooks } from '../../src/hooks/index.js';
import { call, virtualHost } from './rounds.js';

const ask = (...hooks: NonNullable<Hooks['PermissionRequest']>): PermissionRequestVerdict => {
  const { host, virtual } = virtualHost();
  const ready = readHooks({ PermissionRequest: hooks }, 'hooks')?.PermissionRequest ?? [];
  const verdicts: PermissionRequestVerdict[] = [];
  const request = { ...call, message: 'asks', suggestions: ['Bash(ls)'] };
  askPermissionRequest(ready, request, host, (verdict) => verdicts.push(verdict));
  virtual.flush();
  expect(verdicts).toHaveLength(1);
  return verdicts[0] as PermissionRequestVerdict;
};
const named = (name: string, answer: unknown) => ({ name, run: () => answer as undefined });

describe('hooks asked for a permission', () => {
  it('leave the question where none has an opinion', () => {
    expect(
      ask(
        () => undefined,
        () => ({}),
      ),
    ).toMatchObject({ interrupt: false, input: call.input, updates: [] });
    expect(ask(() => undefined).decision).toBeUndefined();
  });

  it('are decided by the first of those that allow', () => {
    expect(ask(named('a', { decision: 'allow' }), named('b', { decision: 'allow' }))).toMatchObject({
      decision: 'allow',
      by: 'a',
    });
  });

  it.each([[true], [false]])('are denied by any denial, whatever the order (%s)', (isFirst) => {
    const allow = named('a', { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'plan' }] });
    const deny = named('d', { decision: 'deny', message: 'no', interrupt: true });
    expect(ask(...(isFirst ? [deny, allow] : [allow, deny]))).toMatchObject({
      decision: 'deny',
      by: 'd',
      message: 'no',
      interrupt: true,
      updates: [],
    });
  });

  it('that break deny, as nobody’s refusal; a real denial names itself', () => {
    const broken = named('b', { behavior: 'allow' });
    expect(ask(broken, named('a', { decision: 'allow' }))).toMatchObject({
      decision: 'failed',
      by: 'b',
      interrupt: false,
      message: expect.stringContaining('unknown member "behavior"'),
    });
    expect(ask(broken, named('d', { decision: 'deny' }))).toMatchObject({ decision: 'deny', by: 'd' });
    const open = { ...broken, onFailure: 'continue' } as const;
    expect(ask(open, named('a', { decision: 'allow' }))).toMatchObject({ decision: 'allow', by: 'a' });
  });

  it('judge the input as those before have changed it', () => {
    const seen: unknown[] = [];
    const verdict = ask(
      named('a', { decision: 'allow', updatedInput: { command: 'b' } }),
      ({ input, message }) => {
        seen.push(input, message);
        return undefined;
      },
    );
    expect(seen).toEqual([{ command: 'b' }, 'asks']);
    expect(verdict).toMatchObject({ input: { command: 'b' }, rewrittenBy: ['a'] });
  });

  it('have all the rules remembered that those who agree want', () => {
    const rule = (text: string) => ({ type: 'addRules', behavior: 'allow', rule: text });
    const updates = (...texts: string[]) => ({ decision: 'allow', updatedPermissions: texts.map(rule) });
    expect(ask(named('a', updates('x')), named('b', updates('y', 'z'))).updates).toEqual(
      ['x', 'y', 'z'].map(rule),
    );
  });

  it.each([
    [[{ type: 'addRules', behavior: 'maybe', rule: 'x' }]],
    [[{ type: 'setMode', mode: 'yolo' }]],
    [[{ type: 'removeRules' }]],
    ['Bash'],
  ])('fail with updates that can not be meant: %j', (updatedPermissions) => {
    expect(ask(named('a', { decision: 'allow', updatedPermissions })).decision).toBe('failed');
  });
});
