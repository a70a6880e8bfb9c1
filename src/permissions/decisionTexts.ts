import type { ToolPermission } from '../contract/permissions.js';
import type { HookOpinion } from './decide.js';
import type { RuleVerdict } from './verdict.js';

const named = (rule: RuleVerdict['rule']): string => {
  if (rule === undefined) return 'a permission rule';
  return `the permission rule \`${rule.text}\`${rule.source === undefined ? '' : ` (${rule.source})`}`;
};

const saying = (reason: string | undefined): string =>
  reason === undefined || reason === '' ? '.' : `: ${reason}`;

/** What the model, or the person who is asked, is told; each says who decided and why. */
export const deniedByRule = (rule: RuleVerdict['rule']): string =>
  `This call is forbidden by ${named(rule)}. Do not try to reach the same in another way.`;
export const deniedByHook = ({ hook, reason, decision }: HookOpinion): string =>
  decision === 'defer'
    ? `The call was put off by the hook ${hook}${saying(reason)}`
    : `The call was denied by the hook ${hook}${saying(reason)}`;
export const deniedByTool = ({ message }: ToolPermission): string =>
  `The tool itself refuses this call${saying(message)}`;
export const deniedByPlan =
  'The permission mode is `plan`: only calls that read are allowed until the plan is accepted.';
export const deniedByFault = (fault: string): string =>
  `The permission mode can't be told: ${fault}. No call is allowed until it can.`;

export const askedByRule = (rule: RuleVerdict['rule']): string => `Asked because of ${named(rule)}.`;
export const askedUnsure = (rule: RuleVerdict['rule'], why: string): string =>
  `Asked because ${named(rule)} can't be excluded: ${why}.`;
export const askedByHook = ({ hook, reason }: HookOpinion): string =>
  `Asked by the hook ${hook}${saying(reason)}`;
export const askedByTool = ({ message }: ToolPermission): string =>
  message === undefined || message === '' ? 'The tool asks for permission.' : message;
export const askedProtected = (path: string): string =>
  `It would change ${path}, which no permission mode or rule approves by itself.`;
export const askedUnparsed = (reason: string): string => `It can't be told what it would do: ${reason}.`;
export const askedByMode = 'No permission rule decides about this call.';

export const deniedByDontAsk = (asked: string): string =>
  `${asked} The permission mode is \`dontAsk\`, so it was denied without asking.`;
export const deniedByNobody = (asked: string): string => `${asked} Nobody can be asked, so it was denied.`;

export const allowedText = 'Allowed.';
