import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../src/tools/index.js';

describe('builtinTools', () => {
  const tools = builtinTools({ cwd: '/' });

  it('has each tool under its own name, described, with a kind and the hints for modes', () => {
    for (const [name, tool] of Object.entries(tools)) {
      expect(tool.name).toBe(name);
      expect(tool.description).toMatch(/\w/);
      expect(tool.kind).toBe(name === 'Bash' ? 'shell' : 'file');
      expect([typeof tool.isReadOnly, typeof tool.isDestructive]).toEqual(['function', 'function']);
    }
  });

  it('lets readers overlap and writers not', () => {
    const safe = Object.values(tools).filter(
      (tool) => tool.name !== 'Bash' && 'isConcurrencySafe' in tool && tool.isConcurrencySafe?.({} as never),
    );
    expect(safe.map(({ name }) => name)).toEqual(['Read', 'Glob', 'Grep']);
  });

  it('refuses a working directory that would move with the program', () => {
    expect(() => builtinTools({ cwd: 'src' })).toThrow('expected `cwd` to be an absolute path, got "src"');
  });

  it('refuses members that no tool has, so that a model is told', async () => {
    const result = await tools.Grep.inputSchema['~standard'].validate({ pattern: 'a', multiline: true });
    expect(result.issues?.[0]?.message).toContain('multiline');
  });
});
