import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ClassifierRequest,
  defineTool,
  executeTools,
  type PermissionRules,
  type RuleTarget,
  readOnlyClassifier,
} from '../../src/index.js';

const classifier = readOnlyClassifier({ cwd: '/srv/project', additionalDirectories: ['/srv/lib'] });

const request = (targets: readonly RuleTarget[], isReadOnly = true): ClassifierRequest => ({
  toolUse: { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
  ...{ name: 'Bash', input: {}, targets, context: undefined, isReadOnly },
  signal: new AbortController().signal,
});
const command = (isReadOnly = true): RuleTarget => ({ type: 'command', forms: ['git log'], isReadOnly });
const reads = (...paths: string[]): RuleTarget => ({ type: 'path', access: 'read', paths });

describe('readOnlyClassifier', () => {
  it.each<[string, readonly RuleTarget[]]>([
    ['a command that only reads', [command()]],
    ['a pipe of them, with a file in the project', [command(), command(), reads('/srv/project/a.txt')]],
    ['a file in a folder beside it', [reads('/srv/lib/a.txt')]],
    ['a link within the folders', [reads('/srv/project/link', '/srv/lib/a.txt')]],
  ])('allows %s', (_name, targets) => {
    expect(classifier.applies?.(request(targets))).toBe(true);
    expect(classifier.classify(request(targets))).toBe('allow');
  });

  it.each<[string, readonly RuleTarget[]]>([
    ['a command that may write', [command(), command(false)]],
    ['a file elsewhere', [command(), reads('/home/me/.ssh/id_rsa')]],
    ['a link that leads elsewhere', [command(), reads('/srv/project/link', '/home/me/.ssh/id_rsa')]],
    ['a folder whose name only begins alike', [reads('/srv/projects/a.txt')]],
    ['a file that is written', [command(), { type: 'path', access: 'edit', paths: ['/srv/project/a'] }]],
    ['a host', [command(), { type: 'host', host: 'example.com' }]],
    ['what could not be looked into', [command(), { type: 'unparsed', reason: 'it is odd' }]],
    ['a call that offers nothing to look at', []],
  ])('has nothing to say of %s', (_name, targets) => {
    expect(classifier.applies?.(request(targets))).toBe(false);
  });

  it('has nothing to say where the tool does not call it read-only: its shell may read the text otherwise', () => {
    expect(classifier.applies?.(request([command()], false))).toBe(false);
  });

  const run = async (path: string, rules: PermissionRules = {}) => {
    const cat = defineTool({
      name: 'cat',
      inputSchema: z.object({ path: z.string() }),
      isReadOnly: () => true,
      ruleTargets: (input) => [command(), reads(input.path)],
      call: () => 'text',
    });
    const permissions = { mode: 'default', cwd: '/srv/project', home: '/home/me', rules } as const;
    const events = await lastValueFrom(
      from([{ type: 'tool_use', id: 'a', name: 'cat', input: { path } }] as const).pipe(
        executeTools({ tools: [cat], permissions, classifier }),
        toArray(),
      ),
    );
    return events.find((event) => event.type === 'completed')?.outcome.code;
  };

  it('lifts the ask of the mode, and no rule and no ask about a file elsewhere', async () => {
    expect(await run('/srv/project/a.txt')).toBe('ok');
    expect(await run('/home/me/.ssh/id_rsa')).toBe('denied');
    expect(await run('/srv/project/.env', { deny: ['Read(.env)'] })).toBe('denied');
    expect(await run('/srv/project/.env', { ask: ['Read(.env)'] })).toBe('denied');
  });
});
