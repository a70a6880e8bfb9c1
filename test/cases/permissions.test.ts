import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecuteToolsOptions, PermissionRules, ToolUse } from '../../src/index.js';
import { builtinTools } from '../../src/tools/index.js';
import { codes, Seen, textOf, turnOf, use } from '../engine/turns.js';
import { eventually, temporaryFolder } from '../node/processes.js';

/** The real tools in a folder of their own. */
const runIn = async (
  cwd: string,
  calls: readonly ToolUse[],
  rules: PermissionRules,
  options: Partial<ExecuteToolsOptions> = {},
  env: NodeJS.ProcessEnv = process.env,
) => {
  const tools = Object.values(builtinTools({ cwd, env }));
  const seen = new Seen(turnOf(calls, tools, { permissions: { cwd, home: homedir(), rules }, ...options }));
  expect(await eventually(() => seen.ended === 'completed', 10_000)).toBe(true);
  return seen.values;
};

describe('B47: a deny rule for a command reaches it wherever it stands in the text', () => {
  /** A folder with a `git` that writes down what it was called with, and an environment that finds it first. */
  const withGit = () => {
    const cwd = temporaryFolder();
    const bin = join(cwd, 'bin');
    const log = join(cwd, 'log');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$@" >> ${log}\n`);
    chmodSync(join(bin, 'git'), 0o755);
    return { cwd, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, ran: () => existsSync(log) };
  };
  const run = async (command: string, rules: PermissionRules) => {
    const { cwd, env, ran } = withGit();
    const events = await runIn(cwd, [use('a', 'Bash', { command })], rules, {}, env);
    return { codes: codes(events), ran: ran() };
  };
  const rules = { deny: ['Bash(git clean *)'], allow: ['Bash'] };

  const commands = [
    'git clean -fd',
    'true && git clean -fd',
    'true; git clean -fd',
    'true | git clean -fd',
    'true & git clean -fd',
    '{ git clean -fd; }',
    '(git clean -fd)',
    'if true; then git clean -fd; fi',
    'sh -c "git clean -fd"',
    `bash -c 'eval "git clean -fd"'`,
    'env X=1 nice git clean -fd',
    'timeout 5 git clean -fd',
    'echo x | xargs git clean',
    'find . -maxdepth 0 -exec git clean -fd {} +',
    'echo $(git clean -fd)',
    'echo `git clean -fd`',
    'cat <(git clean -fd)',
    `${'true; '.repeat(60)}git clean -fd`,
    'echo a\ngit clean -fd',
    'echo a\r\ngit clean -fd',
    'X=1 git clean -fd',
    'command git clean -fd',
    '\\git clean -fd',
    'g""it clean -fd',
  ];

  it.each(commands)('%j does not run', async (command) => {
    expect(await run(command, rules)).toEqual({ codes: ['a denied'], ran: false });
  });

  it('what can not be parsed is denied where nobody can be asked', async () => {
    expect(await run('echo "; git clean -fd', rules)).toEqual({ codes: ['a denied'], ran: false });
  });

  it('and what it does not name runs', async () => {
    expect(await run('git status && echo clean', rules)).toEqual({ codes: ['a ok'], ran: true });
    expect(await run('git clean -fd', { allow: ['Bash'] })).toEqual({ codes: ['a ok'], ran: true });
  });
});

// A disk that is blind to case: the real path the system answers is compared there too, so `SECRET` is `secret`; where
// case tells files apart they are two files. Likewise a backslash is a character of a name on POSIX.
describe('B48: a rule for a path is decided on what would really be touched', () => {
  const folder = () => {
    const cwd = temporaryFolder();
    for (const name of ['secret', 'secret-notes', 'x']) mkdirSync(join(cwd, name));
    for (const file of ['secret/f', 'secret-notes/f', 'x/f'])
      writeFileSync(join(cwd, file), `text of ${file}`);
    symlinkSync('secret', join(cwd, 'link'));
    symlinkSync(join(cwd, 'secret/f'), join(cwd, 'x/innocent'));
    return cwd;
  };
  const deny = { deny: ['Read(secret/**)'], allow: ['Read', 'Bash', 'Edit'] };
  const read = (file_path: string) => use('a', 'Read', { file_path });

  it.each([
    ['itself', 'secret/f'],
    ['through a link to the folder', 'link/f'],
    ['through a link to the file', 'x/innocent'],
    ['with `..`', 'x/../secret/f'],
    ['with `..` behind a link', 'link/../secret/f'],
    ['with `.` and doubled slashes', './/secret//./f'],
  ])('%s it is denied', async (_name, path) => {
    const events = await runIn(folder(), [read(path)], deny);
    expect(codes(events)).toEqual(['a denied']);
    expect(textOf(events, 'a')).not.toContain('text of');
  });

  it('by its absolute path, and by the home variable of a command, it is denied', async () => {
    const cwd = folder();
    expect(codes(await runIn(cwd, [read(join(cwd, 'secret/f'))], deny))).toEqual(['a denied']);
    const env = { ...process.env, HOME: cwd };
    for (const command of ['cat $HOME/secret/f', 'cat ~/secret/f', 'cat "$HOME"/link/f']) {
      const events = await runIn(cwd, [use('a', 'Bash', { command })], deny, {}, env);
      expect([command, codes(events)]).toEqual([command, ['a denied']]);
    }
  });

  it('a folder beside it whose name begins alike is another', async () => {
    const events = await runIn(folder(), [read('secret-notes/f')], deny);
    expect(codes(events)).toEqual(['a ok']);
    expect(textOf(events, 'a')).toContain('text of secret-notes/f');
  });

  it('an allow rule for a folder does not cover one whose name begins alike, nor a link out of it', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'x-evil'));
    writeFileSync(join(cwd, 'x-evil/f'), 'text');
    const edit = (id: string, file_path: string) =>
      use(id, 'Edit', { file_path, old_string: 'text', new_string: 'changed' });
    const calls = [
      edit('a', 'x/f'),
      edit('b', 'x-evil/f'),
      edit('c', 'x/innocent'),
      edit('d', 'x/../secret/f'),
    ];
    const events = await runIn(cwd, calls, { allow: ['Edit(x/**)'] });
    expect(codes(events)).toEqual(['a ok', 'b denied', 'c denied', 'd denied']);
  });

  const edit = use('b', 'Edit', { file_path: 'door/f', old_string: 'text', new_string: 'changed' });
  const denyEdit = { deny: ['Edit(secret/**)'], allow: ['Bash', 'Edit', 'Read'] };

  it('a link that a sibling turns is seen where it leads when the edit would run', async () => {
    const cwd = folder();
    symlinkSync('x', join(cwd, 'door'));
    const turn = use('a', 'Bash', { command: 'ln -sfn secret door' });
    const events = await runIn(cwd, [turn, edit], denyEdit);
    expect(codes(events)).toEqual(['a ok', 'b denied']);
    expect(readFileSync(join(cwd, 'secret/f'), 'utf8')).toBe('text of secret/f');
  });

  it('a link that is turned while a person is asked is looked at again before the edit runs', async () => {
    const cwd = folder();
    const door = join(cwd, 'door');
    symlinkSync('x', door);
    const canUseTool = () => {
      rmSync(door);
      symlinkSync('secret', door);
      return { behavior: 'allow' as const };
    };
    const events = await runIn(cwd, [edit], { deny: ['Edit(secret/**)'] }, { canUseTool });
    expect(codes(events)).toEqual(['b denied']);
    expect(readFileSync(join(cwd, 'secret/f'), 'utf8')).toBe('text of secret/f');
  });

  it('and where it leads elsewhere the edit runs', async () => {
    const cwd = folder();
    symlinkSync('x', join(cwd, 'door'));
    const read = use('a', 'Read', { file_path: 'door/f' });
    expect(codes(await runIn(cwd, [read, edit], denyEdit))).toEqual(['a ok', 'b ok']);
    expect(readFileSync(join(cwd, 'x/f'), 'utf8')).toBe('changed of x/f');
  });
});
