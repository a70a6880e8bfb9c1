import type { ToolEvent } from '../contract/events.js';
import type { Cause, Outcome } from '../contract/outcome.js';
import type { Tool } from '../contract/tool.js';
import type { ToolResultBlock } from '../contract/toolUse.js';
import {
  askPostToolUse,
  askPostToolUseFailure,
  type HookedCall,
  type HookNotes,
  type PendingHooks,
  type PostToolUseVerdict,
} from '../hooks/index.js';
import { messageOf } from '../results/json.js';
import { presentOutput, resultBlock } from '../results/present.js';
import type { Call } from './call.js';
import type { Guards } from './guards.js';
import { addAfter, hookHost, namesOf, toldBy } from './hooksOfCall.js';
import type { CallHost } from './host.js';
import { type Ending, outcomeOf } from './outcomes.js';

interface Owner {
  readonly call: Call;
  readonly host: CallHost;
  emit(event: ToolEvent): void;
}

/** How a call's tool has ended, with the block the model would read. */
export interface ToolEnd {
  readonly ending: Ending;
  readonly block: ToolResultBlock | undefined;
}

/**
 * The hooks behind a call whose tool has ended (SPEC §5.8). They may replace what the model reads and add to it; what
 * happened stands, also where they are broken.
 */
export class Aftermath {
  #pending: PendingHooks | undefined;
  #over = false;

  /** Which hooks hear of such an end: none after a stop by others, or where the tool was not run. */
  static hooksFor(guards: Guards | undefined, call: Call, { code }: Ending) {
    if (guards?.hooks === undefined || !call.called || call.outcome !== undefined) return undefined;
    if (code === 'ok') return guards.hooks.PostToolUse;
    const failed = code === 'tool_error' || code === 'timeout' || code === 'infrastructure';
    return failed ? guards.hooks.PostToolUseFailure : undefined;
  }

  constructor(
    private readonly owner: Owner,
    private readonly guards: Guards,
    private readonly end: ToolEnd,
    private readonly receive: (end: ToolEnd) => void,
  ) {}

  begin(): void {
    const { call, host } = this.owner;
    call.hooks.begin(host.now());
    const done = (end: ToolEnd): void => {
      call.hooks.end(host.now());
      this.#finish(end);
    };
    const pending = this.end.ending.code === 'ok' ? this.#askAboutOutput(done) : this.#askAboutFailure(done);
    if (!this.#over) this.#pending = pending;
  }

  /** Nobody waits for the hooks any more: what is known stands. */
  cancel(cause: Cause): void {
    if (this.#over) return;
    this.#pending?.cancel(cause);
    this.#finish(this.end);
  }

  /** The turn was left. */
  leave(cause: Cause): void {
    this.#over = true;
    this.#pending?.cancel(cause);
  }

  /** Left too, which is heard of later where this began while the turn was being subscribed to. */
  get isStopped(): boolean {
    return this.#over || this.owner.host.left;
  }

  #finish(end: ToolEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.receive(end);
  }

  get #about(): HookedCall & { readonly durationMs: number } {
    const { call } = this.owner;
    const tool = call.tool as Tool;
    const { toolUse, inputSide, ranUntil, startedAt } = call;
    return {
      toolUse,
      name: tool.name,
      names: namesOf(tool),
      input: inputSide,
      durationMs: ranUntil - startedAt,
    };
  }

  #askAboutOutput(done: (end: ToolEnd) => void): PendingHooks | undefined {
    const { owner, guards } = this;
    const about = { ...this.#about, output: owner.call.output };
    const host = hookHost('PostToolUse', owner, guards, this);
    return askPostToolUse(guards.hooks?.PostToolUse ?? [], about, host, (verdict) => {
      toldBy(verdict, owner);
      addAfter(owner.call, verdict.blocks);
      done(verdict.replacedBy.length === 0 ? this.end : this.#replaced(verdict));
    });
  }

  /** What a hook puts in place of the output is shown like that one; what can't be shown leaves the real one. */
  #replaced({ output, replacedBy }: PostToolUseVerdict): ToolEnd {
    const { call } = this.owner;
    try {
      const block = resultBlock(call.id, presentOutput(call.tool as Tool, output, call.id));
      return { ...this.end, block };
    } catch (error) {
      const hook = replacedBy[replacedBy.length - 1] ?? '';
      const text = `What the hook wanted shown in place of the output could not be shown: ${messageOf(error)}`;
      addAfter(call, [{ hook, text }]);
      return this.end;
    }
  }

  #askAboutFailure(done: (end: ToolEnd) => void): PendingHooks | undefined {
    const { owner, guards, end } = this;
    const { call, host } = owner;
    const outcome: Outcome = outcomeOf(end.ending, call.durations(host.now()));
    const about = { ...this.#about, outcome, error: end.ending.text, isInterrupt: false };
    const hooks = guards.hooks?.PostToolUseFailure ?? [];
    return askPostToolUseFailure(
      hooks,
      about,
      hookHost('PostToolUseFailure', owner, guards, this),
      (notes: HookNotes) => {
        toldBy(notes, owner);
        done(end);
      },
    );
  }
}
