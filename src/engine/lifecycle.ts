import type { CallEvent, ToolEvent } from '../contract/events.js';

/** Where a call is in its life, as its events tell. */
export type Phase = 'new' | 'queued' | 'running' | 'stopping' | 'backoff' | 'completed' | 'yielded';

type CallEventType = CallEvent['type'] | 'anomaly';

/**
 * The legal steps of a call, as a table: what may happen in which phase, and where it leads (SPEC §5). What is
 * not in it is a defect of millrace or of a recording.
 *
 * A schema that answers later lets a call wait before it is queued, for a batch can't be named until then.
 */
export const lifecycle = {
  new: { 'input-delta': 'new', waiting: 'new', queued: 'queued', anomaly: 'new' },
  queued: {
    waiting: 'queued',
    hook: 'queued',
    permission: 'queued',
    started: 'running',
    completed: 'completed',
    anomaly: 'queued',
  },
  running: {
    progress: 'running',
    hook: 'running',
    stopping: 'stopping',
    'attempt-failed': 'backoff',
    completed: 'completed',
    anomaly: 'running',
  },
  stopping: { progress: 'stopping', hook: 'stopping', completed: 'completed', anomaly: 'stopping' },
  backoff: {
    waiting: 'backoff',
    // The call's own limit may end it there, and hooks hear of that.
    hook: 'backoff',
    started: 'running',
    completed: 'completed',
    anomaly: 'backoff',
  },
  completed: { result: 'yielded', anomaly: 'completed' },
  yielded: { anomaly: 'yielded' },
} as const satisfies Record<Phase, Partial<Record<CallEventType, Phase>>>;

/** The phase after a step, or `undefined` where the step is not legal. */
export const advance = (phase: Phase, type: ToolEvent['type']): Phase | undefined =>
  (lifecycle[phase] as Partial<Record<ToolEvent['type'], Phase>>)[type];
