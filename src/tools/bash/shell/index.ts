export type { ShellPlace } from './directories.js';
export { answeringCommand, type ExitCodeMeaning, exitCodeMeaning, type ShellPresets } from './exitCodes.js';
export { MAX_SHELL_CHARS, parseShell } from './parse.js';
export { isReadOnlyCommand } from './readOnly.js';
export type {
  ParsedShell,
  ShellNode,
  ShellWord,
  SimpleCommand,
  UnparsedShell,
  WordPiece,
} from './syntax.js';
export { simpleCommands } from './syntax.js';
export { shellTargets } from './targets.js';
