import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Hook } from '../../src/contract/hooks.js';
import { hookEvents } from '../../src/hooks/index.js';
import { loadClaudeSettings } from '../../src/node/claudeSettings.js';
import { commandHook } from '../../src/node/commandHook.js';
import { answerOf, inputOf } from './hookInputs.js';
import { temporaryFolder } from './processes.js';

const guide = readFileSync('docs/hooks.md', 'utf8');
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text ?? '',
  );

describe('docs/hooks.md', () => {
  it('shows a guard and a settings file that work as it says', async () => {
    const [dir, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(dir, '.claude'));
    writeFileSync(join(dir, 'guard.sh'), blocks('sh')[0] ?? '');
    writeFileSync(join(dir, '.claude/settings.json'), blocks('json')[0] ?? '');
    const { hooks, warnings } = loadClaudeSettings(dir, { home, trustProject: true, env: {} });
    expect(warnings).toEqual([]);
    const [guard] = (hooks?.PreToolUse ?? []) as unknown as [Hook];
    expect(guard).toMatchObject({ matcher: 'Read|Write|Edit', timeoutMs: 10_000 });
    const read = (file_path: string) => answerOf(guard, inputOf('PreToolUse', { file_path }, 'Read'));
    expect(await read('secrets/key')).toEqual({
      decision: 'deny',
      reason: 'The folder secrets is off limits.',
    });
    expect(await read('open/key')).toBeUndefined();
  });

  it('shows an answer that is understood whole', async () => {
    const command = `cat <<'END'\n${blocks('json')[1]}END`;
    const hook = commandHook('PreToolUse', { command, cwd: temporaryFolder() });
    expect(await answerOf(hook as Hook, inputOf('PreToolUse'))).toEqual({
      continue: true,
      systemMessage: 'for the user',
      decision: 'ask',
      reason: 'It writes to a shared folder.',
      updatedInput: { command: 'make' },
      additionalContext: 'for the model',
    });
  });

  it('names every point', () => {
    for (const event of hookEvents) expect(guide).toMatch(new RegExp(`\\| \`${event}\` +\\|`));
  });
});
