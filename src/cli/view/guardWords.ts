import type { HookEvent, PermissionEvent, ToolEvent, TurnHookEvent } from '../../contract/index.js';
import { brief } from './brief.js';
import type { Tone, Words } from './words.js';

/** What a hook does, its decision first: names of hooks are whole commands. */
export const hookWords = ({
  point,
  hook,
  phase,
  decision,
  message = '',
}: HookEvent | TurnHookEvent): Words => {
  const did = phase === 'started' ? 'runs' : (decision ?? 'done');
  const more = `${point} ${did}  ${brief(hook)}${message && `: ${brief(message)}`}`;
  return { what: 'hook', more, tone: toneOf(decision) };
};

const toneOf = (decision: string | undefined): Tone => {
  if (decision === 'deny' || decision === 'failed') return 'bad';
  return decision === undefined || decision === 'allow' ? 'quiet' : 'warning';
};

/** What becomes of a permission, and who decides. */
export const permissionWords = ({
  phase,
  decision,
  decidedBy = '',
  message = '',
}: PermissionEvent): Words => {
  const what = 'permission';
  const by = deciderWords(decidedBy);
  if (phase === 'classifying') return { what, more: 'the classifier is asked', tone: 'quiet' };
  if (phase === 'asked')
    return { what, more: `asked${by && ` (${by})`}${message && `: ${brief(message)}`}`, tone: 'warning' };
  if (decision === 'allow') return { what, more: `allowed by ${by}`, tone: 'good' };
  // The words for the model repeat who decided, and stand in the line of the outcome.
  return {
    what,
    more: decidedBy === 'nobody' ? 'denied: nobody can be asked' : `denied by ${by}`,
    tone: 'bad',
  };
};

const deciders: ReadonlyMap<string, string> = new Map([
  ['callback', 'the user'],
  ['tool', 'the tool itself'],
  ['classifier', 'the classifier'],
  ['unparsed', "what can't be looked into"],
]);

/** Who decides or asks, as a person says it. */
export const deciderWords = (name: string): string => deciders.get(name) ?? brief(name);

/** Whether an event of hooks or permissions deserves a line: what a hook said, and what somebody decided. */
export const guardTells = (event: ToolEvent): boolean => {
  // That hooks run is told as what the call waits for.
  if (event.type === 'hook' || event.type === 'turn-hook') return event.phase === 'ended';
  // A tool that reads allows itself each time, and nobody was asked.
  return event.type !== 'permission' || event.decision !== 'allow' || event.decidedBy !== 'tool';
};
