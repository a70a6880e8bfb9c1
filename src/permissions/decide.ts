import type { DecidedBy, PermissionMode, RuleTarget, ToolPermission } from '../contract/permissions.js';
import * as texts from './decisionTexts.js';
import { type ModeFault, onlyReads } from './modes.js';
import type { RuleVerdict } from './verdict.js';

/** The strongest of the hooks' decisions, and whose it was. */
export interface HookOpinion {
  readonly decision: 'allow' | 'deny' | 'ask' | 'defer';
  readonly hook: string;
  readonly reason?: string;
}

/** Everything that may have a say about one call. */
export interface DecisionQuestion {
  /** Of the final input; of the input the model wrote too, where a hook changed it (`strictestVerdict`). */
  readonly rules: RuleVerdict;
  readonly mode: PermissionMode | ModeFault;
  /** What the tool's `checkPermissions` said. */
  readonly tool?: ToolPermission;
  readonly hook?: HookOpinion;
  /** `pending`: it may still answer, so a question it could lift is not settled yet. */
  readonly classifier?: 'allow' | 'ask' | 'pending';
  readonly targets: readonly RuleTarget[];
  /** The tool's own hint for this input; left out where it has none. */
  readonly isReadOnly?: boolean;
  /** There is a `canUseTool`, or a hook that answers permission requests. */
  readonly canAsk: boolean;
  /** False without a mode, a rule (`isConfigured`) and `canUseTool`: only what a tool or a hook asks is asked. */
  readonly isConfigured: boolean;
}

/** What is to be done with a call. */
export interface Decision {
  readonly decision: 'allow' | 'deny' | 'ask';
  /** With `ask`: no mode, hook, classifier or allow rule may stand for the answer. */
  readonly isHard: boolean;
  /** Who decided; with `ask`, who asks. */
  readonly decidedBy: DecidedBy;
  /** Why, for the model where it is denied and for the person where it is asked. */
  readonly message: string;
  /** With `ask`: who is to answer next. A classifier that does not allow leaves it to the person. */
  readonly asks?: 'classifier' | 'person';
}

/**
 * Decides about a call, by the lattice of SPEC §10. Pure, and only ever tightened by what is added:
 *
 * - a denial by hook, rule, tool or mode is final;
 * - a hard ask (ask rule, hook, required interaction, protected path, what can't be looked into) is left to a person;
 * - a soft ask (the tool's check, the mode) is lifted by mode, allow rule, hook or classifier;
 * - what is still asked in `dontAsk`, or where nobody can be asked, is denied.
 *
 * A person's answer comes after it: `allow` ends an ask of either kind, everything else denies.
 */
export const decide = (question: DecisionQuestion): Decision =>
  denial(question) ?? hardAsk(question) ?? lifted(question) ?? softAsk(question);

const deny = (decidedBy: DecidedBy, message: string): Decision => ({
  decision: 'deny',
  isHard: true,
  decidedBy,
  message,
});

const allow = (decidedBy: DecidedBy): Decision => ({
  decision: 'allow',
  isHard: false,
  decidedBy,
  message: texts.allowedText,
});

const byRule = ({ rule }: RuleVerdict): DecidedBy => ({
  type: 'rule',
  rule: rule?.text ?? '',
  ...(rule?.source === undefined ? undefined : { source: rule.source }),
});

const denial = ({ rules, mode, tool, hook, targets, isReadOnly }: DecisionQuestion): Decision | undefined => {
  if (hook?.decision === 'deny' || hook?.decision === 'defer') {
    return deny({ type: 'hook', hook: hook.hook }, texts.deniedByHook(hook));
  }
  if (rules.behavior === 'deny') return deny(byRule(rules), texts.deniedByRule(rules.rule));
  if (tool?.behavior === 'deny') return deny({ type: 'tool' }, texts.deniedByTool(tool));
  // Asked about all the same, a call in a mode nobody knows could be one that the mode was to forbid.
  if (typeof mode === 'object')
    return deny({ type: 'mode', mode: 'dontAsk' }, texts.deniedByFault(mode.fault));
  return mode === 'plan' && !onlyReads(targets, isReadOnly)
    ? deny({ type: 'mode', mode }, texts.deniedByPlan)
    : undefined;
};

const hardAsk = (question: DecisionQuestion): Decision | undefined => {
  const { rules, tool, hook, mode, isConfigured } = question;
  const ask = (by: DecidedBy, message: string): Decision => asked(question, by, message, true);
  if (rules.behavior === 'ask') return ask(byRule(rules), texts.askedByRule(rules.rule));
  if (rules.behavior === 'unsure') {
    const reason = rules.unparsed ?? 'the tool offers nothing it could be compared with';
    return ask({ type: 'unparsed', reason }, texts.askedUnsure(rules.rule, reason));
  }
  if (hook?.decision === 'ask') return ask({ type: 'hook', hook: hook.hook }, texts.askedByHook(hook));
  if (tool?.behavior === 'ask' && tool.requiresInteraction === true) {
    return ask({ type: 'tool' }, texts.askedByTool(tool));
  }
  if (!isConfigured) return undefined;
  const path = rules.protectedPath;
  if (path !== undefined) return ask({ type: 'protected', path }, texts.askedProtected(path));
  const reason = rules.unparsed;
  // A mode that allows everything allows it too: no rule is there that it could hide from.
  if (reason === undefined || mode === 'bypassPermissions') return undefined;
  return ask({ type: 'unparsed', reason }, texts.askedUnparsed(reason));
};

/** What allows a call that no hard ask is about. */
const lifted = ({ rules, mode, tool, hook, isConfigured }: DecisionQuestion): Decision | undefined => {
  if (mode === 'bypassPermissions') return allow({ type: 'mode', mode });
  if (rules.behavior === 'allow') return allow(byRule(rules));
  if (hook?.decision === 'allow') return allow({ type: 'hook', hook: hook.hook });
  if (mode === 'acceptEdits' && rules.isWithinDirectories) return allow({ type: 'mode', mode });
  if (tool?.behavior === 'ask') return undefined;
  if (tool?.behavior === 'allow') return allow({ type: 'tool' });
  // Whatever is left of a call in `plan` only reads.
  if (mode === 'plan') return allow({ type: 'mode', mode });
  return isConfigured ? undefined : allow({ type: 'default' });
};

const softAsk = (question: DecisionQuestion): Decision => {
  const { tool, mode, classifier } = question;
  if (classifier === 'allow') return allow({ type: 'classifier' });
  if (tool?.behavior === 'ask') return asked(question, { type: 'tool' }, texts.askedByTool(tool), false);
  return asked(question, { type: 'mode', mode: mode as PermissionMode }, texts.askedByMode, false);
};

const asked = (
  { mode, canAsk, classifier }: DecisionQuestion,
  decidedBy: DecidedBy,
  message: string,
  isHard: boolean,
): Decision => {
  const ask = { decision: 'ask', isHard, decidedBy, message } as const;
  if (classifier === 'pending' && !isHard) return { ...ask, asks: 'classifier' };
  if (mode === 'dontAsk') return deny({ type: 'mode', mode }, texts.deniedByDontAsk(message));
  return canAsk ? { ...ask, asks: 'person' } : deny({ type: 'nobody' }, texts.deniedByNobody(message));
};
