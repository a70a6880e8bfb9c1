import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../../src/contract/index.js';
import { matchesRule, parseRule, type RuleCall, type RuleKind } from '../../src/permissions/index.js';
import { bash, call, command, editing, host, reading, unparsed } from './calls.js';

const place = {
  option: 'rules.deny[0]',
  cwd: '/home/me/proj',
  home: '/home/me',
  base: '/etc/settings',
  additionalDirectories: ['/srv/other'],
};
const match = (text: string, of: RuleCall, kind: RuleKind = 'deny') =>
  matchesRule(parseRule(text, kind, place), of);
const allows = (text: string, of: RuleCall) => match(text, of, 'allow') === 'yes';

describe('rules of a whole tool', () => {
  it('match every use, whatever it offers to compare', () => {
    for (const text of ['Bash', 'Bash(*)', ' Bash ']) {
      for (const kind of ['allow', 'deny', 'ask', 'if'] as const) {
        expect(match(text, bash('rm -rf /'), kind)).toBe('yes');
        expect(match(text, call('Bash'), kind)).toBe('yes');
        expect(match(text, call('Bash', [unparsed]), kind)).toBe('yes');
        expect(match(text, call('BashOutput'), kind)).toBe('no');
      }
    }
  });

  it('hold for a tool that had the name formerly', () => {
    expect(match('Shell(git *)', call(['Bash', 'Shell'], [command('git push')]))).toBe('yes');
    expect(match('Shell', call(['Bash', 'Shell']))).toBe('yes');
    expect(allows('Shell', call(['Bash', 'Shell']))).toBe(true);
  });

  it('reach all tools of a server by its name', () => {
    for (const text of ['mcp__github', 'mcp__github__*']) {
      expect(allows(text, call('mcp__github__get_issue'))).toBe(true);
      expect(allows(text, call('mcp__githubber__get_issue'))).toBe(false);
    }
    expect(allows('mcp__github__get_*', call('mcp__github__get_issue'))).toBe(true);
    expect(allows('mcp__github__get_*', call('mcp__github__drop_issue'))).toBe(false);
  });

  it('take stars anywhere in a name to deny or ask, and only behind a server to allow', () => {
    expect(match('mcp__*', call('mcp__x__y'))).toBe('yes');
    expect(match('*', call('Anything'))).toBe('yes');
    expect(match('Web*', call('WebSearch'), 'ask')).toBe('yes');
    for (const text of ['*', 'Web*', 'mcp__*', 'mcp__*__read', 'mcp__git*__read']) {
      expect(() => parseRule(text, 'allow', place)).toThrow(InvalidOptionError);
    }
  });
});

describe('rules of shell commands', () => {
  it.each([
    ['Bash(npm test)', ['npm test'], ['npm test x', 'npm', 'xnpm test']],
    ['Bash(git:*)', ['git', 'git push -f'], ['gitk', 'git-x', 'sudo git']],
    ['Bash(git *)', ['git', 'git push -f'], ['gitk', 'git-x']],
    ['Bash(ls*)', ['ls', 'lsof', 'ls -la'], ['l', 'als']],
    ['Bash(npm run test:*)', ['npm run test', 'npm run test -- x'], ['npm run test:unit']],
    ['Bash(git * main)', ['git push origin main', 'git  main'], ['git main', 'git push main x']],
    ['Bash(git * main *)', ['git push main', 'git push main x'], ['git push mainly']],
    ['Bash(* --version)', ['node --version', 'a b --version'], ['--version']],
    ['Bash(echo (a))', ['echo (a)'], ['echo a']],
    ['Bash(grep .*x)', ['grep .ax', 'grep .x'], ['grep ax']],
  ])('%s', (text, matching, others) => {
    for (const kind of ['allow', 'deny'] as const) {
      for (const each of matching) expect([each, match(text, bash(each), kind)]).toEqual([each, 'yes']);
      for (const each of others) expect([each, match(text, bash(each), kind)]).toEqual([each, 'no']);
    }
  });

  it('deny by any part, allow only by all', () => {
    expect(match('Bash(git clean:*)', bash('a', 'git clean -fd'))).toBe('yes');
    expect(allows('Bash(git *)', bash('git status', 'rm x'))).toBe(false);
    expect(allows('Bash(git *)', bash('git status', 'git log'))).toBe(true);
  });

  it('deny by every form of a part, and allow by the one text that is offered for it', () => {
    const sudo: RuleCall = call('Bash', [
      { type: 'command', forms: ['sudo rm x', 'rm x'], isReadOnly: false },
    ]);
    expect(match('Bash(rm:*)', sudo)).toBe('yes');
    expect(match('Bash(sudo:*)', sudo)).toBe('yes');
    expect(allows('Bash(rm:*)', sudo)).toBe(false);
    expect(allows('Bash(sudo:*)', sudo)).toBe(false);
  });

  it("can't be excluded where a part could not be looked into, or nothing is offered", () => {
    expect(match('Bash(rm:*)', call('Bash', [command('ls'), unparsed]))).toBe('unknown');
    expect(match('Bash(rm:*)', call('Bash', [command('rm x'), unparsed]))).toBe('yes');
    expect(match('Bash(rm:*)', call('Bash'), 'if')).toBe('unknown');
    expect(match('Bash(rm:*)', call('Read', [unparsed]))).toBe('no');
    expect(allows('Bash(ls)', call('Bash', [command('ls'), unparsed]))).toBe(false);
    expect(allows('Bash(rm:*)', call('Bash'))).toBe(false);
  });

  it('leave a redirect to the rules of files', () => {
    const redirect = call('Bash', [command('echo a'), editing('/home/me/proj/out')]);
    expect(allows('Bash(echo *)', redirect)).toBe(false);
    expect(match('Edit(out)', redirect)).toBe('yes');
    expect(match('Edit(other)', redirect)).toBe('no');
    expect(match('Edit(other)', call('Bash', [unparsed]))).toBe('unknown');
  });

  it('cost no more for many stars', () => {
    const stars = parseRule(`Bash(${'*a'.repeat(2_000)}*b)`, 'deny', place);
    expect(matchesRule(stars, bash('a'.repeat(100_000)))).toBe('no');
    const path = parseRule(`Read(${'*a'.repeat(200)}b)`, 'deny', place);
    expect(matchesRule(path, call('Read', [reading(`/home/me/proj/${'a'.repeat(5_000)}`)]))).toBe('no');
    const deep = parseRule(`Read(${'**/a/'.repeat(200)}b)`, 'deny', place);
    expect(matchesRule(deep, call('Read', [reading(`/home/me/proj${'/a'.repeat(5_000)}`)]))).toBe('no');
  });
});

describe('rules of files', () => {
  const proj = '/home/me/proj';
  it.each([
    ['Read(//etc/*.conf)', ['/etc/a.conf'], ['/etc/x/a.conf', `${proj}/etc/a.conf`]],
    ['Read(~/.ssh/**)', ['/home/me/.ssh/id', '/home/me/.ssh'], ['/home/you/.ssh/id', '/home/me/.sshx']],
    ['Read(/local/*.json)', ['/etc/settings/local/a.json'], [`${proj}/local/a.json`]],
    ['Read(./secrets/**)', [`${proj}/secrets/a/b`], [`${proj}/secrets-not/a`, `${proj}/x/secrets/a`]],
    ['Read(./a/../b)', [`${proj}/b`], [`${proj}/a/b`]],
    ['Read(../up)', ['/home/me/up'], [`${proj}/up`]],
    ['Read(./[a-c]?.ts)', [`${proj}/ax.ts`], [`${proj}/dx.ts`, `${proj}/a.ts`, `${proj}/a/.ts`]],
    ['Read(./[!a]\\*)', [`${proj}/b*`], [`${proj}/a*`, `${proj}/bb`]],
    ['Read(./[]a])', [`${proj}/]`, `${proj}/a`], [`${proj}/b`, `${proj}/a]`]],
    ['Read(./a/**/b)', [`${proj}/a/b`, `${proj}/a/x/y/b`], [`${proj}/ab`, `${proj}/a/xb`]],
  ])('%s', (text, matching, others) => {
    for (const kind of ['allow', 'deny'] as const) {
      for (const path of matching)
        expect([path, match(text, call('Read', [reading(path)]), kind)]).toEqual([path, 'yes']);
      for (const path of others)
        expect([path, match(text, call('Read', [reading(path)]), kind)]).toEqual([path, 'no']);
    }
  });

  it('deny a bare pattern at any depth of the working directories, and allow it below cwd only', () => {
    for (const path of [`${proj}/keys/a`, `${proj}/x/keys/a`, '/srv/other/x/keys/a']) {
      expect(match('Read(keys/**)', call('Read', [reading(path)]))).toBe('yes');
    }
    expect(match('Read(proj/**)', call('Read', [reading(`${proj}/a`)]))).toBe('no');
    expect(match('Read(keys/**)', call('Read', [reading('/keys/a')]))).toBe('no');
    expect(allows('Read(keys/**)', call('Read', [reading(`${proj}/keys/a`)]))).toBe(true);
    expect(allows('Read(keys/**)', call('Read', [reading(`${proj}/x/keys/a`)]))).toBe(false);
    expect(allows('Edit(*.ts)', call('Edit', [editing(`${proj}/x/a.ts`)]))).toBe(true);
    expect(allows('Edit(*.ts)', call('Edit', [editing('/srv/other/a.ts')]))).toBe(false);
  });

  it('deny what lies below a match, and allow it only where the folder is named', () => {
    expect(match('Read(.env*)', call('Read', [reading(`${proj}/.env.d/a`)]))).toBe('yes');
    expect(allows('Edit(src/)', call('Edit', [editing(`${proj}/src/a/b`)]))).toBe(true);
    expect(allows('Edit(./*)', call('Edit', [editing(`${proj}/a`)]))).toBe(true);
    expect(allows('Edit(./*)', call('Edit', [editing(`${proj}/a/b`)]))).toBe(false);
  });

  it('deny a link by its name or by what it leads to, and allow it by both only', () => {
    const link = call('Read', [reading(`${proj}/src/link`, '/etc/passwd')]);
    expect(match('Read(//etc/**)', link)).toBe('yes');
    expect(match('Read(./src/link)', link)).toBe('yes');
    expect(allows('Read(./src/**)', link)).toBe(false);
    expect(allows('Read(//**)', link)).toBe(true);
  });

  it('hold for every tool that changes a file', () => {
    for (const name of ['Write', 'NotebookEdit', 'Bash', 'Mine']) {
      expect(match('Edit(src/**)', call(name, [editing(`${proj}/src/a`)]))).toBe('yes');
      expect(match('Edit', call(name, [editing('/x')]))).toBe('yes');
      expect(match('Edit(src/**)', call(name, [reading(`${proj}/src/a`)]))).toBe('no');
    }
    expect(allows('Edit(src/**)', call('Write', [editing(`${proj}/src/a`)]))).toBe(true);
    expect(allows('Read(src/**)', call('Grep', [reading(`${proj}/src`)]))).toBe(true);
  });

  it('of what may not be read forbid to change it, while reading allows no change', () => {
    const edit = call('Edit', [editing(`${proj}/.env`)]);
    expect(match('Read(.env)', edit)).toBe('yes');
    expect(match('Read(.env)', edit, 'ask')).toBe('yes');
    expect(match('Read(.env)', edit, 'if')).toBe('no');
    expect(allows('Read(.env)', edit)).toBe(false);
    expect(allows('Edit(.env)', call('Read', [reading(`${proj}/.env`)]))).toBe(false);
  });

  it('count upper and lower case, and compare by segment', () => {
    expect(match('Read(./proj)', call('Read', [reading(`${proj}/proj-evil/f`)]))).toBe('no');
    expect(match('Read(./Secret)', call('Read', [reading(`${proj}/secret`)]))).toBe('no');
  });

  it("can't be excluded where the tool itself offers no path", () => {
    expect(match('Read(.env)', call('Read'))).toBe('unknown');
    expect(match('Read(.env)', call('Other'))).toBe('no');
  });

  it('compare paths of Windows by segment', () => {
    expect(match('Read(C:/Users/**)', call('Read', [reading('C:/Users/me')]))).toBe('yes');
    expect(match('Read(//C:/Users/**)', call('Read', [reading('C:/Users/me')]))).toBe('yes');
  });

  it('for `Write` never match, and say what to write', () => {
    const rule = parseRule('Write(src/**)', 'deny', place);
    expect(matchesRule(rule, call('Write', [editing(`${proj}/src/a`)]))).toBe('no');
    expect(rule.warning).toContain('Edit(src/**)');
    expect(match('Write(*)', call('Write', [editing('/x')]))).toBe('yes');
  });

  it('hold for a tool nobody knows by the paths it offers', () => {
    expect(match('Glob(keys/**)', call('Glob', [reading(`${proj}/keys`)]))).toBe('yes');
    expect(match('Glob(keys/**)', call('Grep', [reading(`${proj}/keys`)]))).toBe('no');
    expect(match('Glob(keys/**)', call('Glob'))).toBe('unknown');
    expect(match('Glob([keys)', call('Glob', [reading(`${proj}/keys`)]))).toBe('unknown');
    expect(allows('Glob([keys)', call('Glob', [reading(`${proj}/keys`)]))).toBe(false);
    expect(allows('Glob(keys/**)', call('Glob', [reading(`${proj}/keys/a`)]))).toBe(true);
  });
});

describe('rules of hosts', () => {
  it.each([
    [
      'WebFetch(domain:example.com)',
      ['example.com', 'EXAMPLE.com.'],
      ['a.example.com', 'example.com.evil.org'],
    ],
    ['WebFetch(domain:*.example.com)', ['a.example.com', 'a.b.example.com'], ['example.com', 'xexample.com']],
    ['WebFetch(domain:*)', ['anything.org'], []],
    ['WebFetch(domain:[::1])', ['[::1]'], ['[::2]']],
    ['WebFetch(domain:Bücher.example)', ['xn--bcher-kva.example'], ['bucher.example']],
    ['WebFetch(domain:127.1)', ['127.0.0.1'], ['127.1.0.0']],
  ])('%s', (text, matching, others) => {
    for (const kind of ['allow', 'deny'] as const) {
      for (const each of matching) expect(match(text, call('WebFetch', [host(each)]), kind)).toBe('yes');
      for (const each of others) expect(match(text, call('WebFetch', [host(each)]), kind)).toBe('no');
    }
  });

  it('forbid a host to every tool, and allow it to the named one', () => {
    expect(match('WebFetch(domain:evil.org)', call('Http', [host('evil.org')]))).toBe('yes');
    expect(allows('WebFetch(domain:good.org)', call('Http', [host('good.org')]))).toBe(false);
    expect(match('WebFetch(domain:evil.org)', call('WebFetch'))).toBe('unknown');
  });
});

describe('rules of members of the input', () => {
  it('look at what was written and at what the schema made of it', () => {
    expect(match('Agent(model:opus)', call('Agent', [], { model: 'opus' }))).toBe('yes');
    expect(match('Agent(model:opus)', call('Agent', [], {}, { model: 'opus' }))).toBe('yes');
    expect(match('Agent(model:opus)', call('Agent', [], { model: 'opus' }, { model: 'haiku' }))).toBe('yes');
    expect(match('Agent(model:opus)', call('Agent', [], { model: 'haiku' }))).toBe('no');
    expect(match('Agent(model:o*)', call('Agent', [], { model: 'opus' }))).toBe('yes');
  });

  it('compare scalars of the top level as text, and never what is inherited', () => {
    expect(
      match('Bash(run_in_background:true)', call('Bash', [command('x')], { run_in_background: true })),
    ).toBe('yes');
    expect(match('X(n:1)', call('X', [], { n: 1 }))).toBe('yes');
    expect(match('X(n:1)', call('X', [], { n: [1] }))).toBe('no');
    expect(match('X(n:1)', call('X', [], { o: { n: 1 } }))).toBe('no');
    expect(match('X(n:1)', call('X', [], Object.create({ n: 1 })))).toBe('no');
    expect(match('X(n:1)', call('X', [], 'n'))).toBe('no');
  });

  it('are no reason to allow', () => {
    expect(() => parseRule('Agent(model:opus)', 'allow', place)).toThrow(/deny and ask/);
    expect(() => parseRule('mcp__x__y(a b)', 'allow', place)).toThrow(InvalidOptionError);
  });

  it('name agents and skills', () => {
    const explore = call('Agent', [], { subagent_type: 'Explore' });
    expect(match('Agent(Explore)', explore)).toBe('yes');
    expect(match('Agent(Other)', explore)).toBe('no');
    expect(allows('Agent(Explore)', explore)).toBe(true);
    expect(allows('Skill(review *)', call('Skill', [], { skill: 'review', args: '42' }))).toBe(true);
    expect(allows('Skill(review)', call('Skill', [], { skill: 'review', args: '42' }))).toBe(false);
  });
});

describe('a rule that cannot be understood', () => {
  it.each([
    '',
    '(x)',
    'Bash()',
    'Bash( )',
    'Bash(x',
    'Bash x',
    'Bash(x) y',
    'Read(!a)',
    'Read([a)',
    'Read(a\\)',
    'Read(**/../a)',
    'WebFetch(https://example.com)',
    'WebFetch(domain:)',
    'WebFetch(domain:https://a.b)',
    'WebFetch(domain:a.b:80)',
    'WebFetch(domain:*.*)',
    'WebFetch(domain:a@b.c)',
    'WebFetch(domain:1.2.3.4.5)',
    'WebFetch(domain:*.1.2.3.4.5)',
    'WebFetch(domain:a..b c)',
  ])('is refused, naming its place: %s', (text) => {
    for (const kind of ['allow', 'deny', 'ask', 'if'] as const) {
      expect(() => parseRule(text, kind, place)).toThrow(/rules\.deny\[0\]/);
    }
  });

  it('is refused where the folder it starts from is not known', () => {
    const nowhere = { option: 'if' };
    for (const text of ['Read(a)', 'Read(./a)', 'Read(/a)', 'Edit(~/a)']) {
      expect(() => parseRule(text, 'deny', nowhere)).toThrow(/`if`.*(cwd|home)/);
    }
    expect(() => parseRule('Read(//a)', 'deny', nowhere)).not.toThrow();
    expect(() => parseRule(7 as never, 'deny', nowhere)).toThrow(InvalidOptionError);
  });
});
