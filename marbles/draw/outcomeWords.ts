import type { OutcomeCode } from '../../src/contract/outcome.js';

/** Each way a call can end other than well, in a word or three. */
export const outcomeWords: Readonly<Record<Exclude<OutcomeCode, 'ok'>, string>> = {
  tool_error: 'error',
  infrastructure: 'machinery failed',
  timeout: 'timeout',
  unknown_tool: 'unknown tool',
  invalid_json: 'invalid JSON',
  invalid_input: 'invalid input',
  cut_off: 'cut off',
  denied: 'denied',
  hook_denied: 'denied by a hook',
  hook_failed: 'hook failed',
  sibling_aborted: 'aborted',
  interrupted: 'interrupted',
  discarded: 'discarded',
};
