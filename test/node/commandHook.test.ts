import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lastValueFrom, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Hook, HookEventName } from '../../src/contract/hooks.js';
import { askPreToolUse, type PreToolUseVerdict, readHooks } from '../../src/hooks/index.js';
import { type CommandHookOptions, commandHook } from '../../src/node/commandHook.js';
import { call } from '../hooks/rounds.js';
import { answerOf, inputOf, realHost } from './hookInputs.js';
import { eventually, groupExists, temporaryFolder } from './processes.js';

const scripts = resolve('test/fixtures/hookScripts');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const script = (name: string): string => {
  const program = name.endsWith('.mjs') ? 'node' : name.endsWith('.py') ? 'python3' : 'sh';
  return `${program} ${join(scripts, name)}`;
};
const hookOf = (
  event: HookEventName,
  command: string,
  options: Partial<CommandHookOptions> = {},
): Hook<HookEventName> => commandHook(event, { cwd: temporaryFolder(), command, ...options } as never);
const saying = (event: HookEventName, shell: string): Promise<unknown> =>
  answerOf(hookOf(event, shell), inputOf(event));
const echo = (json: unknown, exit = 0): string => `echo '${JSON.stringify(json)}'; exit ${exit}`;
const specific = (hookEventName: string, members: object) => ({
  hookSpecificOutput: { hookEventName, ...members },
});

/** Asks through the runner, so that limits and cancellation hold. */
const verdictOf = (hook: Hook<HookEventName>): Promise<PreToolUseVerdict> =>
  new Promise((done) => {
    const hooks = readHooks({ PreToolUse: [hook as Hook<'PreToolUse'>] }, 'hooks')?.PreToolUse ?? [];
    askPreToolUse(hooks, call, realHost(), done);
  });

describe('what a command hook reads', () => {
  const heard = async (event: HookEventName, input?: unknown, name?: string, more?: object) => {
    const cwd = temporaryFolder();
    const session = { id: 's1', transcriptPath: '/t.jsonl', fields: { effort: 'low' } };
    const hook = hookOf(event, 'cat > heard', { cwd, session });
    await answerOf(hook, inputOf(event, input, name, more));
    return { cwd, json: JSON.parse(readFileSync(join(cwd, 'heard'), 'utf8')) as Record<string, unknown> };
  };

  it('is the public JSON of its event', async () => {
    const { cwd, json } = await heard('PreToolUse');
    expect(json).toEqual({
      session_id: 's1',
      transcript_path: '/t.jsonl',
      effort: 'low',
      cwd,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 't1',
    });
  });

  it.each<[HookEventName, object]>([
    [
      'PermissionRequest',
      {
        permission_suggestions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent: 'ls *' }, { toolName: 'Read' }],
            behavior: 'allow',
            destination: 'session',
          },
        ],
      },
    ],
    ['PostToolUse', { tool_use_id: 't1', tool_response: { exitCode: 0 }, duration_ms: 12 }],
    ['PostToolUseFailure', { tool_use_id: 't1', error: 'Exit code 1', is_interrupt: false, duration_ms: 12 }],
    [
      'PostToolBatch',
      {
        tool_calls: [
          { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1', tool_response: 'out' },
        ],
      },
    ],
  ])('has the members of %s', async (event, members) => {
    const { json } = await heard(event);
    expect(json).toMatchObject({ hook_event_name: event, ...members });
    expect('tool_use_id' in json).toBe(!['PermissionRequest', 'PostToolBatch'].includes(event));
  });

  it('has absolute file paths, and the input stays as it was', async () => {
    const input = { file_path: 'a/../b.txt', path: '/abs', notebook_path: 7, content: 'rel' };
    const { cwd, json } = await heard('PreToolUse', input, 'Write');
    expect(json.tool_input).toEqual({ ...input, file_path: join(cwd, 'b.txt') });
    expect(input.file_path).toBe('a/../b.txt');
  });

  it('leaves out the middle of a long error, with the count', async () => {
    const { json } = await heard('PostToolUseFailure', {}, 'Bash', { error: `a${'x'.repeat(20_000)}z` });
    const error = json.error as string;
    expect(error.length).toBeLessThan(10_100);
    expect(error).toMatch(/^ax+\n\[… 10002 characters left out …\]\nx+z$/);
  });

  it('survives output that JSON can not say', async () => {
    const output: Record<string, unknown> = { big: 1n };
    output.self = output;
    const { json } = await heard('PostToolUse', {}, 'Bash', { output });
    expect(json.tool_response).toEqual({ big: '1', self: '[circular]' });
  });

  it('may be left unread, however long it is', async () => {
    const input = { command: 'x'.repeat(2_000_000) };
    expect(await answerOf(hookOf('PreToolUse', 'exit 0'), inputOf('PreToolUse', input))).toBeUndefined();
  });
});

describe('where a command hook runs', () => {
  it('in its folder, with the project told and the rest of the environment', async () => {
    const cwd = temporaryFolder();
    const shell = `echo "$CLAUDE_PROJECT_DIR|$OWN|\${PATH:+path}|$PWD" > env`;
    await answerOf(
      hookOf('PreToolUse', shell, { cwd, projectDir: '/project', env: { OWN: '1' } }),
      inputOf('PreToolUse'),
    );
    expect(readFileSync(join(cwd, 'env'), 'utf8')).toBe(`/project|1|path|${cwd}\n`);
  });

  it('without a terminal', async () => {
    expect(await saying('PostToolBatch', '(: < /dev/tty) 2>/dev/null && exit 2; exit 0')).toBeUndefined();
  });

  it('without a shell where it has arguments: nothing is expanded but the project', async () => {
    const cwd = temporaryFolder();
    const write = 'require("fs").writeFileSync("args", JSON.stringify(process.argv.slice(1)))';
    const args = ['-e', write, '$HOME *', `\${CLAUDE_PROJECT_DIR}/x`];
    await answerOf(hookOf('PreToolUse', process.execPath, { cwd, args }), inputOf('PreToolUse'));
    expect(JSON.parse(readFileSync(join(cwd, 'args'), 'utf8'))).toEqual(['$HOME *', `${cwd}/x`]);
  });
});

describe('exit code 0', () => {
  it.each(['exit 0', 'echo all is well', 'echo; echo "[1]"'])(
    'without JSON is no opinion: %s',
    async (shell) => {
      expect(await saying('PreToolUse', shell)).toBeUndefined();
    },
  );

  it('with JSON decides, whatever stands before the brace and whatever members it has', async () => {
    const json = {
      ...specific('PreToolUse', {
        permissionDecision: 'ask',
        permissionDecisionReason: 'why',
        updatedInput: { command: 'b' },
        additionalContext: 'context',
        later: 1,
      }),
      suppressOutput: true,
      continue: false,
      stopReason: 'enough',
      systemMessage: null,
    };
    expect(await saying('PreToolUse', `echo; ${echo(json)}`)).toEqual({
      decision: 'ask',
      reason: 'why',
      updatedInput: { command: 'b' },
      additionalContext: 'context',
      continue: false,
      stopReason: 'enough',
    });
  });

  it.each([
    [
      { decision: 'approve', reason: 'r' },
      { decision: 'allow', reason: 'r' },
    ],
    [
      { decision: 'block', reason: 'r' },
      { decision: 'deny', reason: 'r' },
    ],
    [{ decision: 'block', ...specific('PreToolUse', { permissionDecision: 'allow' }) }, { decision: 'deny' }],
    [
      { decision: 'approve', ...specific('PreToolUse', { permissionDecision: 'deny' }) },
      { decision: 'deny' },
    ],
  ])('takes the older form: %j', async (json, answer) => {
    expect(await saying('PreToolUse', echo(json))).toEqual(answer);
  });

  it.each([
    ['{"decision": "allow"', 'is no JSON'],
    ['{"decision": "maybe"}', 'decision'],
    ['{"permissionDecision": "deny"}', 'belongs into `hookSpecificOutput`'],
    ['{"continue": "no"}', 'continue'],
    ['{"hookSpecificOutput": {"permissionDecision": "perhaps"}}', 'hookSpecificOutput.permissionDecision'],
    ['{"hookSpecificOutput": {"updatedInput": null}}', 'hookSpecificOutput.updatedInput'],
    ['{"hookSpecificOutput": {"updatedInput": [1]}}', 'hookSpecificOutput.updatedInput'],
    ['{"hookSpecificOutput": {"hookEventName": "Stop"}}', 'hookSpecificOutput.hookEventName'],
  ])('with JSON that does not fit is a failure: %s', async (stdout, why) => {
    await expect(saying('PreToolUse', `printf %s '${stdout}'`)).rejects.toThrow(why);
  });

  it('with JSON that is longer than is read is a failure', async () => {
    const shell = `printf '{"systemMessage":"'; head -c 1100000 /dev/zero | tr '\\0' x; printf '"}'`;
    await expect(saying('PreToolUse', shell)).rejects.toThrow('it printed more than is read');
  });
});

describe('exit code 2', () => {
  it.each<[string, string]>([
    ['echo no >&2; exit 2', 'no'],
    ['exit 2', 'It exited with code 2 and gave no reason.'],
    ['echo "{rubbish"; echo why >&2; exit 2', 'why'],
    [
      echo(specific('PreToolUse', { permissionDecision: 'allow' }), 2),
      'It exited with code 2 and gave no reason.',
    ],
    [`echo stderr >&2; ${echo({ decision: 'approve', reason: 'json' }, 2)}`, 'json'],
  ])('blocks a call whatever the JSON says: %s', async (shell, reason) => {
    expect(await saying('PreToolUse', shell)).toEqual({ decision: 'deny', reason });
  });

  it('takes no rewriting along, but every other word', async () => {
    const json = {
      continue: false,
      ...specific('PreToolUse', { updatedInput: { command: 'x' }, additionalContext: 'context' }),
    };
    expect(await saying('PreToolUse', echo(json, 2))).toEqual({
      decision: 'deny',
      reason: 'It exited with code 2 and gave no reason.',
      continue: false,
      additionalContext: 'context',
    });
  });

  it('tells the model after a call, and stops the loop after a batch', async () => {
    const shell = 'echo why >&2; exit 2';
    expect(await saying('PostToolUse', shell)).toEqual({ decision: 'block', reason: 'why' });
    expect(await saying('PostToolBatch', shell)).toEqual({ decision: 'block', reason: 'why' });
    expect(await saying('PostToolUseFailure', shell)).toEqual({ additionalContext: 'why' });
  });

  it('is no answer to a permission request: its JSON is, and without it, it has failed', async () => {
    const json = specific('PermissionRequest', { decision: { behavior: 'deny', message: 'm' } });
    expect(await saying('PermissionRequest', echo(json, 2))).toEqual({ decision: 'deny', message: 'm' });
    await expect(saying('PermissionRequest', 'echo why >&2; exit 2')).rejects.toThrow(
      /exit code 2 is no answer.*why/,
    );
  });
});

describe('any other exit code', () => {
  it('is ignored where the JSON decides', async () => {
    const json = specific('PreToolUse', { permissionDecision: 'allow' });
    expect(await saying('PreToolUse', echo(json, 1))).toEqual({ decision: 'allow' });
  });

  it.each<[string, string]>([
    ['echo broken >&2; exit 1', 'exit code 1 without a decision: broken'],
    ['exit 7', 'exit code 7 without a decision'],
    [echo({ systemMessage: 'm' }, 1), 'exit code 1 without a decision'],
    ['no-such-program-here', 'exit code 127'],
    ['kill -9 $$', 'ended by SIGKILL'],
  ])('without a decision is a failure: %s', async (shell, why) => {
    await expect(saying('PreToolUse', shell)).rejects.toThrow(why);
  });

  it('keeps a wish to stop, and refuses the call for it', async () => {
    const json = { continue: false, stopReason: 'broken disk' };
    const ending = 'The hook ended with exit code 1 without a decision.';
    const answer = { continue: false, stopReason: 'broken disk', decision: 'deny' };
    expect(await saying('PreToolUse', echo(json, 1))).toEqual({ ...answer, reason: ending });
    expect(await saying('PermissionRequest', echo(json, 1))).toEqual({ ...answer, message: ending });
  });

  it('with JSON is an answer of those that only observe', async () => {
    expect(await saying('PostToolUse', echo({ systemMessage: 'm' }, 1))).toEqual({ systemMessage: 'm' });
    await expect(saying('PostToolUse', 'exit 1')).rejects.toThrow('exit code 1');
  });

  it('and a program that can not be started are failures', async () => {
    const hook = hookOf('PreToolUse', '/no/such/program', { args: [] });
    await expect(answerOf(hook, inputOf('PreToolUse'))).rejects.toThrow(
      'not started. The program /no/such/program was not found.',
    );
    const nowhere = hookOf('PreToolUse', 'exit 0', { cwd: '/no/such/folder' });
    await expect(answerOf(nowhere, inputOf('PreToolUse'))).rejects.toThrow(
      'The working directory /no/such/folder',
    );
  });
});

describe('JSON of the other events', () => {
  it('answers a permission request, with rules to remember and what can not be done told', async () => {
    const decision = {
      behavior: 'allow',
      updatedInput: { command: 'b' },
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'a' }, { toolName: 'Read' }],
          behavior: 'allow',
        },
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        { type: 'removeRules', rules: [], behavior: 'deny' },
      ],
    };
    expect(await saying('PermissionRequest', echo(specific('PermissionRequest', { decision })))).toEqual({
      decision: 'allow',
      updatedInput: { command: 'b' },
      updatedPermissions: [
        { type: 'addRules', behavior: 'allow', rule: 'Bash(a)' },
        { type: 'addRules', behavior: 'allow', rule: 'Read' },
        { type: 'setMode', mode: 'acceptEdits' },
      ],
      systemMessage: 'The hook’s removeRules is not supported and was not done.',
    });
    const without = { decision: 'approve' };
    await expect(saying('PermissionRequest', echo(without))).rejects.toThrow('belongs into');
  });

  it('replaces an output, that of an MCP tool by its own member too', async () => {
    const shell = echo(specific('PostToolUse', { updatedMCPToolOutput: 'new' }));
    const hook = hookOf('PostToolUse', shell);
    expect(await answerOf(hook, inputOf('PostToolUse', {}, 'mcp__a__b'))).toEqual({
      updatedToolOutput: 'new',
    });
    expect(await answerOf(hook, inputOf('PostToolUse'))).toEqual({});
    const own = {
      decision: 'block',
      reason: 'r',
      ...specific('PostToolUse', { updatedToolOutput: { a: 1 } }),
    };
    expect(await saying('PostToolUse', echo(own))).toEqual({
      decision: 'block',
      reason: 'r',
      updatedToolOutput: { a: 1 },
    });
  });
});

describe('a command hook in a round', () => {
  it.each(['crash.sh', 'rubbish.sh'])(
    '%s blocks the call, and lets it pass where that is declared',
    async (name) => {
      const closed = await verdictOf(hookOf('PreToolUse', script(name), { name }));
      expect(closed).toMatchObject({ decision: 'failed', by: name });
      const open = await verdictOf(hookOf('PreToolUse', script(name), { onFailure: 'continue' }));
      expect(open.decision).toBeUndefined();
      expect(open.failures).toHaveLength(1);
    },
  );

  const pidIn = async (file: string): Promise<number> => {
    expect(await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '')).toBe(true);
    return Number(readFileSync(file, 'utf8'));
  };

  it('that hangs is ended with its whole group when its time is over, TERM or not', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const options = { timeoutMs: 400, killAfterMs: 50, env: { PID_FILE: pidFile }, name: 'slow' };
    const verdict = await verdictOf(hookOf('PreToolUse', `exec ${script('hang.sh')}`, options));
    expect(verdict).toMatchObject({
      decision: 'failed',
      by: 'slow',
      reason: 'it gave no answer within its limit of 400 ms',
    });
    const group = await pidIn(pidFile);
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('that is not wanted any more is ended', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const hook = hookOf('PreToolUse', `exec ${script('hang.sh')}`, {
      killAfterMs: 50,
      env: { PID_FILE: pidFile },
    });
    const running = (hook.run(inputOf('PreToolUse') as never) as Observable<unknown>).subscribe();
    const group = await pidIn(pidFile);
    running.unsubscribe();
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('that leaves a child with its output answers all the same, and the child is ended', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const options = { env: { PID_FILE: pidFile } };
    const verdict = await verdictOf(hookOf('PreToolUse', `exec ${script('background-child.sh')}`, options));
    expect(verdict.warnings.map(({ text }) => text)).toEqual(['answered']);
    const group = await pidIn(pidFile);
    expect(await eventually(() => !groupExists(group))).toBe(true);
  });

  it('has its long context cut with the count', async () => {
    const json = specific('PreToolUse', { additionalContext: 'x'.repeat(12_000) });
    const { contexts } = await verdictOf(hookOf('PreToolUse', echo(json)));
    expect(contexts[0]?.text).toContain('[… 2000 of 12000 characters left out …]');
  });
});

describe('a command hook that has ended', () => {
  it('leaves no listener and no handle behind', async () => {
    const left = () => [
      process.listenerCount('exit'),
      process.listenerCount('SIGTERM'),
      process.getActiveResourcesInfo().filter((kind) => /Pipe|Process/.test(kind)).length,
    ];
    const before = left();
    for (const shell of ['exit 0', 'exit 1', 'exec cat']) {
      await answerOf(hookOf('PostToolUse', shell), inputOf('PostToolUse')).catch(() => undefined);
    }
    // Not the same: what a test before this one has started may end meanwhile.
    expect(await eventually(() => left().every((count, i) => count <= (before[i] ?? 0)))).toBe(true);
  });
});

describe('identical command hooks', () => {
  const run = async (...hooks: Hook<HookEventName>[]): Promise<number> => {
    const ready = readHooks({ PreToolUse: hooks as Hook<'PreToolUse'>[] }, 'hooks')?.PreToolUse ?? [];
    const verdict = await new Promise<PreToolUseVerdict>((done) =>
      askPreToolUse(ready, call, realHost(), done),
    );
    return verdict.warnings.length;
  };
  const cwd = temporaryFolder;
  const command = echo({ systemMessage: 'ran' });

  it('run once, and other arguments make another hook', async () => {
    const at = cwd();
    const twin = () => hookOf('PreToolUse', command, { cwd: at });
    expect(await run(twin(), twin())).toBe(1);
    const other = hookOf('PreToolUse', '/bin/sh', { cwd: at, args: ['-c', command] });
    expect(await run(twin(), other)).toBe(2);
    expect(await run(twin(), hookOf('PreToolUse', command, { cwd: at, env: { A: '1' } }))).toBe(2);
  });

  it('of which the first is not meant for the tool still run', async () => {
    const at = cwd();
    const hooks = ['Read', '*'].map((matcher) => hookOf('PreToolUse', command, { cwd: at, matcher }));
    expect(await run(...hooks)).toBe(1);
  });
});

describe('the scripts of the fixtures', () => {
  it('block a path', async () => {
    const hook = hookOf('PreToolUse', script('block-path.sh'), { cwd: '/' });
    const read = (file_path: string) => answerOf(hook, inputOf('PreToolUse', { file_path }, 'Read'));
    expect(await read('secrets/a')).toEqual({
      decision: 'deny',
      reason: 'The folder secrets is off limits.',
    });
    expect(await read('open/a')).toBeUndefined();
  });

  it('log calls', async () => {
    const cwd = temporaryFolder();
    await answerOf(hookOf('PostToolBatch', script('log-calls.mjs'), { cwd }), inputOf('PostToolBatch'));
    expect(readFileSync(join(cwd, 'calls.log'), 'utf8')).toBe('{"event":"PostToolBatch","calls":["t1"]}\n');
  });

  it('rewrite a command', async () => {
    const hook = hookOf('PreToolUse', script('rewrite-command.mjs'));
    expect(await answerOf(hook, inputOf('PreToolUse', { command: 'rm -r x' }))).toMatchObject({
      updatedInput: { command: 'echo would remove -r x' },
    });
  });

  it('format a file after it was edited', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'a.txt'), 'text  \nmore\t\n');
    const hook = hookOf('PostToolUse', script('format-after-edit.sh'), { cwd });
    const answer = await answerOf(hook, inputOf('PostToolUse', { file_path: 'a.txt' }, 'Write'));
    expect(answer).toEqual({ additionalContext: 'Trailing blanks were removed from a.txt.' });
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('text\nmore\n');
  });

  it.skipIf(!hasPython)('decide in Python', async () => {
    // Left out where there is no python3.
    const hook = hookOf('PreToolUse', script('python-guard.py'));
    const on = (command: string) => answerOf(hook, inputOf('PreToolUse', { command }));
    expect(await on('curl x')).toEqual({ decision: 'ask', reason: 'ask by python' });
    expect(await on('make')).toBeUndefined();
  });

  it('answer permission requests, and stop after a batch', async () => {
    const hook = hookOf('PermissionRequest', script('approve-permission.mjs'));
    const on = (command: string) => answerOf(hook, inputOf('PermissionRequest', { command }));
    expect(await on('sudo x')).toEqual({ decision: 'deny', message: 'Nobody is root here.' });
    expect(await on('make x')).toMatchObject({
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', behavior: 'allow', rule: 'Bash(make *)' }],
    });
    const cwd = temporaryFolder();
    const stop = hookOf('PostToolBatch', script('stop-after-batch.sh'), { cwd });
    expect(await answerOf(stop, inputOf('PostToolBatch'))).toBeUndefined();
    writeFileSync(join(cwd, 'enough'), '');
    expect(await lastValueFrom(stop.run(inputOf('PostToolBatch') as never) as Observable<unknown>)).toEqual({
      continue: false,
      stopReason: 'That is enough.',
    });
  });
});

describe('options of a command hook', () => {
  it.each([
    [{ command: ' ' }, 'command'],
    [{ command: 'x', args: 'y' }, 'args'],
    [{ command: 'x', cwd: 'relative' }, 'cwd'],
    [{ command: 'x', projectDir: './p' }, 'projectDir'],
  ])('that can not be meant are refused: %j', (options, what) => {
    expect(() => commandHook('PreToolUse', options as never)).toThrow(`\`${what}\``);
  });

  it('of an event that is none are refused', () => {
    expect(() => commandHook('Stop' as never, { command: 'x' })).toThrow('expected `event` to be');
  });
});
