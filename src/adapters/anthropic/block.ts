import type { ContentBlock } from '../../contract/index.js';
import { type BlockFields, deltaKinds, takesInput } from './deltas.js';
import { completeMembers, InputPreview } from './partialInput.js';
import { readGivenInput, readToolInput, type ToolInput } from './toolInput.js';
import { isRecord, type JsonRecord, textOf } from './wire.js';

/** What became of a delta: `mismatched` is a kind that this type of block does not take. */
export type Applied = 'applied' | 'mismatched' | 'unknown';

/** A content block while it is written; members and kinds that are not known here stay as they came. */
export class Block {
  readonly index: number;
  /** It came in the start of the message, whole. */
  readonly given: boolean;
  /** The text of the input, as its deltas brought it. */
  json = '';
  closed = false;
  /** Its call has been handed out, so it never is again. */
  called = false;
  readonly #fields: BlockFields;
  #lostPiece = false;
  readonly #preview = new InputPreview();

  constructor(index: number, content: JsonRecord, given = false) {
    this.index = index;
    this.given = given;
    this.#fields = { ...content, type: textOf(content.type) };
    // Deltas add to it, and it belongs to whoever sent it.
    if (Array.isArray(content.citations)) this.#fields.citations = [...content.citations];
  }

  get type(): string {
    return this.#fields.type;
  }

  get id(): string {
    return textOf(this.#fields.id);
  }

  get name(): string {
    return textOf(this.#fields.name);
  }

  get isCall(): boolean {
    return this.type === 'tool_use';
  }

  /** The server announced the same block again. */
  isSameAs(other: Block): boolean {
    return this.type === other.type && this.id === other.id;
  }

  apply(delta: JsonRecord): Applied {
    const kind = deltaKinds.get(textOf(delta.type));
    if (kind === undefined) return 'unknown';
    if (!kind.fits(this.type)) return 'mismatched';
    if (delta.type === 'input_json_delta') this.#write(delta.partial_json);
    else kind.apply(this.#fields, delta);
    return 'applied';
  }

  #write(piece: unknown): void {
    this.json += textOf(piece);
    // What is left may well be JSON, but it is not what the model wrote.
    this.#lostPiece ||= typeof piece !== 'string' && piece !== null && piece !== undefined;
  }

  preview(): JsonRecord {
    return this.#preview.read(this.json);
  }

  /**
   * Empty deltas never overwrite an input that was given whole. A new value each time: what a tool or a hook does
   * to its input must not change what the message says.
   */
  input(): ToolInput {
    if (this.#lostPiece)
      return { type: 'invalid', problem: 'a piece of it came as something else than text' };
    const written = readToolInput(this.json);
    if (written.type !== 'empty') return written;
    const given = readGivenInput(this.#fields.input);
    return given.type === 'object' ? { type: 'object', value: structuredClone(given.value) } : given;
  }

  /**
   * The block as the message keeps it. An input that can't be read is kept as far as its members are complete,
   * and always as an object, since the API refuses every request whose history holds another.
   */
  content(): ContentBlock {
    if (!takesInput(this.type)) return { ...this.#fields };
    const input = this.input();
    if (input.type === 'object') return { ...this.#fields, input: input.value };
    if (input.type === 'invalid') return { ...this.#fields, input: completeMembers(this.json) };
    return { ...this.#fields, input: isRecord(this.#fields.input) ? this.#fields.input : {} };
  }
}
