import type { Limits } from '../contract/options.js';
import { definedMembers } from './definedMembers.js';

/** Limits that were set from outside; what was not set is left out, and the defaults stand. */
export interface EnvLimits {
  /** Milliseconds for a call: `timeoutMs` of `executeTools`. */
  readonly timeoutMs?: number;
  /** Milliseconds for a hook that names none. */
  readonly hookTimeoutMs?: number;
  readonly limits?: Pick<Limits, 'concurrency'>;
  /** For the `Bash` tool. */
  readonly bash?: BashLimits;
  /** What was set and can't be meant, one sentence each; it is not applied. */
  readonly warnings: readonly string[];
}

export interface BashLimits {
  readonly defaultTimeoutMs?: number;
  readonly maxTimeoutMs?: number;
  readonly maxOutputChars?: number;
}

/** Characters; the public contract allows no more. */
const mostOutput = 150_000;
const defaultMaxTimeoutMs = 600_000;
const longestTimer = 2 ** 31 - 1;

/**
 * Reads the limits that coding agents take from the environment. Numbers may be written as `120000`, `64_000` or `2e3`.
 *
 * | variable | member |
 * | --- | --- |
 * | `TOOL_EXECUTION_TIMEOUT_MS` | `timeoutMs` |
 * | `TOOL_HOOK_EXECUTION_TIMEOUT_MS` | `hookTimeoutMs` |
 * | `CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY` | `limits.concurrency` |
 * | `BASH_DEFAULT_TIMEOUT_MS` | `bash.defaultTimeoutMs` |
 * | `BASH_MAX_TIMEOUT_MS` | `bash.maxTimeoutMs`: the larger of the two, if both are set |
 * | `BASH_MAX_OUTPUT_LENGTH` | `bash.maxOutputChars`, at most 150,000 |
 *
 * @param env default: this program's
 */
export const limitsFromEnv = (env: Readonly<Record<string, string | undefined>> = process.env): EnvLimits => {
  const warnings: string[] = [];
  const read = (name: string, most: number): number | undefined =>
    readNumber(name, env[name], most, warnings);
  const timeoutMs = read('TOOL_EXECUTION_TIMEOUT_MS', Number.MAX_SAFE_INTEGER);
  const hookTimeoutMs = read('TOOL_HOOK_EXECUTION_TIMEOUT_MS', Number.MAX_SAFE_INTEGER);
  const concurrency = read('CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY', Number.MAX_SAFE_INTEGER);
  const bash = definedMembers({
    ...bashTimeouts(read('BASH_DEFAULT_TIMEOUT_MS', longestTimer), read('BASH_MAX_TIMEOUT_MS', longestTimer)),
    maxOutputChars: read('BASH_MAX_OUTPUT_LENGTH', mostOutput),
  });
  return {
    ...definedMembers({ timeoutMs, hookTimeoutMs }),
    ...(concurrency === undefined ? undefined : { limits: { concurrency } }),
    ...(Object.keys(bash).length === 0 ? undefined : { bash }),
    warnings,
  };
};

/** The ceiling is the larger of the two: a default above it would otherwise be cut silently. */
const bashTimeouts = (defaultTimeoutMs: number | undefined, max: number | undefined) => {
  const ceiling = max ?? defaultMaxTimeoutMs;
  const isAbove = defaultTimeoutMs !== undefined && defaultTimeoutMs > ceiling;
  return { defaultTimeoutMs, maxTimeoutMs: isAbove ? defaultTimeoutMs : max };
};

const numeral = /^\d+(?:_\d+)*(?:\.\d+)?(?:e\+?\d+)?$/i;

const readNumber = (
  name: string,
  text: string | undefined,
  most: number,
  warnings: string[],
): number | undefined => {
  const written = text?.trim() ?? '';
  if (written === '') return undefined;
  const value = numeral.test(written) ? Number(written.replaceAll('_', '')) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 1) {
    const shown = JSON.stringify(written.slice(0, 100));
    warnings.push(`${name} is ${shown}, expected a whole number from 1 up; it is not applied.`);
    return undefined;
  }
  if (value <= most) return value;
  warnings.push(`${name} is ${value}, more than is possible; ${most} is applied.`);
  return most;
};
