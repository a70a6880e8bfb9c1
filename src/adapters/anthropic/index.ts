export { type ModelEventsOptions, modelEvents } from './modelEvents.js';
export type { ModelSource, ModelSourceItem } from './source.js';
