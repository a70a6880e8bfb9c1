import { catchError, lastValueFrom, of, toArray } from 'rxjs';
import {
  type ModelEventsOptions,
  type ModelSource,
  modelEvents,
} from '../../../src/adapters/anthropic/index.js';
import type { ModelEvent, ModelStreamError, ToolUse } from '../../../src/contract/index.js';

/** Wire events in the shorthand of the bug cases: MS, T, S, X, K, J, E, MD, END, ERR. */
export type Wire = { readonly type: string; readonly [key: string]: unknown };

export const MS = (id = 'm1', extra: Readonly<Record<string, unknown>> = {}): Wire => ({
  type: 'message_start',
  message: {
    id,
    type: 'message',
    role: 'assistant',
    model: 'model-a',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
    ...extra,
  },
});

export const B = (index: number, content_block: unknown): Wire => ({
  type: 'content_block_start',
  index,
  content_block,
});
export const T = (index: number, id: string, name = 'read', input: unknown = {}): Wire =>
  B(index, { type: 'tool_use', id, name, input });
export const S = (index: number, id: string, name = 'web_search'): Wire =>
  B(index, { type: 'server_tool_use', id, name, input: {} });
export const X = (index: number): Wire => B(index, { type: 'text', text: '' });
export const K = (index: number): Wire => B(index, { type: 'thinking', thinking: '', signature: '' });

export const D = (index: number, delta: unknown): Wire => ({ type: 'content_block_delta', index, delta });
export const J = (index: number, partial_json: string): Wire =>
  D(index, { type: 'input_json_delta', partial_json });
export const text = (index: number, piece: string): Wire => D(index, { type: 'text_delta', text: piece });
export const E = (index: number): Wire => ({ type: 'content_block_stop', index });
export const MD = (stop_reason: string | null, usage: unknown = { output_tokens: 9 }): Wire => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
});
export const END: Wire = { type: 'message_stop' };
export const ERR = (type: string, message = 'Overloaded'): Wire => ({
  type: 'error',
  error: { type, message, details: null },
  request_id: 'req_1',
});

/** A call with its whole input in one delta. */
export const call = (index: number, id: string, input = '{"n":1}', name = 'read'): readonly Wire[] => [
  T(index, id, name),
  J(index, input),
  E(index),
];

export const sse = (events: readonly Wire[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

export const bytes = (body: string): Uint8Array => new TextEncoder().encode(body);

export interface Reading {
  readonly events: readonly ModelEvent[];
  readonly error?: ModelStreamError;
  readonly toolUses: readonly ToolUse[];
  readonly end?: Extract<ModelEvent, { type: 'message-end' }>;
  readonly anomalies: readonly string[];
}

export const reading = (events: readonly ModelEvent[], error?: ModelStreamError): Reading => {
  const end = events.find((event) => event.type === 'message-end');
  return {
    events,
    ...(error && { error }),
    ...(end && { end }),
    toolUses: events.flatMap((event) => (event.type === 'tool-use' ? [event.toolUse] : [])),
    anomalies: events.flatMap((event) => (event.type === 'anomaly' ? [event.code] : [])),
  };
};

/** Everything a source gives, to its end. */
export const read = async (source: ModelSource, options?: ModelEventsOptions): Promise<Reading> => {
  let error: ModelStreamError | undefined;
  const events = await lastValueFrom(
    modelEvents(source, options).pipe(
      catchError((failure: ModelStreamError) => {
        error = failure;
        return of<ModelEvent>();
      }),
      toArray(),
    ),
  );
  return reading(events, error);
};

/** What has come after each wire event, to see when a call was handed out. */
export const types = (events: readonly ModelEvent[]): readonly string[] => events.map(({ type }) => type);
