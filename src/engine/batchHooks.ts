import type { Guards } from '../call/guards.js';
import { hookMessage } from '../call/hooksOfCall.js';
import type { ToolEvent } from '../contract/events.js';
import type { PostToolBatchInput } from '../contract/hooks.js';
import type { Cause, Outcome } from '../contract/outcome.js';
import type { ToolResultBlock } from '../contract/toolUse.js';
import {
  askPostToolBatch,
  type HookHost,
  type PendingHooks,
  type PostToolBatchVerdict,
} from '../hooks/index.js';
import { modeOf } from '../permissions/index.js';
import type { Turn } from './turn.js';

interface Out {
  next(event: ToolEvent): void;
}

/**
 * The hooks behind a turn (SPEC §5.10): asked once, with all results in call order, before its end. A stop of the turn
 * ends the asking, and the turn with it.
 */
export const askAboutTurn = (turn: Turn, guards: Guards, out: Out, done: () => void): void => {
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    turn.endHooks = undefined;
    done();
  };
  let pending: PendingHooks | undefined;
  let stop: Cause | undefined;
  // Before they are asked: a hook, or who watches, may stop the turn at once.
  turn.endHooks = (cause) => {
    stop = cause;
    pending?.cancel(cause);
    finish();
  };
  const hooks = guards.hooks?.PostToolBatch ?? [];
  pending = askPostToolBatch(hooks, callsOf(turn), hostOf(turn, guards, out), (verdict) => {
    if (over) return;
    tell(turn, verdict, out);
    finish();
  });
  if (stop !== undefined) pending?.cancel(stop);
};

const callsOf = ({ calls }: Turn): PostToolBatchInput['calls'] =>
  calls.map(({ toolUse, name, inputSide, outcome, block }) => ({
    toolUse,
    name,
    input: inputSide ?? toolUse.input,
    outcome: outcome as Outcome,
    block: block as ToolResultBlock,
  }));

const hostOf = (turn: Turn, guards: Guards, out: Out): HookHost => {
  const mode = modeOf(guards.permissions, turn.context);
  return {
    clock: turn.deadlines,
    scheduler: turn.scheduler,
    context: turn.context,
    permissionMode: typeof mode === 'string' ? mode : 'dontAsk',
    timeoutMs: guards.hookTimeoutMs,
    ...(guards.store === undefined ? undefined : { store: guards.store('PostToolBatch') }),
    tick: () => turn.tick(),
    isStopped: () => turn.stop !== undefined || turn.left,
    onHook: (told) => out.next({ type: 'turn-hook', at: turn.now(), point: 'PostToolBatch', ...told }),
  };
};

const tell = (turn: Turn, { contexts, blocks, stops, warnings }: PostToolBatchVerdict, out: Out): void => {
  for (const { hook, text } of warnings) turn.anomaly('hook_warning', `${hook}: ${text}`);
  const messages = [...blocks, ...contexts].map(({ hook, text }) => hookMessage(hook, text));
  if (messages.length > 0) out.next({ type: 'after', at: turn.now(), messages });
  for (const { hook, text } of blocks) turn.wantStop('hook', hook, text);
  for (const { hook, reason } of stops) turn.wantStop('hook', hook, reason);
};
