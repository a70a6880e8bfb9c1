import type { PermissionRequest } from '../../../src/contract/index.js';

/** What a person is asked about a call of `Bash`, by the mode. */
export const requestOf = (input: unknown, suggestions: readonly string[] = []): PermissionRequest => ({
  toolUse: { type: 'tool_use', id: 't1', name: 'Bash', input },
  name: 'Bash',
  input,
  askedBy: { type: 'mode', mode: 'default' },
  message: 'No permission rule decides about this call.',
  isHard: false,
  targets: [],
  suggestions,
  signal: new AbortController().signal,
});
