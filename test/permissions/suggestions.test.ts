import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PermissionRules, RuleTarget } from '../../src/contract/permissions.js';
import { createPermissions, judgeRules, type RuleCall, suggestRules } from '../../src/permissions/index.js';
import { bash, call, command, editing, host, reading, unparsed } from './calls.js';

const made = (rules: PermissionRules = {}) =>
  createPermissions({ cwd: '/home/me/p', home: '/home/me', additionalDirectories: ['/srv/q'], rules });
const suggested = (of: RuleCall, rules?: PermissionRules) => {
  const permissions = made(rules);
  return suggestRules(permissions, of, judgeRules(permissions, of));
};

describe('suggestions', () => {
  it('name a command as it is, once, and only what no rule allows yet', () => {
    expect(suggested(bash('npm test', 'npm test', 'ls'), { allow: ['Bash(ls)'] })).toEqual([
      'Bash(npm test)',
    ]);
  });

  it('are at most five', () => {
    expect(suggested(bash('a', 'b', 'c', 'd', 'e', 'f'))).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((x) => `Bash(${x})`),
    );
  });

  it.each<[string, RuleTarget, readonly string[]]>([
    ['a folder below cwd', editing('/home/me/p/src/a.ts'), ['Edit(./src/**)']],
    ['cwd for a file in it', reading('/home/me/p/a.ts'), ['Read(./**)']],
    ['cwd itself', reading('/home/me/p'), ['Read(./**)']],
    ['a folder elsewhere', reading('/srv/data/a'), ['Read(//srv/data/**)']],
    ['only the file, in home or at the root', editing('/home/me/notes'), ['Edit(//home/me/notes)']],
    ['only the file at the root', reading('/etc'), ['Read(//etc)']],
    ['names as they are', editing('/home/me/p/[a]*/x'), ['Edit(./\\[a]\\*/**)']],
    [
      'a link and what it leads to',
      reading('/home/me/p/l/x', '/srv/d/x'),
      ['Read(./l/**)', 'Read(//srv/d/**)'],
    ],
  ])('name %s', (_what, target, rules) => {
    expect(suggested(call('Tool', [target]))).toEqual(rules);
  });

  it('name no more than the file at the root, also where no home is known', () => {
    const permissions = createPermissions();
    const of = call('Read', [reading('/etc')]);
    expect(suggestRules(permissions, of, judgeRules(permissions, of))).toEqual(['Read(//etc)']);
  });

  it('name a host by its domain, and a tool that offers nothing by its name', () => {
    expect(suggested(call('WebFetch', [host('a.example.com')]))).toEqual(['WebFetch(domain:a.example.com)']);
    expect(suggested(call('mcp__x__y'))).toEqual(['mcp__x__y']);
  });

  it.each<[string, RuleCall, PermissionRules?]>([
    ['a command that would be a pattern', bash('rm *.log')],
    [
      'a command no allow rule may match',
      call('Bash', [{ type: 'command', forms: ['sudo x'], isReadOnly: false }]),
    ],
    ['a part that could not be looked into', call('Bash', [command('ls'), unparsed])],
    ['a protected path', call('Edit', [editing('/home/me/p/.git/x')])],
    ['an ask rule', bash('ls'), { ask: ['Bash'] }],
    ['a name no rule can hold', call('odd name')],
    ['nothing that is asked', bash('ls'), { allow: ['Bash'] }],
  ])('are none for %s', (_what, of, rules) => {
    expect(suggested(of, rules)).toEqual([]);
  });

  it('cover the call once they are remembered', () => {
    const segment = fc.constantFrom('a', '.b', '[c]', 'd*', '\\e', 'f ', '?', '~', '!g');
    const path = fc
      .tuple(
        fc.constantFrom('/home/me/p', '/home/me', '/srv/q', '', '/x'),
        fc.array(segment, { maxLength: 3 }),
      )
      .map(([root, rest]) => `${root}/${rest.join('/')}`.replace(/(?<=.)\/$/, ''));
    const target = fc.oneof(
      fc
        .tuple(fc.boolean(), fc.array(path, { minLength: 1, maxLength: 2 }))
        .map(([reads, paths]) => (reads ? reading(...paths) : editing(...paths))),
      fc.constantFrom('ls', 'a (b)', 'x:y', 'git push').map((text) => command(text)),
      fc.constantFrom('a.org', '[::1]').map(host),
    );
    let covered = 0;
    fc.assert(
      fc.property(
        fc.array(target, { maxLength: 3 }),
        fc.constantFrom('Bash', 'Own', 'WebFetch'),
        (targets, name) => {
          const permissions = made();
          const of = call(name, targets);
          const rules = suggestRules(permissions, of, judgeRules(permissions, of));
          if (rules.length === 0 || rules.length === 5) return;
          covered++;
          permissions.remember(rules.map((rule) => ({ behavior: 'allow', rule })));
          expect([rules, judgeRules(permissions, of).behavior]).toEqual([rules, 'allow']);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(covered).toBeGreaterThan(200);
  });
});
