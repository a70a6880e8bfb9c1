import type { SchedulerLike } from 'rxjs';
import type { ToolEvent } from '../contract/events.js';
import type { HookEventName } from '../contract/hooks.js';
import type { PermissionMode } from '../contract/permissions.js';
import type { Tool } from '../contract/tool.js';
import type { Message } from '../contract/toolUse.js';
import type { HookClock, HookHost, HookNotes, HookText, HookTold, TextStore } from '../hooks/index.js';
import { modeOf } from '../permissions/index.js';
import type { Call } from './call.js';
import type { Guards } from './guards.js';
import type { CallHost } from './host.js';

interface Hooked {
  readonly call: Call;
  readonly host: CallHost;
  emit(event: ToolEvent): void;
}

/** Who has hooks asked, and may not want to hear any more. */
interface Asking {
  readonly isStopped: boolean;
}

/** All names of a tool: what is written for a former one still holds. */
export const namesOf = ({ name, aliases = [] }: Tool): readonly string[] => [name, ...aliases];

/** What the hooks of one call get around their question. */
export const hookHost = (point: HookEventName, owner: Hooked, guards: Guards, asking: Asking): HookHost =>
  new CallHookHost(point, owner, guards, asking);

class CallHookHost implements HookHost {
  constructor(
    private readonly point: HookEventName,
    private readonly owner: Hooked,
    private readonly guards: Guards,
    private readonly asking: Asking,
  ) {}

  get clock(): HookClock {
    return this.owner.host.deadlines;
  }

  get scheduler(): SchedulerLike {
    return this.owner.host.scheduler;
  }

  get context(): unknown {
    return this.owner.call.context;
  }

  /** A mode that can't be told is treated as the strictest there is. */
  get permissionMode(): PermissionMode {
    const mode = modeOf(this.guards.permissions, this.context);
    return typeof mode === 'string' ? mode : 'dontAsk';
  }

  get timeoutMs(): number {
    return this.guards.hookTimeoutMs;
  }

  get store(): TextStore | undefined {
    return this.guards.store?.(this.owner.call.name);
  }

  tick(): void {
    this.owner.host.tick();
  }

  isStopped(): boolean {
    return this.asking.isStopped;
  }

  onHook(told: HookTold): void {
    const { call, host } = this.owner;
    const { point } = this;
    this.owner.emit({ type: 'hook', at: host.now(), toolUseId: call.id, name: call.name, point, ...told });
  }
}

/** Takes down what hooks say beside their decisions. */
export const toldBy = ({ contexts, stops, warnings }: HookNotes, { call, host }: Hooked): void => {
  addAfter(call, contexts);
  for (const { hook, reason } of stops) host.wantStop('hook', hook, reason);
  for (const { hook, text } of warnings) host.anomaly('hook_warning', `${hook}: ${text}`, call);
};

/** What follows the results of the turn. */
export const addAfter = (call: Call, texts: readonly HookText[]): void => {
  if (texts.length === 0) return;
  call.hookMessages ??= [];
  for (const { hook, text } of texts) call.hookMessages.push(hookMessage(hook, text));
};

/** A hook's words, marked as such: the model must not take them for the user's or for the tool's. */
export const hookMessage = (hook: string, text: string): Message => ({
  role: 'user',
  content: `<hook_context hook=${JSON.stringify(hook)}>\n${text}\n</hook_context>`,
});
