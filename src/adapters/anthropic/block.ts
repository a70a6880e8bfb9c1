import type { ContentBlock } from '../../contract/index.js';
import { completeMembers, InputPreview } from './partialInput.js';
import { readGivenInput, readToolInput, type ToolInput } from './toolInput.js';
import { isRecord, type JsonRecord, textOf } from './wire.js';

/** What became of a delta: `mismatched` is a kind that this type of block does not take. */
export type Applied = 'applied' | 'mismatched' | 'unknown';

type Fields = { type: string; [key: string]: unknown };

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
  readonly #fields: Fields;
  readonly #preview = new InputPreview();

  constructor(index: number, content: JsonRecord, given = false) {
    this.index = index;
    this.given = given;
    this.#fields = { ...content, type: textOf(content.type) };
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
    const kind = kinds.get(textOf(delta.type));
    if (kind === undefined) return 'unknown';
    if (!kind.fits(this.type)) return 'mismatched';
    if (delta.type === 'input_json_delta') this.json += textOf(delta.partial_json);
    else kind.apply(this.#fields, delta);
    return 'applied';
  }

  preview(): JsonRecord {
    return this.#preview.read(this.json);
  }

  /**
   * Empty deltas never overwrite an input that was given whole. A new value each time: what a tool or a hook does
   * to its input must not change what the message says.
   */
  input(): ToolInput {
    const written = readToolInput(this.json);
    return written.type === 'empty' ? readGivenInput(structuredClone(this.#fields.input)) : written;
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

/** Client calls and those the server answers itself: `server_tool_use`, `mcp_tool_use`. */
const takesInput = (type: string): boolean => type === 'tool_use' || type.endsWith('_tool_use');

interface DeltaKind {
  fits(blockType: string): boolean;
  apply(fields: Fields, delta: JsonRecord): void;
}

const only = (type: string) => (blockType: string) => blockType === type;

const kinds: ReadonlyMap<string, DeltaKind> = new Map<string, DeltaKind>([
  [
    'text_delta',
    {
      fits: only('text'),
      apply: (fields, delta) => {
        fields.text = textOf(fields.text) + textOf(delta.text);
      },
    },
  ],
  [
    'citations_delta',
    {
      fits: only('text'),
      apply: (fields, delta) => {
        fields.citations = [...(Array.isArray(fields.citations) ? fields.citations : []), delta.citation];
      },
    },
  ],
  [
    'thinking_delta',
    {
      fits: only('thinking'),
      apply: (fields, delta) => {
        fields.thinking = textOf(fields.thinking) + textOf(delta.thinking);
      },
    },
  ],
  [
    'signature_delta',
    {
      fits: only('thinking'),
      apply: (fields, delta) => {
        fields.signature = delta.signature;
      },
    },
  ],
  [
    // Carries the final value, not a piece of it; every member of it belongs to the block.
    'compaction_delta',
    {
      fits: only('compaction'),
      apply: (fields, { type: _, ...members }) => {
        Object.assign(fields, members);
      },
    },
  ],
  ['input_json_delta', { fits: takesInput, apply: () => undefined }],
]);
