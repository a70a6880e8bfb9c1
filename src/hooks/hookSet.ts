import type { HookEventName, HookFunction } from '../contract/hooks.js';
import type { RuleTarget } from '../contract/permissions.js';
import type { MaybeLater } from '../contract/tool.js';

/** What the `if` of a hook is compared with: one call, its input as it stands when the hook's turn comes. */
export interface ConditionCall {
  /** The tool's primary name, then its former ones. */
  readonly names: readonly string[];
  /** The input side. */
  readonly input: unknown;
  /** The same, parsed by the tool's schema. */
  readonly parsed: unknown;
  /** What the tool says permission rules compare. */
  readonly targets: readonly RuleTarget[];
}

/** Whether a call meets a hook's `if`. */
export type Condition = (call: ConditionCall) => 'yes' | 'no' | 'unknown';

/** Reads the text of an `if`; throws `InvalidOptionError` where it is no rule. Permissions know the syntax. */
export type ConditionParser = (text: string, where: string) => Condition;

/** A hook that has been checked, with everything left out filled in. */
export interface ReadyHook<E extends HookEventName = HookEventName> {
  readonly event: E;
  readonly name: string;
  /** Hooks of one point with the same identity are asked once a call. */
  readonly identity: unknown;
  /** Whether it wants to hear of a tool with one of these names; `undefined`: of every tool. */
  readonly matches: ((names: readonly string[]) => boolean) | undefined;
  readonly condition: Condition | undefined;
  readonly timeoutMs: number | undefined;
  readonly onFailure: 'deny' | 'continue';
  readonly run: HookFunction<E>;
}

/** The hooks of a turn; a point without any is left out, so that asking it costs nothing. */
export type HookSet = { readonly [E in HookEventName]?: readonly ReadyHook<E>[] };

/**
 * Gives the call for the `if` of a hook: asked when the first such hook comes, and once for each input. Nothing, or a
 * failure: it can't be told (an input that does not parse, targets that are not known), and the hook is asked.
 */
export type ConditionCallFor = (input: unknown) => MaybeLater<ConditionCall | undefined>;
