import type { SchedulerLike } from 'rxjs';
import type { HookEventName } from '../contract/hooks.js';
import type { Cause } from '../contract/outcome.js';
import type { PermissionMode } from '../contract/permissions.js';
import { Collected } from './collected.js';
import type { HookHost, HookInputOf, HookPoint, PendingHooks } from './hookPoint.js';
import type { ConditionCall, ReadyHook } from './hookSet.js';
import { Inquiry, Question, type Reply } from './inquiry.js';
import { inTurn } from './inTurn.js';
import { longestText, previewed, shortened } from './longText.js';
import type { HookNotes } from './notes.js';
import { readReply, wordsOf } from './reply.js';

const defaultTimeoutMs = 60_000;

/**
 * Asks the hooks of one point, one after another in configured order, each with a clock and a signal of its own.
 *
 * Every hook that matches is asked, also after one has denied: those that write a log hear of every call, and who is
 * asked never depends on another's answer. Never throws; `done` is called once, at once where all answer at once.
 *
 * @returns what cancels it; `undefined` where `done` was called already
 */
export const askHooks = <E extends HookEventName>(
  hooks: readonly ReadyHook<E>[],
  point: HookPoint<E>,
  host: HookHost,
  done: (notes: HookNotes) => void,
): PendingHooks | undefined => {
  const round = new Round(point, host);
  let isDone = false;
  inTurn(
    hooks.length,
    (index, next) => round.ask(hooks[index] as ReadyHook<E>, next),
    () => {
      isDone = true;
      done(round.notes);
    },
  );
  return isDone ? undefined : round;
};

/** What all hooks get, each looked up when somebody wants it. */
class HookQuestion extends Question {
  readonly #host: HookHost;

  constructor(inquiry: Inquiry, host: HookHost) {
    super(inquiry);
    this.#host = host;
  }

  get context(): unknown {
    return this.#host.context;
  }

  get permissionMode(): PermissionMode {
    return this.#host.permissionMode;
  }

  get scheduler(): SchedulerLike {
    return this.#host.scheduler;
  }
}

class Round<E extends HookEventName> implements PendingHooks {
  readonly #collected = new Collected();
  readonly #asked = new Set<unknown>();
  #condition: { readonly input: unknown; readonly call: ConditionCall | undefined } | undefined;
  #inquiry: Inquiry | undefined;
  #isCancelled = false;

  constructor(
    private readonly point: HookPoint<E>,
    private readonly host: HookHost,
  ) {}

  get notes(): HookNotes {
    return this.#collected.notes;
  }

  cancel(cause: Cause): void {
    this.#isCancelled = true;
    this.#inquiry?.cancel(cause);
  }

  /** Also before whoever asked has got hold of what cancels it: a hook, or who watches, may stop the turn at once. */
  get #isStopped(): boolean {
    return this.#isCancelled || this.host.isStopped?.() === true;
  }

  ask(hook: ReadyHook<E>, next: () => void): void {
    if (this.#isStopped) return;
    const { names } = this.point;
    const isMeant = names === undefined || hook.matches === undefined || hook.matches(names);
    if (!isMeant || this.#asked.has(hook.identity)) next();
    else if (hook.condition === undefined) this.#run(hook, next);
    else this.#withConditionCall((call) => (this.#meets(hook, call) ? this.#run(hook, next) : next()));
  }

  /** Where it can't be told, the hook is asked: a guard must not be passed by by a text that nobody can read. */
  #meets(hook: ReadyHook<E>, call: ConditionCall | undefined): boolean {
    try {
      return call === undefined || hook.condition?.(call) !== 'no';
    } catch {
      return true;
    }
  }

  #withConditionCall(receive: (call: ConditionCall | undefined) => void): void {
    const { conditionCall } = this.point;
    const { input } = this.point.fields() as { readonly input?: unknown };
    if (conditionCall === undefined) receive(undefined);
    else if (this.#condition !== undefined && this.#condition.input === input) receive(this.#condition.call);
    else {
      this.#inquire(
        undefined,
        () => conditionCall(input),
        (reply) => {
          const call = reply.type === 'answer' ? (reply.value as ConditionCall | undefined) : undefined;
          this.#condition = { input, call };
          receive(call);
        },
      );
    }
  }

  #run(hook: ReadyHook<E>, next: () => void): void {
    this.#asked.add(hook.identity);
    this.host.onHook?.({ hook: hook.name, phase: 'started' });
    if (this.#isStopped) return;
    this.#inquire(
      hook.timeoutMs,
      (inquiry) => hook.run(this.#inputFor(inquiry)),
      (reply) => this.#settle(hook, reply, next),
    );
  }

  #inquire(
    ms: number | undefined,
    question: (of: Inquiry) => unknown,
    receive: (reply: Reply) => void,
  ): void {
    const { clock, timeoutMs = defaultTimeoutMs } = this.host;
    let isLater = false;
    const inquiry = new Inquiry(clock, ms ?? timeoutMs, (reply) => {
      if (isLater) this.host.tick?.();
      receive(reply);
    });
    this.#inquiry = inquiry;
    inquiry.ask(() => question(inquiry));
    isLater = true;
  }

  #inputFor(inquiry: Inquiry): HookInputOf<E> {
    // The fields of a point and the common ones are its input; TypeScript can't add up an `Omit` of a union.
    return Object.assign(
      new HookQuestion(inquiry, this.host),
      this.point.fields(),
    ) as unknown as HookInputOf<E>;
  }

  #settle(hook: ReadyHook<E>, reply: Reply, next: () => void): void {
    const { answer, fault, error } = readReply(hook.event, reply);
    if (fault !== undefined) this.#fail(hook, fault, error);
    else if (answer !== undefined) {
      this.#collected.add(hook.name, answer);
      this.point.take(hook, answer);
    }
    this.host.onHook?.({ hook: hook.name, phase: 'ended', ...wordsOf(answer, fault) });
    if (!this.#isStopped) this.#addContext(hook.name, answer?.additionalContext, next);
  }

  #fail(hook: ReadyHook<E>, failure: string, error: unknown): void {
    this.#collected.fail(hook, failure, error);
    const note = this.point.fail(hook, failure);
    if (note !== undefined) this.#collected.addContext(hook.name, note);
  }

  #addContext(hook: string, text: string | undefined, next: () => void): void {
    const { store } = this.host;
    const add = (fit: string): void => {
      if (fit !== '') this.#collected.addContext(hook, fit);
      next();
    };
    if (text === undefined || text.length <= longestText || store === undefined) add(shortened(text ?? ''));
    else {
      this.#inquire(
        undefined,
        () => store(text),
        (reply) => add(previewed(text, reply)),
      );
    }
  }
}
