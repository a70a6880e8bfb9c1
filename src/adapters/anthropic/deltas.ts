import { type JsonRecord, setMembers, textOf } from './wire.js';

/** The members of a block while it is written. */
export type BlockFields = { type: string; [key: string]: unknown };

export interface DeltaKind {
  fits(blockType: string): boolean;
  /** Writes into the fields and never copies what has come before, so that a block costs its own size (law 13). */
  apply(fields: BlockFields, delta: JsonRecord): void;
}

/** Client calls and those the server answers itself: `server_tool_use`, `mcp_tool_use`. */
export const takesInput = (type: string): boolean => type === 'tool_use' || type.endsWith('_tool_use');

const only = (type: string) => (blockType: string) => blockType === type;

/** What each type of delta does to its block; pieces of an input are text until they are whole. */
export const deltaKinds: ReadonlyMap<string, DeltaKind> = new Map<string, DeltaKind>([
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
      apply: (fields, { citation }) => {
        if (Array.isArray(fields.citations)) fields.citations.push(citation);
        else fields.citations = [citation];
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
      apply: (fields, { type: _, ...members }) => setMembers(fields, members),
    },
  ],
  ['input_json_delta', { fits: takesInput, apply: () => undefined }],
]);
