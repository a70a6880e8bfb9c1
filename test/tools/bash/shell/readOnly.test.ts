// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's own

import { describe, expect, it } from 'vitest';
import {
  answeringCommand,
  exitCodeMeaning,
  isReadOnlyCommand,
} from '../../../../src/tools/bash/shell/index.js';

describe('a text that only reads', () => {
  it.each([
    'ls -la',
    'cat a | grep b | sort | uniq -c',
    'git status && git diff',
    'git log --oneline -3 > /dev/null 2>&1',
    'find . -name "*.ts" -type f',
    "sed -n '1,5p' a",
    'head -5 a; tail -5 b',
    '[ -f a ] && echo yes || echo no',
    '[[ -f a ]] && cat a',
    'for f in *.ts; do wc -l "$f"; done',
    'if test -d a; then ls a; fi',
    'cd src && ls',
    'timeout 5 rg foo',
    'LC_ALL=C sort a',
    'x=1; echo $x',
    'git branch -a',
    'git tag -l "v*"',
    'git stash list',
    'git config --get user.name',
    'sort -k2 -n a',
    'node --version',
    'echo "$(git rev-parse HEAD)"',
    'cat <<E\nx\nE',
    'set -euo pipefail; ls',
    'date +%s',
    'ls | xargs cat',
    'git show "HEAD:$f"',
  ])('%j', (text) => {
    expect(isReadOnlyCommand(text)).toBe(true);
  });

  it.each([
    '',
    '# x',
    'ls > a',
    'ls >> a',
    'ls &> a',
    'ls &',
    'nohup ls',
    'rm a',
    'ls; rm a',
    'echo $(rm a)',
    'cat <(rm a)',
    'ls || rm a',
    'find . -delete',
    'find . -exec rm {} +',
    'find . -fprint a',
    'sort -o a b',
    'sort -uo a b',
    'sort --output=a b',
    'sort --compress-program=x a',
    'git push',
    'git branch x',
    'git branch -D x',
    'git tag x',
    'git stash',
    'git diff --output=a',
    'git diff --out=a',
    'git log --ext-diff',
    'git -c core.pager=x log',
    'git -C x status',
    'git grep -Ox a',
    'git config user.name x',
    'git stash list --output=a',
    'git show $x',
    'git cat-file --filters a',
    'sed -i s/a/b/ c',
    "sed 'w a' b",
    "sed 's/a/b/w c' d",
    "sed '1e x' a",
    'sed -e1wa p',
    'sed -zf p',
    'sed -n -f x a',
    "awk '{print}' a",
    'rg --pre=x a',
    'uniq a b',
    'xxd -r a b',
    'tee a',
    'date -s x',
    'file -C',
    'env ls',
    'sudo ls',
    'sh -c ls',
    'eval ls',
    'PATH=x ls',
    'PATH=x; ls',
    'FOO=1 ls',
    'ls() { rm a; }; ls',
    'alias ls=rm; ls',
    './ls',
    '/bin/ls',
    '$x',
    'l? a',
    'coproc ls',
    'trap ls EXIT',
    '. a',
    'exec ls',
    'ls "',
    'ls\r',
    'cat $((x[$(rm a)]))',
    "[ -v 'a[$(rm a)]' ]",
    'xargs rm',
    'ls | xargs git',
    'npm test',
    'curl x',
    'printf -v PATH x; ls',
    'tree -o a',
    'PAGER=cat ls',
    ': ${PATH:=x}; ls',
    'set -a; ls',
    'shopt -s extglob; ls',
    'node a.js',
    'cat a > $x',
    'read x',
    'command rm a',
    'timeout 5 rm a',
  ])('is not %j', (text) => {
    expect(isReadOnlyCommand(text)).toBe(false);
  });
});

describe('exit code 1', () => {
  it.each([
    'grep x a',
    'grep -q x a',
    'rg x',
    'diff a b',
    'cmp a b',
    'test -f a',
    '[ -f a ]',
    '[[ -f a ]]',
    'git diff --exit-code',
    'git --no-pager grep x',
    'cat a | grep x',
    'cd src; grep x a',
    'ls\ngrep x a',
    'timeout 5 grep x a',
    'LC_ALL=C grep x a',
    'grep x a 2>/dev/null',
    'grep x a 2>&1',
    'command -v node',
    'which node',
    'git merge-base --is-ancestor a b',
  ])('of %j is an answer', (text) => {
    expect(exitCodeMeaning(text, 1)).toBe('no-match');
  });

  it.each([
    'ls a',
    'npm test',
    'grep x a && ls',
    'ls || grep x a',
    'grep x a | cat',
    'grep x a; ls',
    '! grep x a',
    'grep x a > b',
    'grep x a < b',
    'grep x a &',
    'set -e; grep x a',
    'set -o pipefail; ls | grep x',
    'exit 1; grep x a',
    '(grep x a)',
    'if ls; then grep x a; fi',
    'grep() { ls; }; grep x',
    'eval ls; grep x',
    'trap ls EXIT; grep x a',
    'git status',
    'git log',
    '$x a',
    'grep "',
    '',
    'sh -c "grep x"',
    'sudo grep x a',
    'find . -name a',
    'shopt -s x; grep a b',
  ])('of %j is an error', (text) => {
    expect(exitCodeMeaning(text, 1)).toBe('error');
  });

  it('is the only one that may be an answer, and 0 is always well', () => {
    expect(exitCodeMeaning('grep x a', 0)).toBe('ok');
    expect(exitCodeMeaning('grep x a', 2)).toBe('error');
    expect(exitCodeMeaning('ls "', 0)).toBe('ok');
    expect(exitCodeMeaning('[ a -eq b ]', 2)).toBe('error');
  });

  it('of several commands is an error where the environment may have set `-e` or `pipefail`', () => {
    expect(exitCodeMeaning('ls | grep x', 1, { preset: true })).toBe('error');
    expect(exitCodeMeaning('grep x a', 1, { preset: true })).toBe('no-match');
  });

  it('is told of by the name of the program', () => {
    expect(answeringCommand('ls | grep x')).toBe('grep');
    expect(answeringCommand('git diff --exit-code')).toBe('git diff');
    expect(answeringCommand('ls')).toBeUndefined();
  });
});
