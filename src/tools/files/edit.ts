import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool, failure, isFailure, type ToolFailure } from '../../contract/index.js';
import { type ToolOptions, workingDirectory } from '../workingDirectory.js';
import { ambiguousFailure, notFoundFailure } from './editFailure.js';
import { changedText } from './editText.js';
import { fileTargets } from './fileTargets.js';
import { withFsFailures } from './fsErrors.js';
import { missingFailure } from './missing.js';
import { readRegularFile } from './regularFile.js';
import { replaceFile } from './replaceFile.js';
import { occurrences, type Replaced, replaceAt, withLineEndsOf } from './replaceText.js';
import { lookAt, notRegularFailure } from './target.js';

/** Bytes; a larger file would hold up everything else while a word in it is changed. */
const MAX_BYTES = 10_000_000;
/** Places replaced by one call; the shown lines and the memory grow with them. */
const MAX_REPLACEMENTS = 100_000;

/** What `Edit` ends with. */
export interface EditOutput {
  /** Absolute path. */
  readonly path: string;
  readonly replacements: number;
  /** What was done, and the changed lines with their numbers. */
  readonly text: string;
}

const inputSchema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  old_string: z.string().describe('The text to replace, exactly as it is in the file, white space included.'),
  new_string: z.string().describe('The text to put in its place.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence. Default false.'),
});
type EditInput = z.infer<typeof inputSchema>;

/** The tool `Edit`: replaces text in a file, exactly. Never overlaps another call. */
export const edit = (options: ToolOptions) => {
  const cwd = workingDirectory(options.cwd);
  return defineTool({
    name: 'Edit',
    description: `Replaces text in a file. \`old_string\` must match exactly, white space included, and be found once.

- Take \`old_string\` from what Read shows, without the line number and the tab.
- If it is found several times, add lines around it, or set \`replace_all\`.
- To create a file use Write.`,
    inputSchema,
    kind: 'file',
    isReadOnly: () => false,
    isDestructive: () => false,
    ruleTargets: ({ file_path }) => fileTargets(resolve(cwd, file_path), 'edit'),
    call: (input, ctx) => {
      const path = resolve(cwd, input.file_path);
      return withFsFailures(`edit ${path}`, () => editFile(path, input, ctx.signal));
    },
    mapResult: ({ text }) => text,
  });
};

const editFile = async (
  path: string,
  input: EditInput,
  signal: AbortSignal,
): Promise<EditOutput | ToolFailure> => {
  const found = await lookAt(path);
  if (found === undefined) return missingFailure(path, 'File');
  if (isFailure(found)) return found;
  const bytes = await readRegularFile(path, MAX_BYTES, signal);
  if (bytes === 'large') return failure(`${path} is larger than ${MAX_BYTES} bytes. Change it with Bash.`);
  if (bytes === 'not-regular') return notRegularFailure(path);
  const text = decode(bytes);
  if (text === undefined) return failure(`${path} is no text in UTF-8; an edit would damage it.`);
  const replaced = replaceIn(path, text, input);
  if (isFailure(replaced)) return replaced;
  const stopped = await replaceFile(path, replaced.text, found, signal);
  if (stopped !== undefined) return stopped;
  return { path, replacements: replaced.changes.length, text: changedText(path, replaced) };
};

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    // A byte order mark is part of the file and stays.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const replaceIn = (path: string, text: string, input: EditInput): Replaced | ToolFailure => {
  const { old_string, new_string, replace_all = false } = input;
  if (old_string === new_string)
    return failure('old_string and new_string are equal: there is nothing to change.');
  if (old_string === '')
    return failure('old_string is empty. Give the text to replace, or create a file with Write.');
  const part = withLineEndsOf(text, old_string);
  const positions = occurrences(text, part, MAX_REPLACEMENTS + 1);
  if (positions.length === 0) return notFoundFailure(path, text, old_string);
  if (positions.length > MAX_REPLACEMENTS)
    return failure(`old_string was found more than ${MAX_REPLACEMENTS} times. Change the file with Bash.`);
  if (positions.length > 1 && !replace_all) return ambiguousFailure(path, text, positions);
  return replaceAt(text, part, withLineEndsOf(text, new_string), positions);
};
