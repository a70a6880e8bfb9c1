import { noOutputText } from '../contract/texts.js';
import type { Tool } from '../contract/tool.js';
import type { ToolResultBlock } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { resultBlocks } from './blocks.js';
import { toJson } from './json.js';

type Content = ToolResultBlock['content'];

/**
 * A tool's output as the content of its `tool_result`: always valid, never empty, always well-formed text.
 *
 * @throws what `mapResult` throws, and a TypeError for what it gave that can't be sent; the caller knows that the
 * tool itself had finished
 */
export const presentOutput = (tool: Tool<never, never>, output: unknown, toolUseId: string): Content => {
  const mapped = tool.mapResult === undefined ? toText(output) : tool.mapResult(output as never, toolUseId);
  if (typeof mapped === 'string') return nonEmpty(mapped, tool.name);
  if (Array.isArray(mapped)) {
    const blocks = resultBlocks(mapped);
    return blocks.length === 0 ? nothing(tool.name) : blocks;
  }
  if (disown(mapped)) throw new TypeError('mapResult gave a promise; it has to answer at once');
  throw new TypeError(`mapResult gave ${toJson(mapped).slice(0, 80)}, neither text nor content blocks`);
};

export const resultBlock = (toolUseId: string, content: Content): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: toolUseId,
  content,
});

export const errorBlock = (toolUseId: string, text: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: toolUseId,
  content: wellFormed(text),
  is_error: true,
});

const toText = (output: unknown): string => {
  if (typeof output === 'string') return output;
  if (output === undefined) return '';
  return toJson(output);
};

const nonEmpty = (text: string, tool: string): string =>
  text.trim() === '' ? nothing(tool) : wellFormed(text);

const nothing = (tool: string): string => wellFormed(noOutputText(tool));

// A lone surrogate makes the whole request invalid for ever; it is replaced, the rest is kept.
const wellFormed = (text: string): string => text.toWellFormed();
