import { z } from 'zod';

/** What the Messages API takes as the content of a `tool_result`, after its published types; nothing else passes. */

const filled = z.string().refine((text) => text.trim() !== '', 'blank');
const base64 = z.base64().min(1);
const cache_control = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish();
const citations = z.strictObject({ enabled: z.boolean().optional() }).nullish();
const url = z.strictObject({ type: z.literal('url'), url: filled });
const file = z.strictObject({ type: z.literal('file'), file_id: filled });

const text = z.strictObject({ type: z.literal('text'), text: filled, cache_control });

const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    url,
    file,
  ]),
  cache_control,
  transformations: z.strictObject({ oversized_image: z.enum(['downsize', 'error']).optional() }).nullish(),
});

const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: filled }),
    z.strictObject({
      type: z.literal('content'),
      content: z.union([filled, z.array(z.discriminatedUnion('type', [text, image])).nonempty()]),
    }),
    url,
    file,
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations,
  cache_control,
});

const searchResult = z.strictObject({
  type: z.literal('search_result'),
  source: filled,
  title: filled,
  content: z.array(text).nonempty(),
  citations,
  cache_control,
});

const toolReference = z.strictObject({ type: z.literal('tool_reference'), tool_name: filled, cache_control });

export const apiContent = z.union([
  filled,
  z.array(z.discriminatedUnion('type', [text, image, document, searchResult, toolReference])).nonempty(),
]);
