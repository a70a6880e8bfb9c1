import type { ResultContent } from '../contract/toolUse.js';
import { disown } from '../interop/disown.js';
import { messageOf } from './json.js';
import {
  anyText,
  base64,
  byType,
  either,
  filledText,
  isBlank,
  isPlain,
  listOf,
  oneOf,
  record,
  type Shape,
  truth,
} from './shape.js';
import { parseWellFormed } from './wellFormed.js';

/**
 * What `mapResult` gave, as blocks that the Messages API takes inside a `tool_result`: plain data, each member read
 * once, well-formed. Text blocks without text are left out, so there may be none; so are members that the API does
 * not know. An image of a kind that the model can't see becomes a note (SPEC §8).
 *
 * @throws TypeError for what can't be sent: one such block would fail every further request of the conversation
 */
export const resultBlocks = (mapped: readonly unknown[]): readonly ResultContent[] => {
  // All of them, since each that nobody waits for may end the process.
  if (mapped.filter(disown).length > 0)
    throw new TypeError('mapResult gave promises; it has to answer at once');
  const plain = parseWellFormed(jsonOf(mapped));
  if (!Array.isArray(plain))
    throw new TypeError('mapResult gave a list that is none once it is written as JSON');
  const blocks: ResultContent[] = [];
  for (const [n, block] of plain.entries()) {
    if (isEmptyText(block)) continue;
    blocks.push(resultBlock(block, `mapResult gave blocks of which [${n}]`) as ResultContent);
  }
  return blocks;
};

const jsonOf = (mapped: readonly unknown[]): string => {
  try {
    // Nothing is what a list whose own `toJSON` gives nothing becomes.
    return JSON.stringify(mapped) ?? 'null';
  } catch (error) {
    // The engine's own words on a circle go on for lines.
    const [reason = ''] = messageOf(error).split('\n', 1);
    throw new TypeError(`mapResult gave blocks that can't be written as JSON: ${reason}`);
  }
};

/** The API refuses a text block without text. */
const isEmptyText = (block: unknown): boolean =>
  isPlain(block) && block.type === 'text' && isBlank(block.text);

const written = (shape: Shape): Shape => {
  const list = listOf(shape);
  return (value, at) => list(Array.isArray(value) ? value.filter((block) => !isEmptyText(block)) : value, at);
};

const cached = { cache_control: record({ type: oneOf('ephemeral') }, { ttl: oneOf('5m', '1h') }) };
const citing = { citations: record({}, { enabled: truth }) };
const url = record({ type: anyText, url: filledText });
const file = record({ type: anyText, file_id: filledText });

const text = record({ type: anyText, text: filledText }, cached);

const VISIBLE = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

const visibleImage = record(
  {
    type: anyText,
    source: byType({
      base64: record({ type: anyText, media_type: oneOf(...VISIBLE), data: base64 }),
      url,
      file,
    }),
  },
  { ...cached, transformations: record({}, { oversized_image: oneOf('downsize', 'error') }) },
);

const unseenType = (block: unknown): string | undefined => {
  const source = isPlain(block) ? block.source : undefined;
  if (!isPlain(source) || source.type !== 'base64' || typeof source.media_type !== 'string') return undefined;
  return VISIBLE.includes(source.media_type as never) ? undefined : source.media_type;
};

const unseenImage: Shape = (block) => ({
  type: 'text',
  text: `[an image of type ${JSON.stringify(unseenType(block)?.slice(0, 60))} was left out: only JPEG, PNG, GIF and WebP can be seen]`,
});

const image = either((block) => unseenType(block) !== undefined, unseenImage, visibleImage);

const document = record(
  {
    type: anyText,
    source: byType({
      base64: record({ type: anyText, media_type: oneOf('application/pdf'), data: base64 }),
      text: record({ type: anyText, media_type: oneOf('text/plain'), data: filledText }),
      content: record({
        type: anyText,
        content: either(
          (content) => typeof content === 'string',
          filledText,
          written(byType({ text, image })),
        ),
      }),
      url,
      file,
    }),
  },
  { ...cached, ...citing, title: filledText, context: filledText },
);

const searchResult = record(
  { type: anyText, source: filledText, title: filledText, content: written(text) },
  { ...cached, ...citing },
);

const toolReference = record({ type: anyText, tool_name: filledText }, cached);

const resultBlock = byType({
  text,
  image,
  document,
  search_result: searchResult,
  tool_reference: toolReference,
});
