import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool, isFailure, type ToolFailure } from '../../contract/index.js';
import { type ToolOptions, workingDirectory } from '../workingDirectory.js';
import { fileTargets } from './fileTargets.js';
import { withFsFailures } from './fsErrors.js';
import { countLines, plural } from './lines.js';
import { replaceFile } from './replaceFile.js';
import { lookAt } from './target.js';

/** What `Write` ends with. */
export interface WriteOutput {
  /** Absolute path. */
  readonly path: string;
  readonly action: 'created' | 'overwritten';
  readonly lineCount: number;
}

const inputSchema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, absolute or relative to the working directory.'),
  content: z.string().describe('The whole new text of the file.'),
});

/** The tool `Write`: a whole file, new or in place of what was there. Never overlaps another call. */
export const write = (options: ToolOptions) => {
  const cwd = workingDirectory(options.cwd);
  return defineTool({
    name: 'Write',
    description: `Writes a whole text file, and makes the folders it needs. What the file held before is lost.

- To change parts of a file use Edit.
- Read a file before you overwrite it.`,
    inputSchema,
    kind: 'file',
    isReadOnly: () => false,
    isDestructive: () => true,
    ruleTargets: ({ file_path }) => fileTargets(resolve(cwd, file_path), 'edit'),
    call: ({ file_path, content }, ctx) => {
      const path = resolve(cwd, file_path);
      return withFsFailures(`write ${path}`, () => writeWhole(path, content, ctx.signal));
    },
    mapResult: ({ path, action, lineCount }) =>
      `${action === 'created' ? 'Created' : 'Overwrote'} ${path} (${plural(lineCount, 'line')}).`,
  });
};

const writeWhole = async (
  path: string,
  content: string,
  signal: AbortSignal,
): Promise<WriteOutput | ToolFailure> => {
  const found = await lookAt(path);
  if (isFailure(found)) return found;
  const stopped = await replaceFile(path, content, found, signal);
  const action = found === undefined ? 'created' : 'overwritten';
  return stopped ?? { path, action, lineCount: countLines(content) };
};
