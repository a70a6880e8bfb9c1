import stringWidth from 'string-width';
import { padText } from '../../../marbles/draw/fitText.js';
import { nameOfDecider } from '../../call/deciders.js';
import type { PermissionRequest } from '../../contract/index.js';
import { harmless } from '../../permissions/index.js';
import { toJson } from '../../results/json.js';
import { deciderWords } from '../view/guardWords.js';
import type { Style } from '../view/style.js';
import { wrapText } from './wrapText.js';

export interface QuestionOptions {
  /** Columns. */
  readonly width: number;
  readonly unicode: boolean;
  readonly style: Style;
}

/** Rows of one member of an input that are shown: first and last ones, for both ends may matter. */
const FIRST_ROWS = 60;
const LAST_ROWS = 20;
/** Columns of a name. */
const MOST_NAME = 16;

/** What a person is asked: the tool, its whole input, who asks and why, and what may be answered. */
export const questionLines = (request: PermissionRequest, options: QuestionOptions): readonly string[] => {
  const { width, style } = options;
  const said = harmless(`asked by ${deciderWords(nameOfDecider(request.askedBy))}: ${request.message}`, {
    maxChars: 600,
  });
  return [
    style(padRule(`permission  ${harmless(request.name, { maxChars: 200 })}`, options), 'warning'),
    ...inputLines(request.input, options),
    ...wrapText(said.replaceAll('\n', ' '), width),
    ...choiceLines(request, options),
  ];
};

/** A line across the screen: what is above it has scrolled by, what is below it is asked. */
const padRule = (title: string, { width, unicode }: QuestionOptions): string => {
  const dash = unicode ? '─' : '-';
  const [text = ''] = wrapText(title.replaceAll('\n', ' '), width - 8);
  return `${dash.repeat(2)} ${text} ${dash.repeat(Math.max(0, width - stringWidth(text) - 4))}`;
};

/** Every line has a gutter before it: what the model wrote can't look like a part of the question. */
const inputLines = (input: unknown, options: QuestionOptions): readonly string[] => {
  const members = membersOf(input);
  const widest = Math.max(0, ...members.map(([name]) => stringWidth(name)));
  const indent = Math.min(MOST_NAME, widest);
  const gutter = options.unicode ? '│ ' : '| ';
  const room = options.width - gutter.length - indent - 2;
  return members.flatMap(([name, value]) => {
    const rows = folded(wrapText(harmless(value), room));
    const [label = ''] = wrapText(name, indent);
    return rows.map((row, at) => `${gutter}${padText(at === 0 ? label : '', indent)}  ${row}`.trimEnd());
  });
};

const membersOf = (input: unknown): readonly (readonly [string, string])[] => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [['input', textOf(input)]];
  const entries = Object.entries(input);
  if (entries.length === 0) return [['input', '{}']];
  return entries.map(([name, value]) => [harmless(name, { maxChars: 100 }), textOf(value)]);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : toJson(value));

const folded = (rows: readonly string[]): readonly string[] => {
  const more = rows.length - FIRST_ROWS - LAST_ROWS;
  if (more <= 1) return rows;
  return [...rows.slice(0, FIRST_ROWS), `⟨${more} lines not shown⟩`, ...rows.slice(-LAST_ROWS)];
};

const choiceLines = ({ suggestions }: PermissionRequest, { width, style }: QuestionOptions) => {
  const always = suggestions.length === 0 ? '' : 'a always  ';
  const rules = suggestions.flatMap((rule) => wrapText(harmless(rule).replaceAll('\n', ' '), width - 4));
  return [
    ...(rules.length === 0
      ? []
      : ['always, in this run, would allow:', ...rules.map((rule) => `    ${rule}`)]),
    ...wrapText(`y once  ${always}n deny  r deny with a reason  Ctrl-C stop the run`, width).map((line) =>
      style(line, 'warning'),
    ),
  ];
};
