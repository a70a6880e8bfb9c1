import type { ModelEvent } from '../../contract/index.js';
import type { Block } from './block.js';
import { type JsonRecord, textOf } from './wire.js';

/** What a delta that was applied to its block shows, while the block is still written. */
export function* shown(block: Block, delta: JsonRecord): Generator<ModelEvent, void> {
  const { index } = block;
  if (delta.type === 'text_delta') yield { type: 'text-delta', index, text: textOf(delta.text) };
  if (delta.type === 'thinking_delta') {
    yield { type: 'thinking-delta', index, thinking: textOf(delta.thinking) };
  }
  const piece = textOf(delta.partial_json);
  if (delta.type !== 'input_json_delta' || !block.isCall || block.id === '' || piece === '') return;
  const { id: toolUseId, name } = block;
  yield { type: 'input-delta', index, toolUseId, name, delta: piece, input: block.preview() };
}
