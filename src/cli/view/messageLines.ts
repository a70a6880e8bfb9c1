import { wrapItems } from '../../../marbles/draw/fitText.js';
import { harmless } from '../../../marbles/draw/harmless.js';
import type { MessageBlock, ToolResultBlock, ToolResultMessage } from '../../contract/index.js';
import type { CallNames } from './callNames.js';
import type { Style } from './style.js';

export interface MessageLinesOptions {
  readonly names: CallNames;
  readonly width: number;
  readonly ellipsis: string;
  readonly style: Style;
}

/** Rows of a block that are shown; all of it stands in the events. */
const MOST_ROWS = 12;
const INDENT = '    ';

/** The message for the model as blocks a person can read, each bounded. */
export const messageLines = (
  { content }: ToolResultMessage,
  options: MessageLinesOptions,
): readonly string[] => content.flatMap((block) => blockLines(block, options));

const blockLines = (block: MessageBlock, options: MessageLinesOptions): readonly string[] => {
  const { style } = options;
  if (!isResult(block)) return [`  ${block.type}`, ...textLines(textOf(block), options)];
  const error = block.is_error === true ? `  ${style('is_error', 'bad')}` : '';
  const { content } = block;
  const texts = typeof content === 'string' ? [content] : content.map(textOf);
  return [
    `  tool_result  ${options.names.of(block.tool_use_id)}${error}`,
    ...textLines(texts.join('\n'), options),
  ];
};

const isResult = (block: MessageBlock): block is ToolResultBlock => block.type === 'tool_result';

const textOf = (block: { readonly type: string; readonly text?: unknown }): string =>
  typeof block.text === 'string' ? block.text : `[${block.type}]`;

const textLines = (text: string, { width, ellipsis, style }: MessageLinesOptions): readonly string[] => {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const rows: string[] = [];
  let shown = 0;
  while (shown < lines.length && rows.length < MOST_ROWS) {
    rows.push(...wrapped(lines[shown] ?? '', width, ellipsis));
    shown++;
  }
  const more = lines.length - shown;
  if (more === 0) return rows;
  return [...rows, style(`${INDENT}${ellipsis} ${more} more line${more === 1 ? '' : 's'}`, 'quiet')];
};

const wrapped = (line: string, width: number, ellipsis: string): readonly string[] => {
  // Every character is measured, so only what can be shown of a huge line is looked at.
  const most = MOST_ROWS * width;
  const text = harmless(expandTabs(line.slice(0, most))) + (line.length > most ? ellipsis : '');
  const further = `${INDENT}  `;
  const rows = wrapItems(text.split(' '), { width, first: INDENT, further, separator: ' ', ellipsis });
  return rows.map((row) => row.trimEnd());
};

const expandTabs = (line: string): string => {
  let column = 0;
  return line.replace(/\t|[^\t]+/g, (part) => {
    const text = part === '\t' ? ' '.repeat(8 - (column % 8)) : part;
    column += text.length;
    return text;
  });
};
