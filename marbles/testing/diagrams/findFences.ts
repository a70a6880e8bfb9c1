import type { Diagram } from './parseDiagram.js';

/** A fence in a doc comment or a Markdown file. */
export interface Fence {
  /** The word behind the backticks: `marbles`, `rows`, `ts`. */
  readonly language: string;
  /** Words behind it without `=`: the operator's name, where the file does not say it. */
  readonly words: readonly string[];
  readonly options: Diagram['options'];
  readonly text: string;
  /** The line of the fence, from 1. */
  readonly line: number;
}

const begins = /^\s*(?:\*\s?)?```(\w+)(.*)$/;
const ends = /^\s*(?:\*\s?)?```\s*$/;

/** All fences of a text that name a language; the stars of a doc comment don't count. */
export const findFences = (source: string): readonly Fence[] => {
  const fences: Fence[] = [];
  let open: { readonly head: RegExpExecArray; readonly line: number; readonly body: string[] } | undefined;
  source.split(/\r?\n/).forEach((raw, index) => {
    const head = begins.exec(raw);
    if (open === undefined && head !== null) open = { head, line: index + 1, body: [] };
    else if (open !== undefined && ends.test(raw)) {
      fences.push(toFence(open));
      open = undefined;
    } else open?.body.push(raw.replace(/^\s*\* ?/, ''));
  });
  return fences;
};

const toFence = ({
  head,
  line,
  body,
}: {
  readonly head: RegExpExecArray;
  readonly line: number;
  readonly body: readonly string[];
}): Fence => {
  const words = (head[2] ?? '').split(/\s+/).filter((word) => word !== '');
  const pairs = words.filter((word) => word.includes('=')).map((word) => word.split('=', 2));
  return {
    language: head[1] as string,
    words: words.filter((word) => !word.includes('=')),
    options: Object.fromEntries(pairs) as Record<string, string>,
    text: body.join('\n'),
    line,
  };
};
