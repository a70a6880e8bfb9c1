export { type JsonSchema, type JsonSchemaFace, withInputJsonSchema } from './call/inputJsonSchema.js';
export type { ObjectSchema } from './call/objectRoot.js';
export {
  type ModelToolDefinition,
  type RefusedTool,
  type ToolDefinitions,
  type ToolDefinitionsOptions,
  toolDefinitions,
} from './call/toolDefinitions.js';
export * from './contract/index.js';
export { checkLaws, LawBrokenError, LawChecker } from './engine/checkLaws.js';
export { executeTools } from './engine/executeTools.js';
export { advance, lifecycle, type Phase } from './engine/lifecycle.js';
export { createPool } from './engine/pool.js';
export { type CallSnapshot, type CallStatus, TurnSnapshot, toolStates } from './engine/state.js';
export { type ToolResultMessageOptions, toolResultMessage } from './engine/toolResultMessage.js';
export { toAsyncIterable } from './interop/toAsyncIterable.js';
export {
  createPermissions,
  type HarmlessOptions,
  harmless,
  type ReadOnlyClassifierOptions,
  readOnlyClassifier,
} from './permissions/index.js';
export { toolUses } from './turn/toolUses.js';
