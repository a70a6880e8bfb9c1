export type {
  ProcessChunk,
  ProcessEvent,
  ProcessExit,
  ProcessGroupOptions,
  ProcessNotStarted,
} from './processEvents.js';
export { processGroup } from './processGroup.js';
