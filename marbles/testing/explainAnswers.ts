import type { ResultEvent, ToolEvent } from '../../src/contract/events.js';
import { fitText } from '../draw/fitText.js';
import { harmless } from '../draw/harmless.js';

const MOST_LINES = 20;
const WIDTH = 100;

/**
 * The calls that were answered without an output, one short line each: what the glyphs `x`, `#`, `!` and `@`
 * can't say.
 *
 * ```text
 * b unknown_tool: no tool is named "raed". Did you mean "read"? Tools you can use: read.
 * ```
 */
export const explainAnswers = (events: readonly ToolEvent[]): readonly string[] => {
  const failed = events
    .filter((event) => event.type === 'result')
    .filter((event) => event.outcome.code !== 'ok');
  const lines = failed.slice(0, MOST_LINES).map(explain);
  const more = failed.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
};

const explain = (event: ResultEvent): string => {
  const { toolUseId, outcome } = event;
  const text = textOf(event).replace(/<\/?tool_use_error>/g, '');
  const said = outcome.code === 'invalid_input' ? issuesIn(text) : text;
  // The code names the error already, and the picture shows what was not run.
  const short = said.replace(/^\w+Error: /, '').replace(/\s*Nothing was run\.\s*/, ' ');
  return fitText(harmless(`${toolUseId} ${outcome.code}: ${short.replace(/\s+/g, ' ').trim()}`), WIDTH, '…');
};

/** The lines that say what was wrong; the one before them only says that something was. */
const issuesIn = (text: string): string => text.split('\n- ').slice(1).join('; ');

const textOf = ({ block: { content } }: ResultEvent): string => {
  if (typeof content === 'string') return content;
  return content.map((part) => ('text' in part ? String(part.text) : `(${part.type})`)).join(' ');
};
