import { describe, expect, it } from 'vitest';
import { CallNames } from '../../../src/cli/view/callNames.js';
import { causeWords } from '../../../src/cli/view/causeWords.js';
import { eventWords } from '../../../src/cli/view/eventWords.js';
import { guardTells } from '../../../src/cli/view/guardWords.js';
import type { HookEvent, PermissionEvent, ToolEvent } from '../../../src/contract/index.js';

const of = { at: 0, toolUseId: 't0', name: 'Bash' } as const;
const names = new CallNames();
const permission = (event: Partial<PermissionEvent>): ToolEvent => ({
  ...of,
  ...{ type: 'permission', phase: 'decided' },
  ...event,
});
const hook = (event: Partial<HookEvent>): ToolEvent => ({
  ...of,
  ...{ type: 'hook', point: 'PreToolUse', hook: 'sh guard.sh', phase: 'ended' },
  ...event,
});

describe('the words of permissions', () => {
  it.each([
    [{ phase: 'asked', decidedBy: 'mode default', message: 'No rule.' }, 'asked (mode default): No rule.'],
    [{ phase: 'asked', decidedBy: 'unparsed', message: 'Odd.' }, "asked (what can't be looked into): Odd."],
    [{ phase: 'classifying' }, 'the classifier is asked'],
    [{ decision: 'allow', decidedBy: 'rule Bash(ls *)' }, 'allowed by rule Bash(ls *)'],
    [{ decision: 'allow', decidedBy: 'callback' }, 'allowed by the user'],
    [{ decision: 'allow', decidedBy: 'classifier' }, 'allowed by the classifier'],
    [{ decision: 'deny', decidedBy: 'rule Bash(rm *)', message: 'long' }, 'denied by rule Bash(rm *)'],
    [{ decision: 'deny', decidedBy: 'nobody', message: 'long' }, 'denied: nobody can be asked'],
    [{ decision: 'deny', decidedBy: 'rule Bash(\x1b *)' }, 'denied by rule Bash(\\x1b *)'],
  ] as const)('of %o', (event, more) => {
    expect(eventWords(permission(event), names)).toMatchObject({ what: 'permission', more });
  });

  it('have a line, save where a tool that reads allows itself', () => {
    const allowed = (decidedBy: string) => guardTells(permission({ decision: 'allow', decidedBy }));
    expect([allowed('tool'), allowed('rule Read'), allowed('callback')]).toEqual([false, true, true]);
    expect(guardTells(permission({ decision: 'deny', decidedBy: 'tool' }))).toBe(true);
    expect(guardTells(permission({ phase: 'asked', decidedBy: 'tool' }))).toBe(true);
  });

  it('call the one who is asked the user', () => {
    expect(causeWords({ type: 'callback', callback: 'canUseTool' }, names)).toBe('the user');
  });
});

describe('the words of hooks', () => {
  it.each([
    [{ phase: 'started' }, 'PreToolUse runs  sh guard.sh', 'quiet'],
    [{}, 'PreToolUse done  sh guard.sh', 'quiet'],
    [
      { decision: 'deny', message: 'Off limits.\nReally.' },
      'PreToolUse deny  sh guard.sh: Off limits. (+1 line)',
      'bad',
    ],
    [{ decision: 'failed', message: 'exit code 1' }, 'PreToolUse failed  sh guard.sh: exit code 1', 'bad'],
    [{ decision: 'ask' }, 'PreToolUse ask  sh guard.sh', 'warning'],
  ] as const)('of %o', (event, more, tone) => {
    expect(eventWords(hook(event), names)).toEqual({ what: 'hook', more, tone });
  });

  it('have one line each: when it has ended', () => {
    expect([guardTells(hook({ phase: 'started' })), guardTells(hook({}))]).toEqual([false, true]);
  });

  it('tell hooks of the turn, their warnings and why they stop it', () => {
    const turn = {
      type: 'turn-hook',
      at: 0,
      point: 'PostToolBatch',
      hook: 'sh stop.sh',
      phase: 'ended',
    } as const;
    expect(eventWords(turn, names)?.more).toBe('PostToolBatch done  sh stop.sh');
    const warning = {
      type: 'anomaly',
      at: 0,
      code: 'hook_warning',
      message: 'sh guard.sh: mind it',
    } as const;
    expect(eventWords(warning, names)).toMatchObject({ what: 'hook', more: 'warns  sh guard.sh: mind it' });
    const stop = { type: 'stop', at: 0, reason: 'hook', by: 'sh stop.sh', message: 'Enough.' } as const;
    expect(eventWords(stop, names)?.more).toBe('hook by sh stop.sh: Enough.');
    expect(eventWords({ type: 'after', at: 0, messages: [] }, names)).toBeUndefined();
  });
});
