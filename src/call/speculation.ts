import type { Cause } from '../contract/outcome.js';
import type { Classifier, ClassifierRequest, RuleTarget } from '../contract/permissions.js';
import { Inquiry, Question, type Reply } from '../hooks/inquiry.js';
import { disown } from '../interop/disown.js';
import { readTargets } from '../permissions/index.js';
import { messageOf } from '../results/json.js';
import type { Clearance } from './clearance.js';
import { readHint } from './hints.js';

/** What the classifier has said so far; `none`: it has nothing to say of this call. */
export type ClassifierState = 'none' | 'pending' | 'allow' | 'ask';

/**
 * The classifier of one call, asked ahead (SPEC §5.4): it runs beside hooks and rules, tells nobody that it runs, and
 * is waited for only where a decision hangs on it.
 */
export class Speculation {
  #state: ClassifierState = 'none';
  #begun = false;
  #inquiry: Inquiry | undefined;
  #waiting: (() => void) | undefined;

  constructor(
    private readonly clearance: Clearance,
    private readonly classifier: Classifier,
  ) {}

  get state(): ClassifierState {
    return this.#state;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { tool, owner, call } = this.clearance;
    const { host } = owner;
    this.#ask(
      () => tool.ruleTargets?.(call.input as never, owner.checkContext),
      host.timeoutMs,
      (reply) => {
        // What can't be told has a question of its own, which no classifier may answer.
        if (reply.type === 'answer') this.#classify(readTargets(reply.value));
        else this.#settle('none');
      },
    );
  }

  /** The input is another one: what was said, or will be said, of the old one counts for nothing. */
  restart(): void {
    this.cancel({ type: 'signal', reason: 'the input was changed' });
    this.#begun = false;
    this.begin();
  }

  /** `then` is called when it has answered. */
  wait(then: () => void): void {
    this.#waiting = then;
  }

  cancel(cause: Cause): void {
    this.#waiting = undefined;
    this.#state = 'none';
    const inquiry = this.#inquiry;
    this.#inquiry = undefined;
    inquiry?.cancel(cause);
  }

  #classify(targets: readonly RuleTarget[]): void {
    const { classifier } = this;
    const { tool, call } = this.clearance;
    const about = {
      toolUse: call.toolUse,
      name: tool.name,
      input: call.input,
      targets,
      context: call.context,
      isReadOnly: readHint(tool, 'isReadOnly', call.input) === true,
    };
    if (classifier.applies !== undefined && !this.#applies(about)) {
      this.#settle('none');
      return;
    }
    this.#ask(
      (inquiry) => classifier.classify(Question.of(inquiry, about)),
      this.clearance.owner.host.timeoutMs,
      (reply) => {
        if (reply.type === 'error') this.#fault(`the classifier failed: ${messageOf(reply.error)}`);
        this.#settle(reply.type === 'answer' && reply.value === 'allow' ? 'allow' : 'ask');
      },
    );
  }

  #applies(about: Omit<ClassifierRequest, 'signal'>): boolean {
    try {
      const inquiry = new Inquiry(this.clearance.owner.host.deadlines, 0, () => undefined);
      const answer: unknown = this.classifier.applies?.(Question.of(inquiry, about));
      if (disown(answer)) throw new TypeError('it answered with a promise, which is no answer in time');
      return answer === true;
    } catch (error) {
      this.#fault(`the classifier's \`applies\` failed: ${messageOf(error)}`);
      return false;
    }
  }

  #ask(question: (inquiry: Inquiry) => unknown, ms: number, receive: (reply: Reply) => void): void {
    this.#state = 'pending';
    const { host } = this.clearance.owner;
    let later = false;
    const inquiry = new Inquiry(host.deadlines, ms, (reply) => {
      if (this.#inquiry !== inquiry) return;
      if (later) host.tick();
      receive(reply);
    });
    this.#inquiry = inquiry;
    inquiry.ask(() => question(inquiry));
    later = true;
  }

  #settle(state: ClassifierState): void {
    this.#state = state;
    const then = this.#waiting;
    this.#waiting = undefined;
    then?.();
  }

  #fault(what: string): void {
    this.clearance.owner.host.anomaly('classifier_failed', what, this.clearance.call);
  }
}
