import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../../src/contract/index.js';
import type { PermissionMode, PermissionOptions } from '../../src/contract/permissions.js';
import {
  createPermissions,
  isConfigured,
  judgeRules,
  modeOf,
  strictestVerdict,
} from '../../src/permissions/index.js';
import { bash, call, command, editing, host, reading, unparsed } from './calls.js';

const cwd = '/p';
const judge = (rules: PermissionOptions['rules'], of: Parameters<typeof judgeRules>[1]) =>
  judgeRules(createPermissions({ cwd, home: '/h', ...(rules && { rules }) }), of);

describe('rules of several sources', () => {
  it('deny before they ask, and ask before they allow, however specific', () => {
    const allow = { allow: ['Bash(git push origin main)'] };
    const ask = { ask: ['Bash(git push:*)'], source: 'user settings' };
    const deny = { deny: ['Bash(git:*)'], source: 'project settings' };
    const push = bash('git push origin main');
    expect(judge([allow], push)).toMatchObject({ behavior: 'allow' });
    expect(judge([allow, ask], push)).toMatchObject({
      behavior: 'ask',
      rule: { text: 'Bash(git push:*)', source: 'user settings' },
    });
    expect(judge([allow, ask, deny], push)).toMatchObject({
      behavior: 'deny',
      rule: { text: 'Bash(git:*)', source: 'project settings' },
    });
  });

  it('start patterns with `/` at the base of their source', () => {
    const rules = [{ deny: ['Read(/a)'], base: '/x' }, { deny: ['Read(/b)'] }];
    expect(judge(rules, call('Read', [reading('/x/a')])).behavior).toBe('deny');
    expect(judge(rules, call('Read', [reading('/p/b')])).behavior).toBe('deny');
    expect(judge(rules, call('Read', [reading('/x/b')])).behavior).toBe('none');
  });

  it('allow together what each allows a part of', () => {
    const rules = { allow: ['Bash(echo *)', 'Bash(ls)', 'Edit(./out/**)', 'Read(./a)', 'Read(//real/a)'] };
    const parts = [command('echo a'), command('ls'), editing('/p/out/x')];
    expect(judge(rules, call('Bash', parts)).behavior).toBe('allow');
    expect(judge(rules, call('Bash', [...parts, editing('/p/other')]))).toMatchObject({
      behavior: 'none',
      uncovered: [editing('/p/other')],
    });
    expect(judge(rules, call('Read', [reading('/p/a', '/real/a')])).behavior).toBe('allow');
    expect(judge(rules, call('Read', [reading('/p/a', '/real/b')])).behavior).toBe('none');
  });

  it('are unsure where a part that could not be looked into may hold what they forbid', () => {
    const hidden = call('Bash', [command('ls'), unparsed]);
    expect(judge({ allow: ['Bash'], deny: ['Bash(rm:*)'] }, hidden)).toMatchObject({
      behavior: 'unsure',
      rule: { text: 'Bash(rm:*)' },
    });
    expect(judge({ allow: ['Bash'], ask: ['Edit(./a)'] }, hidden).behavior).toBe('unsure');
    expect(
      judge({ allow: ['Bash'], deny: ['Read', 'Agent(x)'] }, call('Bash', [command('ls')])).behavior,
    ).toBe('allow');
    expect(judge({ allow: ['Bash'] }, hidden).behavior).toBe('allow');
    expect(judge({ allow: ['Bash(*  *)', 'Bash(ls)'] }, hidden)).toMatchObject({
      behavior: 'none',
      unparsed: 'the quote has no end',
    });
  });
});

describe('what folders say of a call', () => {
  it('names the protected path it would change, in any case, and wherever a link leads', () => {
    const path = (...paths: string[]) => judge(undefined, call('Edit', [editing(...paths)])).protectedPath;
    for (const each of [
      '/p/.git/config',
      '/p/a/.claude/x',
      '/p/.MCP.json',
      '/h/.zshrc',
      '/',
      '/h',
      '/p/.GIT',
    ]) {
      expect(path(each)).toBe(each);
    }
    expect(path('/p/link', '/q/.git/hooks/x')).toBe('/q/.git/hooks/x');
    for (const each of ['/p/src/a', '/p/.gitignore', '/p/git/x', '/p/.zshrc/a', '/p']) {
      expect(path(each)).toBeUndefined();
    }
    expect(judge(undefined, call('Read', [reading('/p/.git/config')])).protectedPath).toBeUndefined();
  });

  it('protects what holds the working directory, and not what lies in it', () => {
    const permissions = createPermissions({ cwd: '/x/y/p' });
    const path = (each: string) => judgeRules(permissions, call('Edit', [editing(each)])).protectedPath;
    expect(['/', '/x', '/x/y'].map(path)).toEqual(['/', '/x', '/x/y']);
    expect(['/x/y/p', '/x/y/p/a', '/x/y/q', '/x/yy'].map(path)).toEqual(Array(4).fill(undefined));
  });

  it('tells edits below the working directories from others, by segment', () => {
    const permissions = createPermissions({ cwd, additionalDirectories: ['/q'] });
    const isWithin = (...targets: Parameters<typeof call>[1] & {}) =>
      judgeRules(permissions, call('X', targets)).isWithinDirectories;
    expect(isWithin(editing('/p/a'), editing('/q/a'))).toBe(true);
    expect(isWithin(editing('/p/a', '/r/a'))).toBe(false);
    expect(isWithin(editing('/p-evil/a'))).toBe(false);
    expect(isWithin(editing('/p/a'), command('echo', { isReadOnly: true }))).toBe(true);
    expect(isWithin(editing('/p/a'), command('make'))).toBe(false);
    expect(isWithin(command('ls', { isReadOnly: true }))).toBe(true);
    expect(isWithin(command('cat', { isReadOnly: true }), reading('/etc/passwd'))).toBe(false);
    expect(isWithin(host('a.org'))).toBe(false);
    expect(isWithin(editing('/p/a'), unparsed)).toBe(false);
    expect(isWithin()).toBe(false);
  });
});

describe('a rewritten input', () => {
  it('stays forbidden by what forbade the original, and is allowed only for itself', () => {
    const permissions = createPermissions({
      rules: { deny: ['Bash(rm:*)'], ask: ['Bash(mv:*)'], allow: ['Bash(ls)'] },
    });
    const verdict = (text: string) => judgeRules(permissions, bash(text));
    const behavior = (original: string, final: string) =>
      strictestVerdict(verdict(original), verdict(final)).behavior;
    expect(behavior('rm x', 'ls')).toBe('deny');
    expect(behavior('ls', 'rm x')).toBe('deny');
    expect(behavior('mv x', 'ls')).toBe('ask');
    expect(behavior('mv x', 'rm x')).toBe('deny');
    expect(behavior('ls', 'make')).toBe('none');
    expect(behavior('make', 'ls')).toBe('allow');
    expect(strictestVerdict(verdict('rm x'), verdict('ls')).rule).toEqual({ text: 'Bash(rm:*)' });
    expect(strictestVerdict(verdict('rm x'), verdict('make')).uncovered).toEqual([command('make')]);
  });
});

describe('permissions', () => {
  it('read their options once: what becomes of the given objects changes nothing', () => {
    const deny = ['Bash(rm:*)'];
    const folders = ['/q'];
    const given = { rules: [{ deny }], additionalDirectories: folders };
    const permissions = createPermissions(given);
    deny.length = 0;
    folders[0] = '/other';
    given.rules = [];
    expect(judgeRules(permissions, bash('rm x')).behavior).toBe('deny');
    expect(judgeRules(permissions, call('X', [editing('/q/a')])).isWithinDirectories).toBe(true);
    expect(permissions.options).toMatchObject({
      rules: [{ deny: ['Bash(rm:*)'] }],
      additionalDirectories: ['/q'],
    });
    expect(Object.isFrozen(permissions.options)).toBe(true);
  });

  it('remember rules, all or none, and count what changes', () => {
    const permissions = createPermissions({ cwd });
    permissions.remember([
      { behavior: 'allow', rule: 'Bash(ls)' },
      { behavior: 'allow', rule: 'Bash(ls)' },
      { behavior: 'deny', rule: 'Read(./x)' },
    ]);
    expect(permissions.version).toBe(1);
    expect(judgeRules(permissions, bash('ls'))).toMatchObject({
      behavior: 'allow',
      rule: { text: 'Bash(ls)', source: 'remembered' },
    });
    permissions.remember([{ behavior: 'allow', rule: 'Bash(ls)' }]);
    expect(permissions.version).toBe(1);
    const half = [
      { behavior: 'allow', rule: 'Bash(make)' },
      { behavior: 'allow', rule: 'Bash(' },
    ] as const;
    expect(() => permissions.remember(half)).toThrow(/updates\[1\]\.rule/);
    expect(() => permissions.remember(half[0] as never)).toThrow(InvalidOptionError);
    expect(() => permissions.remember([{ behavior: 'maybe' as never, rule: 'X' }])).toThrow(
      InvalidOptionError,
    );
    expect(judgeRules(permissions, bash('make')).behavior).toBe('none');
    expect(permissions.version).toBe(1);
  });

  it('change their mode, and count that', () => {
    const permissions = createPermissions();
    expect(modeOf(permissions, {})).toBe('default');
    permissions.setMode('plan');
    permissions.setMode('plan');
    expect([modeOf(permissions, {}), permissions.version]).toEqual(['plan', 1]);
    expect(() => permissions.setMode('free' as never)).toThrow(InvalidOptionError);
  });

  it('decide something only where there is a mode or a rule', () => {
    expect(isConfigured(createPermissions({ cwd, home: '/h', rules: [{}] }))).toBe(false);
    expect(isConfigured(createPermissions({ mode: 'default' }))).toBe(true);
    expect(isConfigured(createPermissions({ rules: { allow: ['Bash'] } }))).toBe(true);
    const permissions = createPermissions();
    permissions.setMode('default');
    expect([isConfigured(permissions), permissions.version]).toEqual([true, 0]);
  });

  it('ask a function for the mode, and take a fault of it for what it is', () => {
    const mode = (context: { readonly mode: PermissionMode }) => context.mode;
    const permissions = createPermissions({ mode });
    expect(modeOf(permissions, { mode: 'acceptEdits' })).toBe('acceptEdits');
    expect(modeOf(permissions, { mode: 'free' })).toHaveProperty('fault');
    expect(modeOf(permissions, undefined)).toHaveProperty('fault');
    permissions.setMode('dontAsk');
    expect(modeOf(permissions, undefined)).toBe('dontAsk');
  });

  it('warn of rules that never match', () => {
    const permissions = createPermissions({ cwd, rules: { deny: ['Write(a)', 'Bash(x)'] } });
    expect(permissions.warnings).toHaveLength(1);
    permissions.remember(Array(2).fill({ behavior: 'ask', rule: 'NotebookEdit(b)' }));
    expect(permissions.warnings).toEqual([
      expect.stringContaining('Edit(a)'),
      expect.stringContaining('Edit(b)'),
    ]);
  });

  it.each<[string, unknown]>([
    ['permissions', null],
    ['permissions', { rule: [] }],
    ['permissions.mode', { mode: 'free' }],
    ['permissions.cwd', { cwd: 'here' }],
    ['permissions.cwd', { cwd: '/a/../b' }],
    ['permissions.home', { home: '' }],
    ['permissions.additionalDirectories', { additionalDirectories: '/a' }],
    ['permissions.additionalDirectories[0]', { additionalDirectories: [undefined] }],
    ['permissions.timeoutMs', { timeoutMs: 0 }],
    ['permissions.timeoutMs', { timeoutMs: Number.NaN }],
    ['permissions.rules', { rules: 'Bash' }],
    ['permissions.rules', { rules: { denied: [] } }],
    ['permissions.rules.deny', { rules: { deny: 'Bash' } }],
    ['permissions.rules.base', { rules: { base: 'x' } }],
    ['permissions.rules.source', { rules: { source: 1 } }],
    ['permissions.rules[1].deny[0]', { rules: [{}, { deny: ['Bash('] }] }],
    ['permissions.rules.deny[0]', { rules: { deny: ['Read(a)'] } }],
  ])('refuse what can not be meant, naming %s', (option, options) => {
    const creating = () => createPermissions(options as PermissionOptions);
    expect(creating).toThrow(InvalidOptionError);
    expect(creating).toThrow(`\`${option}\``);
  });

  it('are told from what only looks like them', () => {
    const lookalike = { ...createPermissions() };
    expect(() => judgeRules(lookalike as never, bash('ls'))).toThrow(/createPermissions/);
  });
});
