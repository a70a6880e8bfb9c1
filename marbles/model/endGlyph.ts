import type { Outcome, OutcomeCode } from '../../src/contract/outcome.js';
import type { EndGlyph } from './run.js';

const glyphOfCode: Readonly<Record<OutcomeCode, EndGlyph>> = {
  ok: '|',
  tool_error: '#',
  infrastructure: '#',
  timeout: '@',
  sibling_aborted: '!',
  interrupted: '!',
  discarded: '!',
  unknown_tool: 'x',
  invalid_json: 'x',
  invalid_input: 'x',
  cut_off: 'x',
  denied: 'x',
  hook_denied: 'x',
  hook_failed: 'x',
};

/** How an outcome is drawn; a call that is stopped before it started was answered without running. */
export const endGlyph = (outcome: Outcome, started: boolean): EndGlyph => {
  if (outcome.adopted) return 'a';
  const glyph = glyphOfCode[outcome.code];
  return glyph === '!' && !started ? 'x' : glyph;
};
