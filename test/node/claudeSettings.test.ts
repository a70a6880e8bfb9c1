import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hook, HookEventName, Hooks } from '../../src/contract/hooks.js';
import { executeTools } from '../../src/index.js';
import { type ClaudeSettingsOptions, loadClaudeSettings } from '../../src/node/claudeSettings.js';
import { placesIn } from '../../src/node/jsonText.js';
import { answerOf, inputOf } from './hookInputs.js';
import { temporaryFolder } from './processes.js';

const places = {
  user: ['home', '.claude/settings.json'],
  project: ['project', '.claude/settings.json'],
  local: ['project', '.claude/settings.local.json'],
  managed: ['etc', 'managed.json'],
} as const;
type Files = { readonly [S in keyof typeof places]?: unknown };

/** Writes settings files and loads them; text is written as it is. */
const load = (files: Files, options: ClaudeSettingsOptions = {}) => {
  const root = temporaryFolder();
  for (const [scope, content] of Object.entries(files)) {
    const [folder, name] = places[scope as keyof typeof places];
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const [dir, home, managed] = [join(root, 'project'), join(root, 'home'), join(root, 'etc/managed.json')];
  const settings = loadClaudeSettings(dir, { home, managed, trustProject: true, env: {}, ...options });
  return {
    ...settings,
    root,
    dir,
    home,
    warnings: settings.warnings.map((text) => text.replaceAll(root, '')),
  };
};
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const pre = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ hooks }] } });
const listOf = (hooks: Hooks | undefined, event: HookEventName = 'PreToolUse'): readonly [Hook, ...Hook[]] =>
  (hooks?.[event] ?? []) as unknown as readonly [Hook, ...Hook[]];
const namesOf = (hooks: Hooks | undefined): readonly unknown[] => listOf(hooks).map(({ name }) => name);

describe('settings files', () => {
  it('that are not there are nothing', () => {
    const { hooks, permissions, env, files, warnings, limits } = load({});
    expect({ hooks, permissions, env, files, warnings, limits }).toEqual({
      env: {},
      files: [],
      warnings: [],
      limits: { warnings: [] },
    });
  });

  it('add up their hooks in order: user, project, local, managed', () => {
    const { hooks, files } = load({
      managed: pre(command('m')),
      local: pre(command('l')),
      project: pre(command('p')),
      user: pre(command('u1'), command('u2')),
    });
    expect(namesOf(hooks)).toEqual(['u1', 'u2', 'p', 'l', 'm']);
    expect(files).toHaveLength(4);
  });

  it('give identical hooks one key', () => {
    const { hooks } = load({ user: pre(command('same')), local: pre(command('same'), command('other')) });
    const keys = listOf(hooks).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  it('are read once where the project is the home', () => {
    const { hooks } = load({ user: pre(command('u')) });
    expect(namesOf(hooks)).toEqual(['u']);
    const { home } = load({ user: pre(command('u')) });
    const same = loadClaudeSettings(home, { home, env: {} });
    expect(namesOf(same.hooks)).toEqual(['u']);
    expect(same.files).toHaveLength(1);
  });

  it('say what a hook is', () => {
    const handler = command('x', { timeout: 1.5, if: 'Bash(git *)', onFailure: 'block' });
    const { hooks } = load({
      user: { hooks: { PostToolUse: [{ matcher: 'Write|Edit', hooks: [handler, command('y')] }] } },
    });
    expect(hooks?.PostToolUse).toMatchObject([
      { name: 'x', matcher: 'Write|Edit', if: 'Bash(git *)', timeoutMs: 1_500, onFailure: 'deny' },
      { name: 'y', matcher: 'Write|Edit' },
    ]);
    expect(listOf(hooks, 'PostToolUse')[1]?.timeoutMs).toBeUndefined();
    expect(listOf(hooks, 'PostToolUse')[1]?.onFailure).toBeUndefined();
  });

  it('may leave to the caller what a failure counts as', () => {
    const { hooks } = load(
      { user: pre(command('a'), command('b', { onFailure: 'block' })) },
      { onFailure: 'continue' },
    );
    expect(listOf(hooks).map(({ onFailure }) => onFailure)).toEqual(['continue', 'deny']);
  });

  it('of this package run their hooks', async () => {
    const dir = resolve('test/fixtures/settings');
    const { hooks, permissions, warnings } = loadClaudeSettings(dir, {
      home: temporaryFolder(),
      trustProject: true,
      env: {},
    });
    expect(warnings).toEqual([]);
    expect(permissions?.rules).toMatchObject([{ deny: ['Read(./secrets/**)'], base: dir }]);
    const [block, rewrite] = listOf(hooks) as [Hook, Hook];
    const read = inputOf('PreToolUse', { file_path: 'secrets/key' }, 'Read');
    expect(await answerOf(block, read)).toMatchObject({ decision: 'deny' });
    expect(await answerOf(rewrite, inputOf('PreToolUse', { command: 'rm a' }))).toMatchObject({
      updatedInput: { command: 'echo would remove a' },
    });
    const [stop] = listOf(hooks, 'PostToolBatch');
    expect(await answerOf(stop, inputOf('PostToolBatch'))).toBeUndefined();
  });
});

it('gives the folders with the hooks, for their `if` starts from them', () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', if: 'Edit(./x/**)' }] }] };
  const { permissions, hooks: read, dir, home } = load({ user: { hooks } });
  expect(permissions).toEqual({ cwd: dir, home });
  expect(() => executeTools({ tools: [], hooks: read ?? {}, permissions: permissions ?? {} })).not.toThrow();
});

describe('permissions', () => {
  it('keep the rules of each file apart, with where they start and come from', () => {
    const { permissions, root, dir, home } = load({
      user: { permissions: { allow: ['Read'], deny: ['Edit(/x)'] } },
      project: { permissions: { ask: ['Bash'] } },
      managed: { permissions: { deny: ['WebFetch'] } },
    });
    expect(permissions).toEqual({
      cwd: dir,
      home,
      rules: [
        { allow: ['Read'], deny: ['Edit(/x)'], base: join(home, '.claude'), source: 'user settings' },
        { ask: ['Bash'], base: dir, source: 'project settings' },
        { deny: ['WebFetch'], base: join(root, 'etc'), source: 'managed settings' },
      ],
    });
  });

  it('take the mode of the strongest file that names one', () => {
    const mode = (defaultMode: string) => ({ permissions: { defaultMode } });
    expect(load({ user: mode('plan'), local: mode('acceptEdits') }).permissions?.mode).toBe('acceptEdits');
    const all = { user: mode('plan'), local: mode('acceptEdits'), managed: mode('dontAsk') };
    expect(load(all).permissions?.mode).toBe('dontAsk');
    expect(load({ user: mode('plan'), project: { permissions: {} } }).permissions?.mode).toBe('plan');
  });

  it('refuse a bypass that any file has disabled, trusted or not', () => {
    const user = { permissions: { defaultMode: 'bypassPermissions' } };
    expect(load({ user }).permissions?.mode).toBe('bypassPermissions');
    const project = { permissions: { disableBypassPermissionsMode: 'disable' } };
    const { permissions, warnings } = load({ user, project }, { trustProject: false });
    expect(permissions).toBeUndefined();
    expect(warnings).toEqual([
      '/home/.claude/settings.json: the mode bypassPermissions is disabled by /project/.claude/settings.json.',
    ]);
  });

  it('have additional directories absolute', () => {
    const user = { permissions: { additionalDirectories: ['../other', '/abs', '~/own', '~'] } };
    const { permissions, root, home } = load({ user });
    expect(permissions?.additionalDirectories).toEqual([
      join(root, 'other'),
      '/abs',
      join(home, 'own'),
      home,
    ]);
  });
});

describe('a project that is not trusted', () => {
  const project = {
    ...pre(command('p')),
    disableAllHooks: true,
    env: { A: '1' },
    permissions: {
      allow: ['Bash'],
      deny: ['Read(x)'],
      ask: ['Edit'],
      defaultMode: 'bypassPermissions',
      additionalDirectories: ['/'],
    },
  };

  it('only tightens: its deny and ask rules hold, and it is told what does not', () => {
    const { hooks, permissions, env, warnings } = load(
      { user: pre(command('u')), project, local: { permissions: { allow: ['WebFetch'] } } },
      { trustProject: false },
    );
    expect(namesOf(hooks)).toEqual(['u']);
    expect(env).toEqual({});
    expect(permissions?.mode).toBeUndefined();
    expect(permissions?.additionalDirectories).toBeUndefined();
    expect(permissions?.rules).toMatchObject([{ deny: ['Read(x)'], ask: ['Edit'] }]);
    expect(JSON.stringify(permissions?.rules)).not.toContain('allow');
    const all =
      'hooks, disableAllHooks, env, permissions.allow, permissions.defaultMode, permissions.additionalDirectories';
    expect(warnings).toEqual([
      `/project/.claude/settings.json: the project is not trusted, so these do not hold: ${all}.`,
      '/project/.claude/settings.local.json: the project is not trusted, so these do not hold: permissions.allow.',
    ]);
  });

  it('is the default', () => {
    const { dir, home } = load({ project });
    expect(loadClaudeSettings(dir, { home, env: {} }).hooks).toBeUndefined();
  });
});

describe('switches', () => {
  const off = { disableAllHooks: true };

  it('turn off all hooks but managed ones', () => {
    const { hooks, warnings } = load({
      user: pre(command('u')),
      local: off,
      managed: pre(command('m')),
    });
    expect(namesOf(hooks)).toEqual(['m']);
    expect(warnings).toEqual([
      '/home/.claude/settings.json: its hooks are switched off by /project/.claude/settings.local.json.',
    ]);
  });

  it('of the strongest file count', () => {
    const files = { user: { ...pre(command('u')), ...off }, local: { disableAllHooks: false } };
    expect(namesOf(load(files).hooks)).toEqual(['u']);
  });

  it('of the administrator turn off everything, or everything else', () => {
    const user = { ...pre(command('u')), permissions: { allow: ['Bash'], deny: ['Read'] } };
    expect(load({ user, managed: { ...pre(command('m')), ...off } }).hooks).toBeUndefined();
    const managed = {
      ...pre(command('m')),
      allowManagedHooksOnly: true,
      allowManagedPermissionRulesOnly: true,
      permissions: { ask: ['Edit'] },
    };
    const { hooks, permissions, warnings } = load({ user, managed });
    expect(namesOf(hooks)).toEqual(['m']);
    expect(permissions?.rules).toMatchObject([{ ask: ['Edit'] }]);
    expect(warnings).toHaveLength(2);
  });
});

describe('variables', () => {
  it('reach hooks and limits, the strongest file first, and bad ones are told', async () => {
    const { env, hooks, limits, warnings } = load(
      {
        user: {
          env: { BASH_DEFAULT_TIMEOUT_MS: '1_000', A: 'user', N: 7 },
          ...pre(command('echo "$A" >&2; exit 2')),
        },
        local: { env: { A: 'local', BASH_MAX_TIMEOUT_MS: 'soon' } },
      },
      { env: { CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '3', BASH_DEFAULT_TIMEOUT_MS: '5' } },
    );
    expect(env).toEqual({
      BASH_DEFAULT_TIMEOUT_MS: '1_000',
      A: 'local',
      N: '7',
      BASH_MAX_TIMEOUT_MS: 'soon',
    });
    expect(limits).toMatchObject({ limits: { concurrency: 3 }, bash: { defaultTimeoutMs: 1_000 } });
    expect(warnings).toEqual([
      'BASH_MAX_TIMEOUT_MS is "soon", expected a whole number from 1 up; it is not applied.',
    ]);
    const [hook] = listOf(hooks);
    // Its folder is the project's, which has to be there.
    expect(await answerOf(hook, inputOf('PreToolUse'))).toEqual({ decision: 'deny', reason: 'local' });
  });
});

describe('what is not applied', () => {
  it('is told, each with its place', () => {
    const { hooks, warnings } = load({
      user: {
        model: 'm',
        statusLine: {},
        $schema: 'x',
        permissions: { alow: ['Bash'] },
        hooks: {
          Stop: [{ hooks: [command('a'), command('b')] }],
          PreToolUse: [
            {
              matcher: 'Bash',
              matchers: 'Edit',
              hooks: [
                { type: 'prompt', prompt: 'is it safe?' },
                { type: 'mcp_tool', server: 's' },
                command('c', { async: true, once: true, timeoutMs: 5, statusMessage: 'fine' }),
              ],
            },
          ],
          PostToolBatch: [{ matcher: 'Bash', hooks: [command('d', { if: 'Bash(x)' })] }],
        },
      },
    });
    const file = '/home/.claude/settings.json';
    expect(warnings).toEqual([
      `${file}: not read: model, statusLine.`,
      `${file}: of \`permissions\` not read: alow.`,
      `${file}: \`hooks.Stop\` is no point millrace asks hooks at; 2 not run.`,
      `${file}: of \`hooks.PreToolUse[0]\` not read: matchers.`,
      `${file}: \`hooks.PreToolUse[0].hooks[0]\` is of type prompt, which is not supported; not run.`,
      `${file}: \`hooks.PreToolUse[0].hooks[1]\` is of type mcp_tool, which is not supported; not run.`,
      `${file}: of \`hooks.PreToolUse[0].hooks[2]\` not read: timeoutMs.`,
      `${file}: \`hooks.PreToolUse[0].hooks[2].once\` is not applied.`,
      `${file}: \`hooks.PreToolUse[0].hooks[2]\` is asynchronous; it is waited for all the same.`,
      `${file}: \`hooks.PostToolBatch[0].matcher\` has no meaning for a batch; its hooks are asked after every one.`,
      `${file}: \`hooks.PostToolBatch[0].hooks[0].if\` has no meaning for a batch; the hook is asked after every one.`,
    ]);
    expect(namesOf(hooks)).toEqual(['c']);
    expect(hooks?.PostToolBatch).toHaveLength(1);
  });

  it('because it stands there twice is told', () => {
    const { warnings } = load({ user: '{"env": {"A": "1", "A": "2"}, "hooks": {}, "hooks": {}}' });
    expect(warnings).toEqual([
      '/home/.claude/settings.json: `env.A` stands there twice; the last one counts.',
      '/home/.claude/settings.json: `hooks` stands there twice; the last one counts.',
    ]);
  });
});

describe('hooks that are servers', () => {
  const http = (url: string, more: object = {}) => ({ type: 'http', url, ...more });

  it('are read as those that are programs', () => {
    const { hooks, warnings } = load({
      user: pre(http('http://localhost:1/a', { timeout: 2, if: 'Bash(x)' })),
    });
    expect(listOf(hooks)).toMatchObject([{ name: 'http://localhost:1/a', timeoutMs: 2_000, if: 'Bash(x)' }]);
    expect(warnings).toEqual([]);
    expect(() => load({ user: pre(http('file:///x')) })).toThrow(
      '`hooks.PreToolUse[0].hooks[0].url`: Invalid URL',
    );
  });

  it('run only where every list of addresses names them, that of an untrusted project too', () => {
    const urls = ['https://a.example/x', 'https://b.example/x', 'https://a.example.evil/x'];
    const { hooks, warnings } = load(
      {
        user: {
          ...pre(...urls.map((url) => http(url))),
          allowedHttpHookUrls: ['https://*.example/*', urls[2]],
        },
        project: { allowedHttpHookUrls: ['https://a.*'] },
      },
      { trustProject: false },
    );
    expect(namesOf(hooks)).toEqual([urls[0], urls[2]]);
    expect(warnings).toEqual([
      '/home/.claude/settings.json: `hooks.PreToolUse[0].hooks[1].url` is not one of `allowedHttpHookUrls`; not run.',
    ]);
    expect(
      load({ user: { ...pre(http('https://a.example')), allowedHttpHookUrls: [] } }).hooks,
    ).toBeUndefined();
  });

  it('get only the variables that every list names', () => {
    const handler = http('http://localhost:1', { headers: { a: '$A$B' }, allowedEnvVars: ['A', 'B'] });
    const keyOf = (files: Files): unknown => listOf(load(files).hooks)[0].key;
    expect(keyOf({ user: pre(handler) })).toContain('["A","B"]');
    expect(keyOf({ user: { ...pre(handler), httpHookAllowedEnvVars: ['B'] } })).toContain('["B"]');
  });
});

describe('a broken file', () => {
  const hook = (matcher: string, members: string) =>
    `{\n "hooks": {\n  "PreToolUse": [\n   {\n    "matcher": "${matcher}",\n    "hooks": [\n     ${members}\n    ]\n   }\n  ]\n }\n}`;

  it.each<[string, string]>([
    ['{\n  "hooks": {\n  },\n}', ':4: no JSON: expected a name in double quotes, got `}` (column 1)'],
    ['{\n "a": 1\n "b": 2 }', ':3: no JSON: expected `,` or `}`, got `"b"` (column 2)'],
    ['{"a": [1, 2}', ':1: no JSON: expected `,` or `]`, got `}` (column 12)'],
    ["{\n 'a': 1}", ":2: no JSON: expected a name in double quotes or `}`, got `'` (column 2)"],
    ['{"a": tru}', ':1: no JSON: expected a value, got `tru` (column 7)'],
    ['{"a": 1 // why\n}', ':1: no JSON: expected `,` or `}`, got `/` (column 9)'],
    ['', ':1: no JSON: expected a value, got the end of the file (column 1)'],
    ['{"a": 1}\n\n}', ':3: no JSON: expected the end of the file, got `}` (column 1)'],
    ['[]', ':1: `the file`: Invalid input: expected object, received array'],
    [
      '{\n "permissions": {\n  "deny": "Bash" } }',
      ':3: `permissions.deny`: Invalid input: expected array, received string',
    ],
    ['{\n "permissions": {\n  "defaultMode": "dontask" } }', ':3: `permissions.defaultMode`: Invalid option'],
    [
      hook('(', '{"type": "command", "command": "x"}'),
      ':5: expected `hooks.PreToolUse[0].matcher` to be names or a regular expression (Invalid regular expression',
    ],
    [
      hook('*', '{"type": "command"}'),
      ':7: `hooks.PreToolUse[0].hooks[0].command`: Invalid input: expected string',
    ],
    [
      hook('*', '{"type": "command", "command": "x",\n "timeout": "5"}'),
      ':8: `hooks.PreToolUse[0].hooks[0].timeout`',
    ],
    [hook('*', '{"command": "x"}'), ':7: `hooks.PreToolUse[0].hooks[0].type`'],
  ])('names its line and the reason: %s', (text, message) => {
    expect(() => load({ local: text })).toThrow(`/project/.claude/settings.local.json${message}`);
  });

  it('that is a folder names what the system says', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude/settings.json'), { recursive: true });
    expect(() => loadClaudeSettings('/', { home })).toThrow('settings.json: it can not be read: EISDIR');
  });

  it('may begin with a byte order mark', () => {
    expect(load({ user: `\uFEFF${JSON.stringify(pre(command('u')))}` }).hooks?.PreToolUse).toHaveLength(1);
  });

  it('is not asked for by a path that is not absolute', () => {
    expect(() => loadClaudeSettings('.')).toThrow('expected `dir` to be an absolute path');
    expect(() => loadClaudeSettings('/', { home: '~' })).toThrow('expected `home` to be an absolute path');
  });
});

describe('places in a JSON text', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('are found in every JSON, and a fault in every text that is none', () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', ']', '}', ' 1', '\n'));
    fc.assert(
      fc.property(cut, ([json, at, put]) => {
        expect(placesIn(json).fault).toBeUndefined();
        const place = at % (json.length + 1);
        const damaged = json.slice(0, place) + put + json.slice(place + 1);
        expect(placesIn(damaged).fault === undefined).toBe(isJson(damaged));
      }),
      { numRuns: 2_000 },
    );
  });

  it('count lines', () => {
    const { lineOf } = placesIn('{\n\n"a": [\n1,\n{"b":\n2}],\n"c": 3}');
    expect(['', 'a', 'a[0]', 'a[1]', 'a[1].b', 'c', 'd'].map(lineOf)).toEqual([1, 3, 4, 5, 6, 7, undefined]);
  });
});
