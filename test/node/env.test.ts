import { describe, expect, it } from 'vitest';
import { limitsFromEnv } from '../../src/node/env.js';

describe('limits from the environment', () => {
  it('are none where nothing is set', () => {
    expect(limitsFromEnv({})).toEqual({ warnings: [] });
    expect(limitsFromEnv({ TOOL_EXECUTION_TIMEOUT_MS: ' ', HOME: '/' })).toEqual({ warnings: [] });
  });

  it('are read by their public names', () => {
    const env = {
      TOOL_EXECUTION_TIMEOUT_MS: '120000',
      TOOL_HOOK_EXECUTION_TIMEOUT_MS: '5000',
      CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '4',
      BASH_DEFAULT_TIMEOUT_MS: '1000',
      BASH_MAX_TIMEOUT_MS: '2000',
      BASH_MAX_OUTPUT_LENGTH: '3000',
    };
    expect(limitsFromEnv(env)).toEqual({
      timeoutMs: 120_000,
      hookTimeoutMs: 5_000,
      limits: { concurrency: 4 },
      bash: { defaultTimeoutMs: 1_000, maxTimeoutMs: 2_000, maxOutputChars: 3_000 },
      warnings: [],
    });
  });

  it.each([
    ['2e3', 2_000],
    ['2E+3', 2_000],
    ['64_000', 64_000],
    ['1.5e3', 1_500],
    [' 7 ', 7],
    ['1_0e1_0', undefined],
  ])('may be written as %s', (text, value) => {
    expect(limitsFromEnv({ TOOL_EXECUTION_TIMEOUT_MS: text }).timeoutMs).toBe(value);
  });

  it.each(['0', '-1', '10s', '1.5', 'Infinity', '0x10', '_1', '1__0', 'NaN', '1e400', '1,000'])(
    'that can not be meant are told and not applied: %s',
    (text) => {
      const { warnings, ...rest } = limitsFromEnv({ CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: text });
      expect(rest).toEqual({});
      expect(warnings).toEqual([
        `CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY is "${text}", expected a whole number from 1 up; it is not applied.`,
      ]);
    },
  );

  it('of output have a ceiling', () => {
    const { bash, warnings } = limitsFromEnv({ BASH_MAX_OUTPUT_LENGTH: '2e5' });
    expect(bash).toEqual({ maxOutputChars: 150_000 });
    expect(warnings).toHaveLength(1);
  });

  it('of commands lift their ceiling to the default', () => {
    expect(limitsFromEnv({ BASH_DEFAULT_TIMEOUT_MS: '900_000' }).bash).toEqual({
      defaultTimeoutMs: 900_000,
      maxTimeoutMs: 900_000,
    });
    expect(limitsFromEnv({ BASH_DEFAULT_TIMEOUT_MS: '5', BASH_MAX_TIMEOUT_MS: '3' }).bash).toEqual({
      defaultTimeoutMs: 5,
      maxTimeoutMs: 5,
    });
    expect(limitsFromEnv({ BASH_DEFAULT_TIMEOUT_MS: '5' }).bash).toEqual({ defaultTimeoutMs: 5 });
  });
});
