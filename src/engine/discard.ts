import { emitResult } from '../call/answer.js';
import type { Call } from '../call/call.js';
import { discarded } from '../call/outcomes.js';
import type { LedgerEntry, ToolEvent } from '../contract/events.js';
import type { Cause, Outcome } from '../contract/outcome.js';
import type { Turn } from './turn.js';
import { batchOf } from './turn.js';

/**
 * Abandons the attempt (SPEC §9): every call is answered in call order, tools are asked to stop, one tombstone
 * for each message. Then silence, until the last place has ended: `discardedEvent` says what had taken effect.
 */
export const discard = (turn: Turn, reason: string): void => {
  if (turn.discardCause !== undefined) return;
  const cause: Cause = { type: 'discard', reason };
  turn.discardCause = reason;
  turn.stop = { code: 'discarded', cause };
  turn.intake.flush();
  for (const call of turn.calls) {
    if (call.outcome === undefined) turn.answer(call, discarded(call, cause));
    else if (!call.answered) emitResult(call, true, turn.out);
  }
  for (const target of tombstones(turn)) turn.out.next({ type: 'tombstone', at: turn.now(), target });
  // Last: a tool that stops at once may be the end of the turn.
  for (const call of turn.calls) call.run?.requestStop(turn.stop);
  closeAdmission(turn);
  turn.endHooks?.(cause);
};

/** No more calls: the chain ends when the last place has. */
export const closeAdmission = (turn: Turn): void => {
  turn.admissionClosed.trip();
  // Where the source had ended by itself, and admission waited for a schema.
  turn.intake.end();
};

type Target = { readonly messageId: string } | { readonly toolUseId: string };

/** One for each assistant message, and for each result that had been delivered. */
const tombstones = (turn: Turn): readonly Target[] => {
  const messages = new Set(turn.calls.map((call) => call.toolUse.messageId).filter((id) => id !== undefined));
  return [
    ...[...messages].map((messageId) => ({ messageId })),
    // A call whose message is not known is withdrawn by itself.
    ...turn.calls
      .filter((call) => call.delivered || call.toolUse.messageId === undefined)
      .map((call) => ({ toolUseId: call.id })),
  ];
};

export const discardedEvent = (turn: Turn): ToolEvent => ({
  type: 'discarded',
  at: turn.now(),
  cause: turn.discardCause ?? '',
  ...(turn.sourceError === undefined ? undefined : { error: turn.sourceError }),
  messages: tombstones(turn).length,
  ledger: turn.calls.map(ledgerEntry),
});

const ledgerEntry = (call: Call): LedgerEntry => {
  const entry = {
    toolUse: call.toolUse,
    name: call.name,
    isConcurrencySafe: batchOf(call).isConcurrencySafe,
  };
  const outcome = call.afterDiscard ?? (call.outcome as Outcome);
  // Answered by the discard and nothing heard of the tool since: its own outcome is not known.
  if (outcome.code === 'discarded') return { ...entry, executed: outcome.executed };
  return {
    ...entry,
    executed: outcome.executed,
    outcome,
    ...(call.block === undefined ? undefined : { block: call.block }),
    ...(outcome.code === 'ok' ? { output: call.output } : undefined),
    ...(call.newMessages === undefined ? undefined : { newMessages: call.newMessages }),
    ...(call.modifyContext === undefined ? undefined : { modifyContext: call.modifyContext }),
  };
};
