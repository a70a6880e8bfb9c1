import { disown } from '../interop/disown.js';
import { messageOf } from '../results/json.js';
import type { Call } from './call.js';
import type { CallHost } from './host.js';
import type { Ending } from './outcomes.js';

/** Whether a call's end cancels its siblings: only one that had started and failed of itself, and whose tool says so. */
export const cascades = (call: Call, { code, error }: Ending, failure: unknown, host: CallHost): boolean => {
  const rule = call.tool?.abortsSiblings;
  if (!call.called || rule === undefined || rule === false) return false;
  if (code !== 'tool_error' && code !== 'infrastructure' && code !== 'timeout') return false;
  if (rule === true) return true;
  try {
    const answer: unknown = rule(failure ?? error, call.toolUse);
    if (disown(answer)) throw new TypeError('it answered with a promise, which is no answer in time');
    return answer === true;
  } catch (thrown) {
    host.anomaly('cascade_check_failed', `abortsSiblings failed: ${messageOf(thrown)}`, call);
    return false;
  }
};
