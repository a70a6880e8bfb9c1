import type { StopReason, ToolUse, ToolUseFault } from '../../contract/index.js';
import type { Block } from './block.js';
import type { ToolInput } from './toolInput.js';

/** Stop reasons that end a message inside what it was writing (SPEC §4.3); a refusal breaks off too. */
const cuts: ReadonlySet<StopReason> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

/** Whether this stop reason leaves open if the last call was complete. No reason at all does. */
export const isCut = (reason: StopReason): boolean => reason === null || cuts.has(reason);

/** The call of a block whose input is complete: an object, or empty for a call without arguments. */
export const callOf = (block: Block, input: ToolInput, messageId: string): ToolUse =>
  input.type === 'invalid'
    ? faultyCall(block, invalidJson(input.problem), messageId)
    : { ...head(block, messageId), input: input.type === 'empty' ? {} : input.value };

/** A call that can't be executed; what could be read of its input is not handed on, so that nothing runs it. */
export const faultyCall = (block: Block, fault: ToolUseFault, messageId: string): ToolUse => ({
  ...head(block, messageId),
  input: {},
  fault,
});

const head = ({ id, name }: Block, messageId: string) => ({
  type: 'tool_use' as const,
  id,
  name,
  ...(messageId === '' ? undefined : { messageId }),
});

/** The problem alone: what is told to the model about it stands in the catalogue of texts. */
export const invalidJson = (problem: string): ToolUseFault => ({ code: 'invalid_json', text: problem });

export const cutOff = (reason: StopReason): ToolUseFault => ({ code: 'cut_off', text: cutText(reason) });

const cutText = (reason: StopReason): string =>
  reason === 'refusal' || reason === null
    ? 'the message broke off inside it'
    : `the message reached its limit, ${reason}, inside it`;
