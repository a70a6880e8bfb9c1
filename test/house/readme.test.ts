import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { root, textOf } from './projectFiles.js';
import { fromSource, type Snippet, snippetsOf } from './snippets.js';

/** Written into a folder that git and the linter leave alone, and taken away again. */
const folder = `reports/snippets-${process.pid}`;
const fixture = join(root, 'test/fixtures/streams/text-and-two-tools.sse');

/** What stands in for the network and the test runner when a snippet is run. */
const standIns: Readonly<Record<string, string>> = {
  '@anthropic-ai/sdk': `
    import { readFileSync } from 'node:fs';
    import Anthropic from '@anthropic-ai/sdk';
    const reply = () => new Response(readFileSync(${JSON.stringify(fixture)}), {
      headers: { 'content-type': 'text/event-stream' },
    });
    export default class extends Anthropic {
      constructor() {
        super({ apiKey: 'none', fetch: async () => reply() });
      }
    }`,
  vitest: 'export const it = (name, body) => { body(); console.log("passed:", name); };',
};

const documents = ['README.md', 'CHANGELOG.md', 'docs/hooks.md'].map((name) => ({
  name,
  snippets: snippetsOf(textOf(name)),
}));
const all = documents.flatMap(({ name, snippets }) =>
  snippets.map((snippet, index) => ({
    ...snippet,
    file: `${name.replace('/', '-')}-${index + 1}.ts`.toLowerCase(),
    name,
  })),
);

const write = (file: string, text: string): string => {
  const path = join(root, folder, file);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  mkdirSync(join(root, folder), { recursive: true });
  Object.values(standIns).forEach((text, index) => {
    write(`stand-in-${index}.js`, text);
  });
});
afterAll(() => rmSync(join(root, folder), { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const typeErrors = (paths: readonly string[]): readonly string[] => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(paths, { ...options, noUnusedLocals: false });
  return paths.flatMap((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
};

/** Runs a snippet to its end and returns what it printed. */
const run = async ({ code }: Snippet, file: string): Promise<string> => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values) => {
    printed.push(`${format(...values)}\n`);
  });
  const alone = Object.keys(standIns).reduce(
    (text, name, index) => text.replace(`from '${name}'`, `from './stand-in-${index}.js'`),
    fromSource(code, folder),
  );
  await import(/* @vite-ignore */ pathToFileURL(write(`run-${file}`, alone)).href);
  return printed.join('');
};

describe.each(documents)('$name', ({ snippets }) => {
  it('has snippets', () => {
    expect(snippets.length).toBeGreaterThan(0);
  });
});

describe('a snippet', () => {
  it('has the right types', () => {
    const paths = all.map(({ file, code }) => write(file, fromSource(code, folder)));
    expect(typeErrors(paths)).toEqual([]);
  }, 60_000);

  it.each(all)('of $name runs: $title', async (snippet) => {
    const printed = await run(snippet, snippet.file);
    if (snippet.prints === undefined) expect(printed).toContain('passed:');
    else expect(printed).toBe(snippet.prints);
  });
});

describe('the check', () => {
  it('finds each snippet, its heading and what it prints', () => {
    const text = '# A\n\n```ts\na;\n```\n\n```text\n1\n```\n\n## B\n```ts\nb;\n```\n```rows\na ^|\n```\n';
    expect(snippetsOf(text)).toEqual([
      { title: 'A', code: 'a;\n', prints: '1\n' },
      { title: 'B', code: 'b;\n', prints: undefined },
    ]);
  });

  it('leads imports to the source, and refuses an entry that does not exist', () => {
    expect(fromSource("import { a } from 'millrace/tools';", 'reports/x')).toBe(
      "import { a } from '../../src/tools/index.js';",
    );
    expect(() => fromSource("import { a } from 'millrace/nothing';", 'reports/x')).toThrow('no entry');
  });

  it('sees a type that is wrong', () => {
    const path = write('wrong.ts', fromSource("import { failure } from 'millrace';\nfailure(1);", folder));
    expect(typeErrors([path])).toEqual([expect.stringContaining("'number' is not assignable")]);
  }, 60_000);

  it('fails on what a snippet throws', async () => {
    const snippet = { title: '', code: "throw new Error('no');", prints: undefined };
    await expect(run(snippet, 'throws.ts')).rejects.toThrow('no');
  });
});
