import type { ToolMap } from '../contract/index.js';
import { bash } from './bash/bash.js';
import type { BashOptions } from './bash/bashSettings.js';
import { edit } from './files/edit.js';
import { read } from './files/read.js';
import { write } from './files/write.js';
import { glob } from './search/glob.js';
import { grep } from './search/grep.js';
import type { SearchOptions } from './workingDirectory.js';

/** Options of all built-in tools; `Bash` has the most. */
export type BuiltinToolsOptions = BashOptions & SearchOptions;

/**
 * All built-in tools for one working directory, by name.
 *
 * @throws InvalidOptionError where `cwd` is not absolute.
 * @example
 * ```ts
 * toolUse$.pipe(executeTools({ tools: builtinTools({ cwd: process.cwd() }) }));
 * ```
 */
export const builtinTools = (options: BuiltinToolsOptions) =>
  ({
    Bash: bash(options),
    Read: read(options),
    Write: write(options),
    Edit: edit(options),
    Glob: glob(options),
    Grep: grep(options),
  }) satisfies ToolMap;
