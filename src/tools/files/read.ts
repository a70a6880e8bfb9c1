import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool, failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { type ReadingOptions, readingFolders, workingDirectory } from '../workingDirectory.js';
import { fileTargets, readPermission } from './fileTargets.js';
import { withFsFailures } from './fsErrors.js';
import { MAX_LINE_CHARS, numbered, plural } from './lines.js';
import { missingFailure } from './missing.js';
import { type LineRange, readLines } from './readLines.js';
import { lookAt, notRegularFailure } from './target.js';

/** Lines read where the call names no limit. */
const DEFAULT_LIMIT = 2000;
/** Characters of one result; more is read in pieces. */
const MAX_CHARS = 100_000;

/** What `Read` ends with. */
export interface ReadOutput {
  /** Absolute path. */
  readonly path: string;
  /** The lines with their numbers, and a note where the file goes on. */
  readonly text: string;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lineCount: number;
  /** Whether the file goes on after them. */
  readonly more: boolean;
}

const inputSchema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  offset: z.int().min(0).optional().describe('Number of the first line to read, from 1.'),
  limit: z.int().min(1).optional().describe(`How many lines to read. Default ${DEFAULT_LIMIT}.`),
});

/** The tool `Read`: lines of a text file, numbered. Safe to overlap. */
export const read = (options: ReadingOptions) => {
  const cwd = workingDirectory(options.cwd);
  const folders = readingFolders(options);
  const targets = (path: string) => fileTargets(resolve(cwd, path), 'read');
  return defineTool({
    name: 'Read',
    description: `Reads a text file. Each line comes with its number and a tab before it, which are not part of the file.

- Reads up to ${DEFAULT_LIMIT} lines from the start; for more, or another part, give \`offset\` and \`limit\`.
- Lines of more than ${MAX_LINE_CHARS} characters are cut.
- Reads no directories (use Glob) and no binary files.
- Several files can be read at once: make the calls together.`,
    inputSchema,
    kind: 'file',
    isConcurrencySafe: () => true,
    isReadOnly: () => true,
    isDestructive: () => false,
    ruleTargets: ({ file_path }) => targets(file_path),
    checkPermissions: ({ file_path }) => readPermission(targets(file_path), folders),
    call: ({ file_path, offset = 1, limit = DEFAULT_LIMIT }, ctx) => {
      const path = resolve(cwd, file_path);
      return withFsFailures(`read ${path}`, () => readRange(path, Math.max(1, offset), limit, ctx.signal));
    },
    mapResult: ({ text }) => text,
    // Bounded by itself: a stored result would have to be read with this very tool.
    maxResultSizeChars: Number.POSITIVE_INFINITY,
  });
};

const readRange = async (
  path: string,
  first: number,
  limit: number,
  signal: AbortSignal,
): Promise<ReadOutput | ToolFailure> => {
  const found = await lookAt(path);
  if (found === undefined) return missingFailure(path, 'File');
  if (isFailure(found)) return found;
  const range = await readLines(path, { first, limit, maxChars: MAX_CHARS, signal });
  if (range === undefined) return notRegularFailure(path);
  if (range.binary)
    return failure(`${path} is a binary file (it holds NUL bytes), which can't be shown as text.`);
  const { lines, more } = range;
  if (lines.length === 0 && range.counted > 0) {
    return failure(`${path} has only ${plural(range.counted, 'line')}; line ${first} is after its end.`);
  }
  return { path, text: textOf(range, first), firstLine: first, lineCount: lines.length, more };
};

const textOf = ({ lines, more }: LineRange, first: number): string => {
  if (lines.length === 0) return '[the file is empty]';
  const text = lines.map((line, index) => numbered(line, first + index)).join('\n');
  const next = first + lines.length;
  return more ? `${text}\n[the file goes on; read further with offset ${next}]` : text;
};
