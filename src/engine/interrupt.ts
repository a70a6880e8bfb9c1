import type { Call, Stop } from '../call/call.js';
import type { Turn } from './turn.js';

/**
 * Stops the turn, for the user (`interrupt$`) or for the program (`signal`): what waits is answered, what runs
 * is asked to stop, but for tools that finish when it is the user who asks (SPEC §6).
 *
 * @param refuse ends the call whose denial this is, once nothing can begin in its stead
 */
export const interrupt = (turn: Turn, stop: Stop, refuse: () => void): void => {
  // A discard goes further than this, but for the grace it leaves.
  if (turn.discardCause !== undefined) {
    refuse();
    if (stop.atOnce === true) for (const call of turn.calls) call.run?.requestStop(stop);
    return;
  }
  const first = turn.stop === undefined;
  const byUser = stop.cause.type === 'user';
  // The program's signal also stops what was left to finish; a second word of the user changes nothing.
  if (!first && byUser) {
    refuse();
    return;
  }
  // Set before anything ends: a slot that becomes free starts nothing any more.
  turn.stop ??= stop;
  if (first) {
    const by = 'reason' in stop.cause ? stop.cause.reason : '';
    turn.out.next({ type: 'stop', at: turn.now(), reason: byUser ? 'interrupted' : 'aborted', by });
  }
  refuse();
  turn.intake.flush();
  for (let i = 0; i < turn.calls.length; i++) {
    const call = turn.calls[i];
    if (call === undefined) break;
    if (byUser && mayFinish(call)) continue;
    turn.stopCall(call, stop);
  }
  turn.endHooks?.(stop.cause);
};

/** What its tool has begun may be finished; between two attempts nothing is. */
const mayFinish = (call: Call): boolean =>
  call.called && call.run?.rests === false && call.tool?.onInterrupt === 'finish';
