import type { ToolUse } from './toolUse.js';

/** A content block as the model sent it, unknown kinds and members kept. */
export interface ContentBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly id?: string;
  readonly model?: string;
  readonly content: readonly ContentBlock[];
  readonly [key: string]: unknown;
}

/** `null` where the model's server named none. */
export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | (string & {})
  | null;

/** What happens while a model writes one message. Failure is the error channel: a `ModelStreamError`. */
export type ModelEvent =
  | { readonly type: 'message-start'; readonly messageId: string; readonly message: AssistantMessage }
  | { readonly type: 'text-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly index: number; readonly thinking: string }
  | {
      readonly type: 'input-delta';
      readonly index: number;
      readonly toolUseId: string;
      readonly name: string;
      /** The piece of text that came. */
      readonly delta: string;
      /** What could be read of the input so far, for display only; may lag behind while a long input grows. */
      readonly input: unknown;
    }
  | { readonly type: 'block'; readonly index: number; readonly block: ContentBlock }
  | { readonly type: 'tool-use'; readonly toolUse: ToolUse }
  | {
      readonly type: 'message-end';
      readonly stopReason: StopReason;
      readonly usage: Readonly<Record<string, unknown>>;
      /** What the model sent, block for block. */
      readonly message: AssistantMessage;
    }
  | {
      /** A second message began in one stream: what belongs to the first must be withdrawn. */
      readonly type: 'message-replaced';
      readonly messageId: string;
      readonly by: string;
    }
  | {
      readonly type: 'anomaly';
      readonly code: string;
      readonly message: string;
      readonly toolUseId?: string;
    };
