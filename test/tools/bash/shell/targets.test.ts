// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own

import { describe, expect, it } from 'vitest';
import type { RuleTarget } from '../../../../src/contract/permissions.js';
import { type ShellPlace, shellTargets } from '../../../../src/tools/bash/shell/index.js';

const targets = (text: string, place: Partial<ShellPlace> = {}): readonly RuleTarget[] =>
  shellTargets(text, { cwd: '/p', home: '/home/me', ...place });
const allowTexts = (text: string): readonly (string | undefined)[] =>
  targets(text).flatMap((target) => (target.type === 'command' ? [target.allowText] : []));
const formsOf = (text: string): readonly string[] =>
  targets(text).flatMap((target) => (target.type === 'command' ? target.forms : []));
const pathsOf = (text: string, place: Partial<ShellPlace> = {}): readonly string[] =>
  targets(text, place).flatMap((target) =>
    target.type === 'path' ? [`${target.access} ${target.paths.join(' = ')}`] : [],
  );
const reasonsOf = (text: string): readonly string[] =>
  targets(text).flatMap((target) => (target.type === 'unparsed' ? [target.reason] : []));

describe('the text an allow rule is compared with', () => {
  it.each([
    ['git  status', 'git status'],
    ["g\\it 'status'", 'git status'],
    ['git commit -m "a b"', 'git commit -m "a b"'],
    ['timeout -k 1 5s nice -n 3 nohup git status', 'git status'],
    ['command -p time -p ls', 'ls'],
    ['stdbuf -oL -e 0 ls', 'ls'],
    ['stdbuf -oL -eL ls', 'ls'],
    ['NODE_ENV=test LC_ALL=C npm test', 'npm test'],
    ['FOO=1 npm test', undefined],
    ['PATH=x npm test', undefined],
    ['env npm test', undefined],
    ['sudo npm test', undefined],
    ['timeout --odd 5 npm test', undefined],
    ['echo $HOME', 'echo $HOME'],
    ['node "$FILE"', undefined],
    ['node a.js "$FILE"', 'node a.js "$FILE"'],
    ['git push "$WHERE"', undefined],
    ['git log -- "$FILE"', 'git log -- "$FILE"'],
    ['gi? status', undefined],
    ['$X status', undefined],
  ])('%j: %j', (text, expected) => {
    expect(allowTexts(text)).toEqual([expected]);
  });

  it('is left out everywhere in a text that changes what names mean', () => {
    expect(allowTexts('ls; PATH=/x')).toEqual([undefined, undefined]);
    expect(allowTexts('ls() { echo a; }; ls; pwd')).toEqual(['echo a', undefined, 'pwd']);
  });
});

describe('the forms a deny rule looks through', () => {
  it.each([
    ['sudo -u me git clean', 'git clean'],
    ['env A=1 nice git clean', 'git clean'],
    ['sh -c "git clean"', 'git clean'],
    ['/usr/bin/git -C x --no-pager clean', 'git clean'],
    ['A=1 git clean', 'A=1 git clean'],
    ['A=1 git clean', 'git clean'],
    ['timeout 5 git clean', 'timeout 5 git clean'],
    ['x=clean; git $x', 'git clean'],
    ['npm exec -- git clean', 'git clean'],
  ])('of %j have %j', (text, form) => {
    expect(formsOf(text)).toContain(form);
  });

  it('do not take the words of programs that run none of them for commands', () => {
    expect(formsOf('echo git clean')).toEqual(['echo git clean']);
    expect(formsOf('git rm clean')).toEqual(['git rm clean']);
    expect(formsOf('npm run rm')).toEqual(['npm run rm']);
  });
});

describe('the files of a text', () => {
  it.each([
    ['cat a < b > c 2>> d', ['read /p/b', 'edit /p/c', 'edit /p/d', 'read /p/a']],
    ['ls 2>&1 >/dev/null 3>&- <&0', []],
    ['echo x &> ~/y', ['edit /home/me/y']],
    ['cat "$HOME/a" "$PWD/b"', ['read /home/me/a', 'read /p/b']],
    ["cat '~/a'", ['read /p/~/a']],
    ['cat ../a/./b/../c/', ['read /a/c']],
    ['cd s && cat a', ['read /p/s/a']],
    ['cd s; cat a', ['read /p/a', 'read /p/s/a']],
    ['(cd s && cat a); cat b', ['read /p/s/a', 'read /p/b']],
    ['cd s | cat a', ['read /p/a']],
    ['cd s & cat a', ['read /p/a']],
    ['cd && cat a', ['read /home/me/a']],
    ['if cd s; then cat a; fi', ['read /p/a', 'read /p/s/a']],
    ['cp -t d a b', ['edit /p/d', 'edit /p/a', 'edit /p/b']],
    ['dd if=a of=~/b', ['read /p/a', 'edit /home/me/b']],
    ['sed -i s/a/b/ c', ['edit /p/c']],
    ['cat *.ts', ['read /p/*.ts']],
    ['f=a; cat $f', ['read /p/a']],
  ])('%j: %j', (text, expected) => {
    expect(pathsOf(text)).toEqual(expected);
    expect(reasonsOf(text)).toEqual([]);
  });

  it.each([
    '> $x',
    'rm "$1"',
    'rm *.ts',
    'cd $x; cat a',
    'cat $(ls)',
    'for f in $(ls); do cat "$f"; done',
    'cd -; rm a',
  ])('%j names one that is only known when it runs', (text) => {
    expect(reasonsOf(text)).not.toEqual([]);
  });

  it('are told with the real path where that differs, asked for with `..` still in it', () => {
    const asked: string[] = [];
    const realPath = (path: string): string | undefined => {
      asked.push(path);
      return path === '/p/link/../a' ? '/elsewhere/a' : undefined;
    };
    expect(pathsOf('cat link/../a b', { realPath })).toEqual(['read /p/a = /elsewhere/a', 'read /p/b']);
    expect(asked).toEqual(['/p/link/../a', '/p/b']);
  });

  it('are those a pattern stands for, where somebody can tell', () => {
    const expand = (pattern: string): readonly string[] => [`${pattern}1`, `${pattern}2`];
    expect(pathsOf('rm s*', { expand })).toEqual(['edit /p/s*1', 'edit /p/s*2']);
  });
});

it('a text without commands has nothing to compare, one that only assigns has itself', () => {
  expect(targets('')).toEqual([]);
  expect(targets('# a')).toEqual([]);
  expect(targets('x=1')).toEqual([{ type: 'command', forms: ['x=1'], isReadOnly: true }]);
});
