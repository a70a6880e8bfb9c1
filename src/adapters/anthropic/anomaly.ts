import type { ModelEvent } from '../../contract/index.js';

type Anomaly = Extract<ModelEvent, { type: 'anomaly' }>;

/** What a stream may do that the protocol does not foresee, and that it survives. */
export type AnomalyCode =
  | 'missing_field'
  | 'repeated_block_start'
  | 'stray_delta'
  | 'unknown_delta'
  | 'mismatched_delta'
  | 'stray_block_stop'
  | 'unknown_event'
  | 'outside_message'
  | 'after_message_end';

/** `what` follows "The stream holds". */
export const anomaly = (code: AnomalyCode, what: string, toolUseId = ''): Anomaly => ({
  type: 'anomaly',
  code,
  message: `The stream holds ${what}.`,
  ...(toolUseId === '' ? undefined : { toolUseId }),
});
