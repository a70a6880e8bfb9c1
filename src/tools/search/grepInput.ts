import { z } from 'zod';

/** Lines of a result where the call names no limit. */
export const DEFAULT_HEAD_LIMIT = 250;

const lineCount = z.int().min(0).optional();

export const grepInput = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression as ripgrep has it (RE2), tested on each line.'),
  path: z.string().min(1).optional().describe('File or folder to search. Default: the working directory.'),
  glob: z.string().min(1).optional().describe('Only files like this: `*.ts`, `src/**/*.js`, `!*.test.ts`.'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe(
      '`content`: matching lines; `files_with_matches` (default): paths; `count`: matching lines a file.',
    ),
  '-i': z.boolean().optional().describe('Ignore case.'),
  '-n': z.boolean().optional().describe('Line numbers, in `content` only. Default true.'),
  '-A': lineCount.describe('Lines to show after each match, in `content` only.'),
  '-B': lineCount.describe('Lines to show before each match, in `content` only.'),
  '-C': lineCount.describe('Lines to show before and after each match, in `content` only.'),
  head_limit: lineCount.describe(`Lines of the result. Default ${DEFAULT_HEAD_LIMIT}; 0 is no limit.`),
});

export type GrepInput = z.infer<typeof grepInput>;
