import type { Linked } from '../../operators/linkedList.js';
import type { WaitReason } from '../contract/events.js';
import type { Cause, Durations, Outcome } from '../contract/outcome.js';
import type { Tool } from '../contract/tool.js';
import type { Message, ToolResultBlock, ToolUse } from '../contract/toolUse.js';

/** Why a call will not run, known before its place has come. */
export interface Refusal {
  readonly code: 'unknown_tool' | 'invalid_json' | 'invalid_input' | 'cut_off' | 'infrastructure';
  /** What the model reads. */
  readonly text: string;
  /** What is wrong with the input, one by one. */
  readonly issues?: readonly string[];
}

/** A request to stop: the code a call ends with when the stop takes effect, and who asks. */
export interface Stop {
  readonly code: 'sibling_aborted' | 'interrupted' | 'timeout' | 'discarded' | 'denied';
  readonly cause: Cause;
  /** No grace: whatever has not stopped by now is given up. */
  readonly atOnce?: boolean;
}

/** A call in its place: it can be asked to stop, and stands in its batch's list of what runs. */
export interface Place extends Linked<Place> {
  readonly call: Call;
  /** Between two attempts: nothing of it runs. */
  readonly rests: boolean;
  requestStop(stop: Stop): void;
}

/** What admission has found out about a tool use. */
export interface Admitted {
  readonly tool: Tool | undefined;
  /** Parsed; what `call` will get. */
  readonly input: unknown;
  readonly refusal: Refusal | undefined;
  readonly isConcurrencySafe: boolean;
}

/** What a call knows of its batch. */
export interface CallBatch {
  readonly index: number;
}

const unbatched: CallBatch = { index: -1 };

/** Time spent on one thing, in stretches; the last may still be open when somebody asks. Milliseconds. */
class Spent {
  #ms = 0;
  /** Below 0: nothing is going on. */
  #since = -1;

  begin(now: number): void {
    this.#since = now;
  }

  end(now: number): void {
    this.#ms = this.until(now);
    this.#since = -1;
  }

  until(now: number): number {
    return this.#since < 0 ? this.#ms : this.#ms + now - this.#since;
  }
}

/** One call of a turn, from its admission to its ledger entry. */
export class Call implements Linked<Call> {
  tool: Tool | undefined;
  /** The tool's primary name; what the model wrote where no tool was found. */
  name: string;
  input: unknown;
  /** The input side of what runs, where hooks may have changed it. */
  inputSide: unknown;
  refusal: Refusal | undefined;
  isConcurrencySafe = false;

  /** When it was queued; below 0: not yet. */
  queuedAt = -1;
  /** When its place began; below 0: not yet. */
  beganAt = -1;
  startedAt = -1;
  /** `call` has been entered: from here on the tool may have done something. */
  called = false;
  completedAt = -1;
  /** When its tool had ended; below 0: it has not. */
  ranUntil = -1;
  #hooks: Spent | undefined;
  #permission: Spent | undefined;
  /** What it was last said to wait for. */
  waitsFor: WaitReason | undefined;
  /** The context its batch began with. */
  context: unknown;
  /** The batch it belongs to; the engine's record of it. */
  batch: CallBatch = unbatched;

  outcome: Outcome | undefined;
  block: ToolResultBlock | undefined;
  /** Its `result` has been emitted, though it may still be held for its place. */
  answered = false;
  /** Its `result` has been delivered, and not as part of a discard. */
  delivered = false;
  output: unknown;
  newMessages: readonly Message[] | undefined;
  /** What hooks want to follow the results. */
  hookMessages: Message[] | undefined;
  modifyContext: ((context: never) => unknown) | undefined;
  /** The tool's failure that cancels its siblings. */
  cascades = false;
  /** What the tool ended with after the call had been answered by a discard. */
  afterDiscard: Outcome | undefined;

  /** Its slot, as it is lent to turns inside it. */
  lent: unknown;

  /** While it is in its place. */
  run: Place | undefined;

  /** Its neighbours among the calls of its batch that have not ended. */
  before: Call | undefined;
  after: Call | undefined;

  /** Read once: whoever changes the tool use later does not change whose call this is. */
  readonly id: string;

  constructor(
    readonly toolUse: ToolUse,
    readonly index: number,
  ) {
    this.id = toolUse.id;
    this.name = toolUse.name;
  }

  get kind(): string {
    return this.tool?.kind ?? 'other';
  }

  admit(admitted: Admitted): void {
    this.tool = admitted.tool;
    this.name = admitted.tool?.name ?? this.toolUse.name;
    this.input = admitted.input;
    this.refusal = admitted.refusal;
    this.isConcurrencySafe = admitted.isConcurrencySafe;
  }

  /** Time its hooks take; made for calls that have some. */
  get hooks(): Spent {
    this.#hooks ??= new Spent();
    return this.#hooks;
  }

  get permission(): Spent {
    this.#permission ??= new Spent();
    return this.#permission;
  }

  durations(now: number): Durations {
    return {
      queued: (this.beganAt < 0 ? now : this.beganAt) - this.queuedAt,
      hooks: this.#hooks?.until(now) ?? 0,
      permission: this.#permission?.until(now) ?? 0,
      running: this.startedAt < 0 ? 0 : (this.ranUntil < 0 ? now : this.ranUntil) - this.startedAt,
      held: 0,
    };
  }
}
