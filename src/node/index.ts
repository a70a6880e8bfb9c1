export { type ClaudeSettings, type ClaudeSettingsOptions, loadClaudeSettings } from './claudeSettings.js';
export { type CommandHookOptions, commandHook } from './commandHook.js';
export { type BashLimits, type EnvLimits, limitsFromEnv } from './env.js';
export type { HookSession } from './hookPayload.js';
export { type HttpHookOptions, httpHook } from './httpHook.js';
export type {
  ProcessChunk,
  ProcessEvent,
  ProcessExit,
  ProcessGroupOptions,
  ProcessNotStarted,
} from './processEvents.js';
export { processGroup } from './processGroup.js';
export { SettingsError } from './settingsFile.js';
