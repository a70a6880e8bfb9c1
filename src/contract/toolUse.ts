/** Why a block can't be executed although it names a call (SPEC §4.2, §4.3). */
export interface ToolUseFault {
  /** `invalid_json`: the text is no JSON object. `cut_off`: the model's limit ended the message inside it. */
  readonly code: 'invalid_json' | 'cut_off';
  /** What went wrong, in a few words without an end: the text for the model is built around it. */
  readonly text: string;
}

/** One `tool_use` block of an assistant message, as the Messages API writes it. */
export interface ToolUse {
  readonly type: 'tool_use';
  /** Unique within a conversation; a second use of an id is not taken in (SPEC §4.5). */
  readonly id: string;
  readonly name: string;
  /** What the model wrote, before any parsing by a schema. */
  readonly input: unknown;
  /** The assistant message it belongs to; a discard writes one tombstone a message. */
  readonly messageId?: string;
  readonly fault?: ToolUseFault;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
}

/**
 * A block inside a `tool_result`: text, image, document, search_result or tool_reference, as the API knows them. Any
 * other kind, and members the API does not know, never reach it.
 */
export type ResultContent =
  | TextBlock
  | ImageBlock
  | { readonly type: string; readonly [key: string]: unknown };

/** The block that answers a call. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly ResultContent[];
  readonly is_error?: boolean;
}

/** A message of the conversation, as it is sent to the model. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly MessageBlock[];
}

export type MessageBlock =
  | ToolResultBlock
  | TextBlock
  | ImageBlock
  | { readonly type: string; readonly [key: string]: unknown };

/** The message `toolResultMessage()` builds: results first, in call order, then what follows them. */
export interface ToolResultMessage {
  readonly role: 'user';
  readonly content: readonly MessageBlock[];
}
