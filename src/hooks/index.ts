export type { HookHost, HookTold, PendingHooks } from './hookPoint.js';
export type {
  Condition,
  ConditionCall,
  ConditionCallFor,
  ConditionParser,
  HookSet,
  ReadyHook,
} from './hookSet.js';
export type { HookClock } from './inquiry.js';
export type { TextStore } from './longText.js';
export { readMatcher } from './matcher.js';
export type { HookFailure, HookNotes, HookStop, HookText } from './notes.js';
export type { HookedRequest, PermissionRequestVerdict, PermissionUpdates } from './permissionRequest.js';
export { askPermissionRequest } from './permissionRequest.js';
export { askPostToolBatch, type PostToolBatchVerdict } from './postToolBatch.js';
export type { HookedFailure, HookedOutput, PostToolUseVerdict } from './postToolUse.js';
export { askPostToolUse, askPostToolUseFailure } from './postToolUse.js';
export type { HookedCall, PreToolUseDecision, PreToolUseVerdict } from './preToolUse.js';
export { askPreToolUse } from './preToolUse.js';
export { hookEvents, readHooks } from './readHooks.js';
