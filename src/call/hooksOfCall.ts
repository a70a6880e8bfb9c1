import type { ToolEvent } from '../contract/events.js';
import type { HookEventName } from '../contract/hooks.js';
import type { Tool } from '../contract/tool.js';
import type { Message } from '../contract/toolUse.js';
import type { HookHost, HookNotes, HookText } from '../hooks/index.js';
import { modeOf } from '../permissions/index.js';
import type { Call } from './call.js';
import type { Guards } from './guards.js';
import type { CallHost } from './host.js';

interface Hooked {
  readonly call: Call;
  readonly host: CallHost;
  emit(event: ToolEvent): void;
}

/** All names of a tool: what is written for a former one still holds. */
export const namesOf = ({ name, aliases = [] }: Tool): readonly string[] => [name, ...aliases];

/** What the hooks of one call get around their question. */
export const hookHost = (point: HookEventName, owner: Hooked, guards: Guards): HookHost => {
  const { call, host } = owner;
  const mode = modeOf(guards.permissions, call.context);
  const { store } = guards;
  return {
    clock: host.deadlines,
    scheduler: host.scheduler,
    context: call.context,
    // A mode that can't be told is treated as the strictest there is.
    permissionMode: typeof mode === 'string' ? mode : 'dontAsk',
    timeoutMs: guards.hookTimeoutMs,
    ...(store === undefined ? undefined : { store: store(call.name) }),
    tick: () => host.tick(),
    onHook: (told) =>
      owner.emit({ type: 'hook', at: host.now(), toolUseId: call.id, name: call.name, point, ...told }),
  };
};

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
