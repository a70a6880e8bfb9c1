import { isFailure, isOutput, isProgress, type Output } from '../contract/emission.js';
import type { Cause } from '../contract/outcome.js';
import type { Tool } from '../contract/tool.js';
import { disown } from '../interop/disown.js';
import { type AnswerReceiver, fromAnswer, type PendingAnswer } from '../interop/fromAnswer.js';
import type { Call } from './call.js';
import { ToolContext } from './context.js';
import type { CallHost } from './host.js';

/** Who runs a tool, and hears how it ends; of the four endings one, once. */
export interface AttemptOwner {
  readonly call: Call;
  readonly host: CallHost;
  progressed(data: unknown): void;
  succeeded(data: unknown, output: Output<unknown> | undefined): void;
  /** Its own word that it failed, or what it threw. */
  failed(error: unknown): void;
  /** It did what no tool may do. */
  malfunctioned(what: string): void;
}

/** One try at running a tool: whatever it answers is read here, and what comes too late is told as late. */
export class Attempt implements AnswerReceiver {
  /** Its answer is not wanted any more. */
  closed = false;
  readonly context: ToolContext;
  #pending: PendingAnswer | undefined;
  #asked = false;
  /** Given up while the tool may go on: what comes now is late. */
  #detached = false;
  #toldLate = false;

  constructor(
    private readonly owner: AttemptOwner,
    readonly number: number,
  ) {
    this.context = new ToolContext(owner.call, owner.host, number, this);
  }

  /** The tool has not answered yet. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /** Whether leaving its answer is all it takes to stop it. */
  get stopsAtOnce(): boolean {
    return this.#pending?.stopsAtOnce === true;
  }

  begin(tool: Tool): void {
    let answer: unknown;
    try {
      answer = tool.call(this.owner.call.input as never, this.context as never);
    } catch (error) {
      this.error(error);
      return;
    }
    const pending = fromAnswer(answer, this);
    if (pending === undefined) return;
    // Ended meanwhile: by its own first emission, or by what that emission caused.
    if (this.closed) this.#abandon(pending);
    else {
      this.#pending = pending;
      // A stop that came while `call` was being entered has not reached a generator yet.
      if (this.#asked) pending.requestStop();
    }
  }

  /** Law 8: the request reaches the tool at once. */
  requestStop(cause: Cause): void {
    this.#asked = true;
    this.context.stop(cause);
    if (!this.closed) this.#pending?.requestStop();
  }

  /** It is over: nothing more is taken from it, and turns inside it end. */
  close(): void {
    this.closed = true;
    if (this.#pending !== undefined) this.#abandon(this.#pending);
    this.context.end();
  }

  /** It is given up, though it may go on. */
  detach(): void {
    this.#detached = true;
    this.close();
  }

  report(data: unknown): void {
    disown(data);
    if (!this.closed) this.owner.progressed(data);
  }

  value(value: unknown): void {
    this.owner.host.tick();
    if (this.closed) this.#late('value', value);
    else if (isOutput(value)) this.#succeed(value.data, value);
    else if (isFailure(value)) this.owner.failed(value);
    else if (isProgress(value)) this.owner.malfunctioned('it returned progress instead of output');
    else this.#succeed(value, undefined);
  }

  emit(value: unknown): void {
    if (isProgress(value)) {
      this.report(value.data);
      return;
    }
    this.owner.host.tick();
    if (this.closed) this.#late('value', value);
    else if (isOutput(value)) this.#succeed(value.data, value);
    else if (isFailure(value)) this.owner.failed(value);
    else {
      const what = disown(value) ? 'a promise' : typeof value;
      this.owner.malfunctioned(`it emitted ${what}, which is neither progress() nor output()`);
    }
  }

  error(error: unknown): void {
    this.owner.host.tick();
    if (this.closed) this.#late('error', error);
    else this.owner.failed(error);
  }

  end(): void {
    this.owner.host.tick();
    if (!this.closed) this.owner.malfunctioned('it ended without output');
  }

  #succeed(data: unknown, output: Output<unknown> | undefined): void {
    if (disown(data)) {
      this.owner.malfunctioned('its output is a promise: wait for it, and put what it gives into output()');
    } else this.owner.succeeded(data, output);
  }

  /** Takes nothing more from the answer; tells the host where that does not end it. */
  #abandon(pending: PendingAnswer): void {
    this.#pending = undefined;
    pending.cancel();
    // What came in answer to the very request to stop has been told as late already.
    if (this.#detached && !pending.stopsAtOnce && !this.#toldLate)
      this.owner.host.late({ toolUse: this.owner.call.toolUse, type: 'running' });
  }

  #late(type: 'value' | 'error', what: unknown): void {
    disown(what);
    if (!this.#detached) return;
    this.#toldLate = true;
    const { toolUse } = this.owner.call;
    this.owner.host.late(type === 'value' ? { toolUse, type, value: what } : { toolUse, type, error: what });
  }
}
