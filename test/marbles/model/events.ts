import type { CallEvent, ToolEvent, WaitReason } from '../../../src/contract/events.js';
import type { Cause, Outcome, OutcomeCode } from '../../../src/contract/outcome.js';

/** Events of one call, written by hand: every method adds one and returns the call. */
export interface CallScript {
  readonly id: string;
  input(...at: number[]): CallScript;
  queued(
    at: number,
    place: { index: number; batch: number; safe: boolean; messageId?: string; input?: unknown },
  ): CallScript;
  waiting(at: number, reason: WaitReason, on?: readonly string[], count?: number): CallScript;
  hook(at: number, phase: 'started' | 'ended'): CallScript;
  permission(at: number, phase: 'asked' | 'classifying' | 'decided'): CallScript;
  started(at: number, attempt?: number): CallScript;
  progress(...at: number[]): CallScript;
  failed(at: number, attempt: number, message: string, delayMs: number, by?: Cause): CallScript;
  stopping(at: number, cause: Cause): CallScript;
  completed(at: number, code?: OutcomeCode, more?: Partial<Outcome>): CallScript;
  result(at: number): CallScript;
  /** `completed` and `result` in one instant. */
  done(at: number, code?: OutcomeCode, more?: Partial<Outcome>): CallScript;
}

const durations = { queued: 0, hooks: 0, permission: 0, running: 0, held: 0 };

/** A turn written by hand; `events()` orders by time, in one instant by the order of writing. */
export class TurnScript {
  private readonly written: ToolEvent[] = [];

  add(event: ToolEvent): this {
    this.written.push(event);
    return this;
  }

  events(): readonly ToolEvent[] {
    return [...this.written].sort((a, b) => a.at - b.at);
  }

  call(id: string, name = 'tool'): CallScript {
    let outcome: Outcome = { code: 'ok', executed: 'yes', durations };
    const of = { toolUseId: id, name };
    const add = (event: CallEvent): CallScript => {
      this.written.push(event);
      return script;
    };
    const script: CallScript = {
      id,
      input: (...times) => {
        for (const at of times) add({ ...of, type: 'input-delta', at, input: {} });
        return script;
      },
      queued: (at, { index, batch, safe, messageId, input = {} }) => {
        const toolUse = { type: 'tool_use' as const, id, name, input, ...(messageId && { messageId }) };
        return add({ ...of, type: 'queued', at, toolUse, index, batch, isConcurrencySafe: safe });
      },
      waiting: (at, reason, on = [], count = on.length) =>
        add({ ...of, type: 'waiting', at, reason, on, count }),
      hook: (at, phase) => add({ ...of, type: 'hook', at, point: 'PreToolUse', hook: 'check', phase }),
      permission: (at, phase) => add({ ...of, type: 'permission', at, phase }),
      started: (at, attempt = 1) => add({ ...of, type: 'started', at, attempt }),
      progress: (...times) => {
        for (const at of times) add({ ...of, type: 'progress', at, data: at });
        return script;
      },
      failed: (at, attempt, message, delayMs, by) => {
        const event = { ...of, type: 'attempt-failed' as const, at, attempt, error: { message }, delayMs };
        return add(by ? Object.assign(event, { by }) : event);
      },
      stopping: (at, cause) => add({ ...of, type: 'stopping', at, cause }),
      completed: (at, code = 'ok', more = {}) => {
        outcome = { code, executed: 'yes', durations, ...more };
        return add({ ...of, type: 'completed', at, outcome });
      },
      result: (at) => {
        const block = { type: 'tool_result' as const, tool_use_id: id, content: '' };
        return add({ ...of, type: 'result', at, block, outcome, synthetic: outcome.code !== 'ok' });
      },
      done: (at, code, more) => script.completed(at, code, more).result(at),
    };
    return script;
  }
}
