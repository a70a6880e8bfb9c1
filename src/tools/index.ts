export { type BashOptions, type BashProgress, bash } from './bash/bash.js';
export type { BashFailureData, BashOutput } from './bash/bashResult.js';
export { builtinTools } from './builtinTools.js';
export { type EditOutput, edit } from './files/edit.js';
export { type ReadOutput, read } from './files/read.js';
export { type WriteOutput, write } from './files/write.js';
export { type GlobOutput, glob } from './search/glob.js';
export { type GrepOutput, grep } from './search/grep.js';
export type { ToolOptions } from './workingDirectory.js';
