import type { RuleTarget } from '../contract/permissions.js';

/** What rules and folders say of a call, before mode, hooks and the tool itself are heard. */
export interface RuleVerdict {
  /**
   * `deny`, `ask`: a rule that matched. `unsure`: parts that can't be told from what a deny or ask rule forbids.
   * `allow`: every part is covered by allow rules. `none`: no rule decides.
   */
  readonly behavior: 'deny' | 'ask' | 'unsure' | 'allow' | 'none';
  /** The rule that decided, or that can't be excluded. */
  readonly rule?: { readonly text: string; readonly source?: string };
  /** The parts that no allow rule covers. */
  readonly uncovered: readonly RuleTarget[];
  /** Why a part could not be looked into, where a bare allow rule does not cover that. */
  readonly unparsed?: string;
  /** A path the call would change that no looser mode approves. */
  readonly protectedPath?: string;
  /** What is not covered are commands that only read, and paths below the working directories: `acceptEdits` allows it. */
  readonly isWithinDirectories: boolean;
}
