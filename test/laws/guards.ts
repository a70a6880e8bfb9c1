import type { SchedulerLike } from 'rxjs';
import type {
  ExecuteToolsOptions,
  HookEventName,
  HookInput,
  Hooks,
  PermissionMode,
  Permissions,
  RuleTarget,
  Tool,
} from '../../src/index.js';
import { createPermissions, promptsOf } from '../../src/permissions/index.js';
import {
  type CallGuards,
  type HookAct,
  hookTimeoutMs,
  type Rewriting,
  type RuleSpec,
  type TurnGuards,
  type Variant,
} from './guardSpecs.js';
import type { Schedule } from './schedule.js';
import type { Witness } from './witness.js';

/** What a call's input looks like: whose call, who wrote it, and whether the tool is safe with it. */
export const inputOf = (n: number, v: Variant, { valid, safe }: Rewriting): unknown => ({
  n: valid ? n : 'x',
  v,
  safe,
});

export const ruleText = (index: number, { variant }: RuleSpec): string =>
  variant === '*' ? `tool${index}` : `tool${index}(v:${variant})`;

/** An allow rule can't speak of a member: it names the path that the tool's target has for the variant. */
export const allowText = (index: number, { variant }: RuleSpec): string =>
  variant === '*' ? `tool${index}` : `tool${index}(//w/${index}/${variant})`;

const textOf = (index: number, rule: RuleSpec): string =>
  rule.behavior === 'allow' ? allowText(index, rule) : ruleText(index, rule);

export const updateOf = (index: number, rule: RuleSpec) => ({
  behavior: rule.behavior,
  rule: textOf(index, rule),
});

/** Makes the options of `executeTools` that a guarded schedule stands for. */
export class Guarding {
  readonly permissions: Permissions;

  constructor(
    private readonly schedule: Schedule,
    private readonly turn: TurnGuards,
    private readonly witness: Witness,
    private readonly scheduler: SchedulerLike,
  ) {
    const lists = { allow: [] as string[], deny: [] as string[], ask: [] as string[] };
    schedule.calls.forEach((_, index) => {
      for (const rule of this.#call(index).rules) lists[rule.behavior].push(textOf(index, rule));
    });
    this.permissions = createPermissions({
      cwd: '/w',
      rules: lists,
      ...(turn.mode === undefined ? undefined : { mode: turn.mode }),
      ...(turn.permissionMs === undefined ? undefined : { timeoutMs: turn.permissionMs }),
    });
  }

  /** Whether somebody else who shares the permissions could show a prompt now. */
  canPrompt(): boolean {
    let isShown = false;
    const leave = promptsOf(this.permissions).wait(0, () => {
      isShown = true;
    });
    leave();
    return isShown;
  }

  begin(): void {
    const { calls } = this.schedule;
    for (const { at, call, change } of this.turn.changes) {
      this.scheduler.schedule(() => {
        const deed = this.witness.begin('change', 'outside', call % calls.length, change);
        this.witness.end(deed, 'answered');
        if (typeof change === 'string') this.permissions.setMode(change);
        else this.permissions.remember([updateOf(deed.index, change)]);
      }, at);
    }
  }

  get options(): Partial<ExecuteToolsOptions> {
    const { turn } = this;
    return {
      hooks: this.#hooks(),
      hookTimeoutMs,
      permissions: this.permissions,
      onDeny: turn.onDeny,
      random: () => turn.random,
      timeoutMs: 300,
      ...(turn.canUseTool ? { canUseTool: this.#canUseTool } : undefined),
      ...(turn.classifier ? { classifier: this.#classifier } : undefined),
      ...(turn.repair ? { inputRepair: this.#repair } : undefined),
    };
  }

  /** What a tool has of its own. */
  members(index: number): Partial<Tool> {
    const { check, target, retry, idleMs } = this.#call(index);
    const { witness } = this;
    const targets = (input: unknown): readonly RuleTarget[] => {
      const { v } = input as { readonly v: Variant };
      return [{ type: 'path', access: target as 'read' | 'edit', paths: [`/w/${index}/${v}`] }];
    };
    return {
      ...(target === 'none' ? undefined : { ruleTargets: targets }),
      ...(idleMs === undefined ? undefined : { idleTimeoutMs: idleMs }),
      ...(retry === undefined
        ? undefined
        : {
            isIdempotent: () => retry.idempotent,
            retry: {
              maxAttempts: retry.maxAttempts,
              backoff: { initialMs: retry.initialMs, factor: 2, maxMs: 5, jitter: retry.jitter },
              ...(retry.attemptTimeoutMs === undefined
                ? undefined
                : { attemptTimeoutMs: retry.attemptTimeoutMs }),
            },
          }),
      ...(check === undefined
        ? undefined
        : {
            checkPermissions: (input: unknown) => {
              const deed = witness.begin('check', 'tool', index, input);
              return witness.answer(deed, check, () => answerOfCheck(check.says)) as never;
            },
          }),
    };
  }

  #call(index: number): CallGuards {
    return this.schedule.calls[index]?.guards as CallGuards;
  }

  #hooks(): Hooks {
    const { turn } = this;
    const onFailure = turn.onFailure === undefined ? undefined : { onFailure: turn.onFailure };
    const pre = Array.from({ length: turn.pre }, (_, i) => ({
      name: `h${i}`,
      key: `h${i}`,
      ...onFailure,
      run: (input: HookInput) =>
        this.#ask('pre', `h${i}`, input, (call) => call.pre[i as 0 | 1], preAnswer(`h${i}` as Variant)),
    }));
    const [first] = pre;
    const all = turn.twice && first !== undefined ? [...pre, first] : pre;
    const post = (what: 'post' | 'post-failure') => ({
      name: 'after',
      run: (input: HookInput) => this.#ask(what, 'after', input, (call) => call.post, postAnswer),
    });
    return {
      ...(all.length === 0 ? undefined : { PreToolUse: all }),
      ...(turn.request
        ? {
            PermissionRequest: [{ name: 'q', ...onFailure, run: (input: HookInput) => this.#request(input) }],
          }
        : undefined),
      ...(turn.post
        ? { PostToolUse: [post('post')], PostToolUseFailure: [post('post-failure')] }
        : undefined),
      ...(turn.batch === undefined
        ? undefined
        : { PostToolBatch: [{ name: 'batch', run: (input: HookInput) => this.#batch(input, turn.batch) }] }),
    } as Hooks & Record<HookEventName, never>;
  }

  #ask(
    what: 'pre' | 'post' | 'post-failure',
    who: string,
    given: HookInput,
    actOf: (call: CallGuards) => HookAct,
    answer: (act: HookAct, index: number) => unknown,
  ): unknown {
    const { toolUse, input } = given as Extract<HookInput, { readonly event: 'PreToolUse' }>;
    const index = Number(toolUse.name.slice('tool'.length));
    const act = actOf(this.#call(index));
    const deed = this.witness.begin(what, who, index, input);
    return this.witness.answer(
      deed,
      act,
      () => answer(act, index),
      () => given.signal,
    );
  }

  #batch(given: HookInput, act: HookAct | undefined): unknown {
    if (act === undefined) return undefined;
    const deed = this.witness.begin('batch', 'batch', -1, undefined);
    return this.witness.answer(
      deed,
      act,
      () => postAnswer(act),
      () => given.signal,
    );
  }

  #request(given: HookInput): unknown {
    const { toolUse, input } = given as Extract<HookInput, { readonly event: 'PermissionRequest' }>;
    const index = Number(toolUse.name.slice('tool'.length));
    const { request } = this.#call(index);
    const deed = this.witness.begin('request', 'q', index, input);
    const answer = (): unknown => {
      if (request.does === 'throw') throw new Error('as drawn');
      if (request.does === 'rubbish') return 'yes';
      const { updates, rewrites } = request;
      const changes =
        typeof updates === 'string'
          ? [{ type: 'setMode' as const, mode: updates as PermissionMode }]
          : updates && [{ type: 'addRules' as const, ...updateOf(index, updates) }];
      return {
        ...(request.does === 'nothing'
          ? undefined
          : { decision: request.does === 'allow' ? 'allow' : 'deny' }),
        ...(request.does === 'interrupt' ? { interrupt: true } : undefined),
        ...(rewrites === undefined ? undefined : { updatedInput: inputOf(index, 'q', rewrites) }),
        ...(changes === undefined ? undefined : { updatedPermissions: changes }),
      };
    };
    return this.witness.answer(deed, request, answer, () => given.signal);
  }

  readonly #canUseTool: NonNullable<ExecuteToolsOptions['canUseTool']> = (request) => {
    const index = Number(request.toolUse.name.slice('tool'.length));
    const { prompts } = this.#call(index);
    const deed = this.witness.begin('prompt', 'person', index, request.input);
    const act = promptOf(prompts, deed.round);
    const answer = (): unknown => {
      if (act.does === 'throw') throw new Error('as drawn');
      if (act.does === 'rubbish') return 'yes';
      if (act.does !== 'allow') return { behavior: 'deny', interrupt: act.does === 'interrupt' };
      return {
        behavior: 'allow',
        ...(act.rewrites === undefined ? undefined : { input: inputOf(index, 'p', act.rewrites) }),
        ...(act.remembers === undefined ? undefined : { remember: [updateOf(index, act.remembers)] }),
      };
    };
    return this.witness.answer(deed, act, answer, () => request.signal) as never;
  };

  readonly #classifier: NonNullable<ExecuteToolsOptions['classifier']> = {
    applies: ({ toolUse }) => this.#call(Number(toolUse.name.slice('tool'.length))).classifier.applies,
    classify: (request) => {
      const index = Number(request.toolUse.name.slice('tool'.length));
      const act = this.#call(index).classifier;
      const deed = this.witness.begin('classify', 'classifier', index, request.input);
      const answer = (): unknown => {
        if (act.says === 'throw') throw new Error('as drawn');
        return act.says;
      };
      return this.witness.answer(deed, act, answer, () => request.signal) as never;
    },
  };

  readonly #repair: NonNullable<ExecuteToolsOptions['inputRepair']> = (request) => {
    const index = Number(request.toolUse.name.slice('tool'.length));
    const act = this.#call(index).repair;
    const deed = this.witness.begin('repair', 'repair', index, request.input);
    const answer = (): unknown => {
      if (act.does === 'throw') throw new Error('as drawn');
      if (act.does === 'nothing') return undefined;
      return { input: inputOf(index, 'r', { valid: act.does === 'valid', safe: true }) };
    };
    return this.witness.answer(deed, act, answer, () => request.signal) as never;
  };
}

export const promptOf = <T>(prompts: readonly T[], round: number): T =>
  prompts[Math.min(round, prompts.length - 1)] as T;

const answerOfCheck = (says: string): unknown => {
  if (says === 'throw') throw new Error('as drawn');
  if (says === 'rubbish') return 'yes';
  if (says === 'nothing') return undefined;
  return says === 'interact' ? { behavior: 'ask', requiresInteraction: true } : { behavior: says };
};

const preAnswer =
  (who: Variant) =>
  ({ does, rewrites }: HookAct, index: number): unknown => {
    if (does === 'throw') throw new Error('as drawn');
    if (does === 'rubbish') return 'yes';
    return {
      ...(does === 'nothing' || does === 'halt' ? undefined : { decision: does }),
      ...(does === 'halt' ? { continue: false } : undefined),
      ...(rewrites === undefined ? undefined : { updatedInput: inputOf(index, who, rewrites) }),
    };
  };

/** What the model reads of a call whose output a hook has replaced. */
export const replacement = 'replaced by a hook';

const postAnswer = ({ does, rewrites }: HookAct): unknown => {
  if (does === 'throw') throw new Error('as drawn');
  if (does === 'rubbish') return 'yes';
  return {
    ...(does === 'deny' ? { decision: 'block', reason: 'as drawn' } : undefined),
    ...(does === 'halt' ? { continue: false } : undefined),
    ...(rewrites === undefined ? undefined : { updatedToolOutput: replacement }),
  };
};
