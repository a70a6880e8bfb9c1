import type { MaybeLater } from './tool.js';
import type { ToolUse } from './toolUse.js';

/** How far a session goes without asking; the public names of coding agents. */
export type PermissionMode =
  /** Asks where no rule decides. */
  | 'default'
  /** Edits below the working directories are allowed. */
  | 'acceptEdits'
  /** Only reading is allowed. */
  | 'plan'
  /** The classifier decides where it can. */
  | 'auto'
  /** Whatever would be asked is denied. */
  | 'dontAsk'
  /** Allowed, save what a deny rule, an ask rule, or a required interaction says. */
  | 'bypassPermissions';

export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** One simple command of a shell text, as rules compare it. */
export interface CommandTarget {
  readonly type: 'command';
  /**
   * The text an allow rule is compared with: wrappers peeled, safe assignments dropped, words joined by one space.
   * Left out where no allow rule may match it (`sudo …`, a command whose name is only known when it runs).
   */
  readonly allowText?: string;
  /** The forms in which deny and ask rules look for it: as written, peeled, and what its wrappers would run. */
  readonly forms: readonly string[];
  /** Known to read only, with these very arguments. */
  readonly isReadOnly: boolean;
}

/** A file or folder that is read or changed. */
export interface PathTarget {
  readonly type: 'path';
  readonly access: 'read' | 'edit';
  /** Absolute, with `/` between segments and no `.` or `..`: as named, and the real path where that differs. */
  readonly paths: readonly string[];
  /**
   * Named by the words of a command that is a target beside it: deny and ask rules see it, and below the working
   * directories an allow rule that covers the command covers it too.
   */
  readonly ofCommand?: true;
  /**
   * All that lies below it is meant too, as with `grep -r`: a deny or ask rule for something there can't be excluded.
   */
  readonly below?: true;
}

/** A host that is talked to: lower case, without port. */
export interface HostTarget {
  readonly type: 'host';
  readonly host: string;
}

/** Something that could not be looked into: asked, or denied where nobody can be asked. */
export interface UnparsedTarget {
  readonly type: 'unparsed';
  /** Why, in a few words without an end. */
  readonly reason: string;
}

/** What permission rules compare: each part must be allowed, any denied part denies. */
export type RuleTarget = CommandTarget | PathTarget | HostTarget | UnparsedTarget;

/** A tool's own opinion; `undefined` is none. The rules come on top. */
export interface ToolPermission {
  readonly behavior: PermissionBehavior;
  readonly message?: string;
  /** A person's answer is part of what the tool does: no mode or rule stands for it. Only with `ask`. */
  readonly requiresInteraction?: boolean;
}

/** Rules of one source, in the public syntax: `Bash(git *)`, `Read(./secrets/**)`, `WebFetch(domain:…)`. */
export interface PermissionRules {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** Absolute folder that patterns beginning with `/` start from; default `cwd`. */
  readonly base?: string;
  /** Where they are from, for messages: `project settings`, say. */
  readonly source?: string;
}

export interface PermissionOptions {
  /** Default `default`. A function is asked with the turn's context, for each batch. */
  readonly mode?: PermissionMode | ((context: never) => PermissionMode);
  readonly rules?: PermissionRules | readonly PermissionRules[];
  /** Absolute; relative patterns start here. Path rules are refused without it. */
  readonly cwd?: string;
  /** Absolute; what `~/` stands for. */
  readonly home?: string;
  /** Absolute folders beside `cwd` where edits may be accepted by mode. */
  readonly additionalDirectories?: readonly string[];
  /** Milliseconds a permission may take, prompts included; lapsing denies. Default `Infinity`. */
  readonly timeoutMs?: number;
}

/** A change to the rules, wanted by whoever answered. */
export interface RuleUpdate {
  readonly behavior: PermissionBehavior;
  readonly rule: string;
}

/** Rules and mode that outlive a turn: what is remembered in one holds in the next. Made by `createPermissions`. */
export interface Permissions {
  readonly options: PermissionOptions;
  /** Grows with every change of rules or mode: an approval given before it has to be asked again. */
  readonly version: number;
  /** Rules that never match, each with what to write instead; for whoever wrote them. */
  readonly warnings: readonly string[];
  /**
   * Adds rules; all of them, or none where one can't be understood.
   *
   * @throws InvalidOptionError
   */
  remember(updates: readonly RuleUpdate[]): void;
  setMode(mode: PermissionMode): void;
}

/** Who decided, for events, results and prompts. */
export type DecidedBy =
  | { readonly type: 'rule'; readonly rule: string; readonly source?: string }
  | { readonly type: 'hook'; readonly hook: string }
  | { readonly type: 'mode'; readonly mode: PermissionMode }
  | { readonly type: 'tool' }
  | { readonly type: 'classifier' }
  | { readonly type: 'callback' }
  /** A path that no looser mode approves: `.git`, settings of agents, … */
  | { readonly type: 'protected'; readonly path: string }
  /** The permission's own clock lapsed. */
  | { readonly type: 'limit'; readonly ms: number }
  /** A target could not be looked into. */
  | { readonly type: 'unparsed'; readonly reason: string }
  /** Nobody can be asked. */
  | { readonly type: 'nobody' }
  /** Nothing is configured: everything is allowed. */
  | { readonly type: 'default' };

/** What `canUseTool` is asked. */
export interface PermissionRequest {
  readonly toolUse: ToolUse;
  /** The tool's primary name. */
  readonly name: string;
  /** The input side of what would run: the model's, as hooks have left it. */
  readonly input: unknown;
  /** What asks, and its words. */
  readonly askedBy: DecidedBy;
  readonly message: string;
  /** True where no mode, hook, classifier or allow rule may stand for the answer. */
  readonly isHard: boolean;
  readonly targets: readonly RuleTarget[];
  /** Allow rules that would cover it next time, at most five. */
  readonly suggestions: readonly string[];
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      /** Replaces the whole input; parsed and tested against the rules again. */
      readonly input?: unknown;
      readonly remember?: readonly RuleUpdate[];
    }
  | {
      readonly behavior: 'deny';
      /** For the model. */
      readonly message?: string;
      /** Stops the turn, as a user's interruption does. */
      readonly interrupt?: boolean;
    };

/**
 * Asked where the rules leave a call to a person. Failing, lapsing, or answering anything else denies.
 *
 * **Gotchas** Prompts of all turns that share a `Permissions` stand in one line: a callback that itself runs a turn
 * with the same one waits for its own prompt for ever. Give such a turn permissions of its own.
 */
export type CanUseTool = (request: PermissionRequest) => MaybeLater<PermissionAnswer>;

export interface ClassifierRequest {
  readonly toolUse: ToolUse;
  readonly name: string;
  /** Parsed. */
  readonly input: unknown;
  readonly targets: readonly RuleTarget[];
  readonly context: unknown;
  readonly isReadOnly: boolean;
  readonly signal: AbortSignal;
}

/**
 * A cheap judge that may lift a soft ask before a person is bothered. Runs ahead, beside hooks and rules; anything
 * but `allow`, a failure too, leaves the question as it stands.
 */
export interface Classifier {
  /** Whether it has anything to say of this call; default yes. Answers at once. */
  applies?(request: ClassifierRequest): boolean;
  classify(request: ClassifierRequest): MaybeLater<'allow' | 'ask'>;
}
