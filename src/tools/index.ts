export {
  type BackgroundCommand,
  type BackgroundCommands,
  type BackgroundEnd,
  createBackgroundCommands,
  type NewBackgroundCommand,
} from './bash/backgroundCommands.js';
export { bash } from './bash/bash.js';
export type { BashFailureData, BashOutput } from './bash/bashResult.js';
export type { BashOptions } from './bash/bashSettings.js';
export type { BashProgress } from './bash/commandCall.js';
export { type BuiltinToolsOptions, builtinTools } from './builtinTools.js';
export { type EditOutput, edit } from './files/edit.js';
export { type ReadOutput, read } from './files/read.js';
export { type WriteOutput, write } from './files/write.js';
export { hiddenBy } from './hiddenBy.js';
export { type GlobOutput, glob } from './search/glob.js';
export { type GrepOutput, grep } from './search/grep.js';
export type { ReadingOptions, SearchOptions, ToolOptions } from './workingDirectory.js';
