import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolEvent } from '../../src/contract/index.js';
import { LawChecker } from '../../src/engine/checkLaws.js';
import { isGroupAlive } from '../../src/node/groupSignals.js';
import { temporaryFolder } from '../node/processes.js';
import { bash, eventsOf, millrace, replyFile, replyText, root } from './command.js';

const reply = join(root, 'test/fixtures/replies/guarded-project.sse');

interface Settings {
  readonly permissions: object;
  readonly hooks: Readonly<Record<string, object[]>>;
}

const script = (command: string, rest: object = {}) => ({ type: 'command', command, ...rest });
const brokenHooks = [
  script('sh ../hookScripts/crash.sh', { if: 'Bash(crash *)' }),
  script('sh ../hookScripts/rubbish.sh', { if: 'Bash(rubbish *)' }),
  script('PID_FILE=hang.pid sh ../hookScripts/hang.sh', { if: 'Bash(hang *)', timeout: 1 }),
];

/** The settings of the fixture, with hooks that log, crash, print rubbish and hang. */
const settings = (broken: readonly object[] = brokenHooks): Settings => {
  const path = join(root, 'test/fixtures/settings/.claude/settings.json');
  const { permissions, hooks } = JSON.parse(readFileSync(path, 'utf8')) as Settings;
  const log = script('node "$CLAUDE_PROJECT_DIR"/../hookScripts/log-calls.mjs');
  const more: Readonly<Record<string, object[]>> = {
    PreToolUse: [{ hooks: [log] }, { matcher: 'Bash', hooks: broken }],
    PostToolUse: [{ hooks: [log] }],
    PostToolBatch: [{ hooks: [log] }],
  };
  const merged = Object.entries(hooks).map(([event, groups]) => [event, [...groups, ...(more[event] ?? [])]]);
  return { permissions, hooks: Object.fromEntries(merged) as Settings['hooks'] };
};

/** A project with these settings, the scripts beside it, and a secret in it; nobody's home. */
const project = (given: object = settings()) => {
  const folder = temporaryFolder();
  const dir = join(folder, 'project');
  mkdirSync(join(dir, '.claude'), { recursive: true });
  mkdirSync(join(dir, 'secrets'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(dir, 'secrets/key.txt'), 'needle\n');
  writeFileSync(join(dir, '.claude/settings.json'), JSON.stringify(given));
  cpSync(join(root, 'test/fixtures/hookScripts'), join(folder, 'hookScripts'), { recursive: true });
  const env = { HOME: join(folder, 'home') };
  return {
    dir,
    read: (name: string) => readFileSync(join(dir, name), 'utf8'),
    run: (...args: string[]) => millrace(['run', ...args], { env }),
  };
};

const completed = (events: readonly ToolEvent[]) =>
  events.flatMap((event) => (event.type === 'completed' ? [event.outcome] : []));
const results = (events: readonly ToolEvent[]) =>
  events.flatMap((event) => (event.type === 'result' ? [String(event.block.content)] : []));

/** Of each call before it, of those that ran after it, of the turn at its end. */
const expectLog = (text: string): void => {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; id?: string; calls?: string[] });
  const ids = (event: string) =>
    lines.filter((line) => line.event === event).map(({ id }) => Number(id?.replace('toolu_guarded_', '')));
  expect(ids('PreToolUse').sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(ids('PostToolUse').sort()).toEqual([1, 3, 4, 5]);
  expect(lines.at(-1)).toMatchObject({ event: 'PostToolBatch', calls: { length: 9 } });
};

describe('millrace run --settings', () => {
  it('lets hooks block, format, rewrite and log, and none that is broken decide', async () => {
    const { dir, read, run } = project();
    const options = ['--settings', dir, '--trust', '--permission-mode', 'acceptEdits'];
    const { code, stdout, stderr } = await run(reply, ...options, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const events = eventsOf(stdout);
    const laws = new LawChecker();
    for (const event of events) laws.see(event);
    laws.end();
    expect(completed(events).map((outcome) => outcome.code)).toEqual([
      // Written; blocked by its path; rewritten; searched; listed; a push that nobody can be asked about.
      ...['ok', 'hook_denied', 'ok', 'ok', 'ok', 'denied'],
      ...['hook_failed', 'hook_failed', 'hook_failed'],
    ]);
    const [written, blocked, removed, found, , pushed, crashed, rubbish, hung] = results(events);
    expect(written).toContain('Created');
    expect(read('notes.txt')).toBe('one\ntwo\nneedle\n');
    expect(blocked).toContain('The folder secrets is off limits.');
    expect(removed).toBe('would remove notes.txt\n'.trimEnd());
    expect(found).toBe('notes.txt');
    expect(pushed).toContain('`Bash(git push *)` (project settings). Nobody can be asked');
    expect(crashed).toContain('exit code 1 without a decision: guard.conf: not found');
    expect(rubbish).toContain('no JSON');
    expect(hung).toContain('no answer within its limit of 1000 ms');
    expect(isGroupAlive(Number(read('hang.pid')))).toBe(false);
    expectLog(read('calls.log'));
  });

  it('tells hooks, decisions and words for the model in the lines', async () => {
    const { dir, run } = project(settings([]));
    const { stdout } = await run(reply, '--settings', dir, '--trust');
    expect(stdout).toMatch(
      /#2 Read +hook +PreToolUse deny {2}sh \.\.\/hookScripts\/block-path\.sh: The folder/,
    );
    expect(stdout).toMatch(/#1 Write +permission +denied: nobody can be asked/);
    expect(stdout).toMatch(/#3 Bash +permission +allowed by the classifier/);
    expect(stdout).toMatch(/#5 Bash +permission +allowed by rule Bash\(ls \*\) \(project settings\)/);
    expect(stdout).toMatch(/#6 Bash +waits +hooks: for its hooks/);
    expect(stdout).toMatch(/turn +hook +PostToolBatch done {2}node/);
    expect(stdout).toContain('Removing files is only simulated here.');
    expect(stdout).not.toMatch(/hook +\w+ runs/);
  });

  it('runs no hook of a folder that is not trusted, says so, and holds its deny rules', async () => {
    const { dir, run } = project();
    const { code, stdout, stderr } = await run(
      reply,
      '--settings',
      dir,
      '--permission-mode',
      'acceptEdits',
      '--json',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('the project is not trusted, so these do not hold: hooks, permissions.allow');
    expect(existsSync(join(dir, 'calls.log'))).toBe(false);
    const events = eventsOf(stdout);
    expect(events.filter(({ type }) => type === 'hook')).toEqual([]);
    expect(completed(events)[1]).toMatchObject({ code: 'denied', by: { rule: 'Read(./secrets/**)' } });
    // The rule hides the secret from a search through the folder above it.
    expect(results(events)[3]).toBe('notes.txt');
  });

  it('asks nobody where there are hooks alone, and compares their conditions with paths of the folder', async () => {
    const command = 'echo "not here" >&2; exit 2';
    const guard = { type: 'command', command, if: 'Edit(./secrets/**)' };
    const { dir, run } = project({ hooks: { PreToolUse: [{ hooks: [guard] }] } });
    const write = (file_path: string) => ({ name: 'Write', input: { file_path, content: '' } });
    const { path } = replyFile(replyText([write('secrets/a'), write('b'), bash('touch c')]));
    const { stdout } = await run(path, '--settings', dir, '--trust', '--json');
    expect(completed(eventsOf(stdout)).map((outcome) => outcome.code)).toEqual(['hook_denied', 'ok', 'ok']);
  });

  it('uses limits of the settings', async () => {
    const env = {
      BASH_DEFAULT_TIMEOUT_MS: '200',
      CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '1',
      GREETING: 'hello',
    };
    const { dir, run } = project({ env });
    const { path } = replyFile(replyText([bash('echo "$GREETING"; sleep 30')]));
    const { stdout } = await run(path, '--settings', dir, '--trust');
    expect(stdout).toContain('hello');
    expect(stdout).toMatch(/its timeout of 200 ms/);
    expect(stdout).toContain('peak 1 of 1');
  });

  it('refuses what can not be meant, before anything runs', async () => {
    const call = replyFile(replyText([bash('touch ran')])).path;
    const rule = (text: string) => ({ permissions: { deny: [text] } });
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', if: 'Bash(' }] }] };
    const bypass = { permissions: { disableBypassPermissionsMode: 'disable' } };
    const cases = [
      [project(rule('Bash(x')), [], /permissions\.rules\[0\]\.deny\[0\].* got "Bash\(x"/],
      [project({ hooks }), ['--trust'], /hooks\.PreToolUse\[0\]\.if.* got "Bash\("/],
      [project({ permissions: 1 }), [], /settings\.json:1: `permissions`/],
      [project(bypass), ['--permission-mode', 'bypassPermissions'], /the settings disable that mode/],
      [project(), ['--cwd', root], /with --settings the tools work in the folder of the settings/],
    ] as const;
    const check = async ([{ dir, run }, options, message]: (typeof cases)[number]): Promise<void> => {
      const { code, stdout, stderr } = await run(call, '--settings', dir, ...options);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(existsSync(join(dir, 'ran'))).toBe(false);
    };
    await Promise.all(cases.map(check));
    expect(await millrace(['run', call, '--trust'])).toMatchObject({ code: 2 });
    expect(await millrace(['run', call, '--settings', '/no/such'])).toMatchObject({
      code: 2,
      stderr: 'millrace: --settings /no/such: no such folder\n',
    });
    expect(await millrace(['run', call, '--permission-mode', 'yolo'])).toMatchObject({ code: 2, stdout: '' });
  }, 60_000);
});

describe('millrace run --ask', () => {
  const calls = [
    { name: 'Write', input: { file_path: 'a.txt', content: '' } },
    bash('touch b.txt'),
    bash('ls'),
    { name: 'Glob', input: { pattern: '*.sse' } },
  ];

  it('denies what would be asked where there is no terminal, and says so', async () => {
    const { path, folder } = replyFile(replyText(calls));
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder, '--ask', '--json']);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'millrace: --ask needs a terminal to ask in: nobody can be asked, so what would be asked is denied\n',
    );
    expect(completed(eventsOf(stdout)).map((outcome) => outcome.code)).toEqual([
      'denied',
      'denied',
      'ok',
      'ok',
    ]);
    expect([existsSync(join(folder, 'a.txt')), existsSync(join(folder, 'b.txt'))]).toEqual([false, false]);
  });

  it('allows everything where nothing was asked for', async () => {
    const { path, folder } = replyFile(replyText(calls));
    const { stdout } = await millrace(['run', path, '--cwd', folder]);
    expect(stdout.match(/completed +ok/g)).toHaveLength(4);
    expect(stdout).not.toMatch(/ permission /);
  });

  it('goes by a mode that is given: plan lets nothing change', async () => {
    const { path, folder } = replyFile(replyText(calls));
    const args = ['run', path, '--cwd', folder, '--permission-mode', 'plan'];
    const { stdout } = await millrace(args);
    expect(stdout).toMatch(/#1 Write +permission +denied by mode plan/);
    expect(stdout.match(/completed +ok/g)).toHaveLength(2);
  });
});
