import type { PermissionBehavior, RuleTarget } from '../contract/permissions.js';
import type { NamePattern } from './namePattern.js';
import type { PathPattern } from './pathPattern.js';
import type { CommandPattern, TextPattern } from './textPattern.js';

/** What a rule does: one of the three lists it stands in, or the condition of a hook. */
export type RuleKind = PermissionBehavior | 'if';

/** Where a rule was found, and the folders its patterns start from. */
export interface RulePlace {
  /** The option's name, for errors: `permissions.rules[0].deny[2]`. */
  readonly option: string;
  /** Whose rules they are, for messages. */
  readonly source?: string;
  /** Absolute; where `/` starts. Default `cwd`. */
  readonly base?: string;
  /** Absolute; where relative patterns start. */
  readonly cwd?: string;
  /** Absolute; what `~/` stands for. */
  readonly home?: string;
  /** Absolute working directories beside `cwd`: relative deny and ask patterns hold there too. */
  readonly additionalDirectories?: readonly string[];
}

/** What stands in the brackets of a rule. A missing member is a kind of target the rule can't speak of. */
export type RuleContent =
  /** Every use of the tool: no brackets, or `(*)`. */
  | { readonly type: 'any' }
  /** `Write(path)`: never matches. */
  | { readonly type: 'never' }
  /** `Read(pattern)`, `Edit(pattern)`: the path targets of every tool. */
  | { readonly type: 'path'; readonly path: PathPattern }
  /** What a call of this tool offers to compare: commands, paths, hosts, or members of the input. */
  | {
      readonly type: 'own';
      readonly command?: CommandPattern;
      readonly path?: PathPattern;
      readonly host?: HostPattern;
    };

/** `example.com`, or `*.example.com` for the hosts below it. */
export interface HostPattern {
  readonly host: string;
  readonly below: boolean;
}

/** `Tool(param:value)`: a scalar member of the input, by its text. */
export interface ParamPattern {
  readonly member: string;
  readonly value: TextPattern;
}

/** A permission rule that has been read; made by `parseRule`. */
export interface Rule {
  /** As it was written. */
  readonly text: string;
  readonly kind: RuleKind;
  readonly source?: string;
  readonly name: NamePattern;
  readonly content: RuleContent;
  /** Tested beside the content. Never in an allow rule. */
  readonly param?: ParamPattern;
  /** The paths it speaks of, in calls of any tool: `Read` those that are read, `Edit` those that are changed. */
  readonly access?: 'read' | 'edit';
  /** What its author should know: that it never matches, and what to write instead. */
  readonly warning?: string;
}

/** A call, as rules see it. */
export interface RuleCall {
  /** The tool's primary name, then its former ones: a rule written for any of them holds. */
  readonly names: readonly string[];
  /** The input side of what runs. */
  readonly input: unknown;
  /** The same, parsed by the tool's schema. */
  readonly parsed: unknown;
  readonly targets: readonly RuleTarget[];
}

/** `unknown`: the call has parts that could not be looked into, or offers nothing the rule could be compared with. */
export type RuleMatch = 'yes' | 'no' | 'unknown';
