import { posix } from 'node:path';

/** A fenced `ts` block of a document, and what it prints: the `text` block right behind it. */
export interface Snippet {
  readonly title: string;
  readonly code: string;
  readonly prints: string | undefined;
}

/** The snippets of a document, each named by the heading it stands under. */
export const snippetsOf = (markdown: string): readonly Snippet[] => {
  const fence = /^```ts\n([\s\S]*?)^```\n(?:\s*^```text\n([\s\S]*?)^```$)?/gm;
  return [...markdown.matchAll(fence)].map((match) => ({
    title: /^#+ (.*)$/.exec(headingsBefore(markdown, match.index).at(-1) ?? '')?.[1] ?? 'the beginning',
    code: match[1] ?? '',
    prints: match[2],
  }));
};

const headingsBefore = (markdown: string, index: number): readonly string[] =>
  markdown.slice(0, index).match(/^#+ .*$/gm) ?? [];

/** Where the entries of the package are written, from the project's folder. */
const sources: Readonly<Record<string, string>> = {
  millrace: 'src/index.js',
  'millrace/operators': 'operators/index.js',
  'millrace/marbles': 'marbles/index.js',
  'millrace/anthropic': 'src/adapters/anthropic/index.js',
  'millrace/node': 'src/node/index.js',
  'millrace/tools': 'src/tools/index.js',
};

/** The code with its imports of the package led to the source, as seen from a folder of the project. */
export const fromSource = (code: string, folder: string): string =>
  code.replace(/(from\s+')(millrace[\w/-]*)'/g, (_, before: string, name: string) => {
    const source = sources[name];
    if (source === undefined) throw new Error(`the package has no entry ${name}`);
    return `${before}${posix.relative(folder, source)}'`;
  });
