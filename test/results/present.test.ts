import { describe, expect, it } from 'vitest';
import { errorBlock, presentOutput } from '../../src/results/present.js';
import { safeTool } from '../engine/turns.js';

const show = (output: unknown, mapResult?: (output: never) => unknown) =>
  presentOutput(
    safeTool('tool', () => 1, mapResult === undefined ? {} : { mapResult: mapResult as never }),
    output,
    'a',
  );

const empty = '(tool finished without output)';

describe('an output becomes content that is valid and never empty', () => {
  it.each<[string, unknown, string]>([
    ['text, as it is', ' two\nlines ', ' two\nlines '],
    ['an object, as JSON', { a: 1 }, '{"a":1}'],
    ['a number', 0, '0'],
    ['false', false, 'false'],
    ['null', null, 'null'],
    ['a list of texts', ['a'], '["a"]'],
    ['nothing', undefined, empty],
    ['an empty text', '', empty],
    ['blanks', ' \n', empty],
    ['half a character', 'x\ud83dy', 'x\ufffdy'],
    ['whole ones', '😀', '😀'],
  ])('%s', (_name, output, expected) => {
    expect(show(output)).toBe(expected);
  });
});

describe('what mapResult gives', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

  it.each<[string, unknown, unknown]>([
    ['text', 'mapped', 'mapped'],
    ['an empty text', '', empty],
    ['blocks', [{ type: 'text', text: 'x' }, image], [{ type: 'text', text: 'x' }, image]],
    ['no blocks', [], empty],
    ['an empty text block beside others', [{ type: 'text', text: ' ' }, image], [image]],
    ['empty text blocks alone', [{ type: 'text', text: '' }], empty],
    [
      'a text block with half a character',
      [{ type: 'text', text: '\ud83d' }],
      [{ type: 'text', text: '\ufffd' }],
    ],
    [
      'an empty text block beside a text',
      [{ type: 'text' }, { type: 'text', text: 'x' }],
      [{ type: 'text', text: 'x' }],
    ],
    [
      'members that the API does not know',
      [{ type: 'text', text: 'x', annotations: {}, _meta: 1, cache_control: { type: 'ephemeral' } }],
      [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    ],
    [
      'an image that the model can not see: a note',
      [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AAAA' } }],
      [
        {
          type: 'text',
          text: '[an image of type "image/bmp" was left out: only JPEG, PNG, GIF and WebP can be seen]',
        },
      ],
    ],
    ['what says in JSON what it is', [{ toJSON: () => image }], [image]],
    [
      'a Date within',
      [{ type: 'text', text: new Date(0) }],
      [{ type: 'text', text: '1970-01-01T00:00:00.000Z' }],
    ],
  ])('%s', (_name, mapped, expected) => {
    expect(show(1, () => mapped)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 7],
    ['an object', { type: 'text', text: 'x' }],
    ['a list of texts', ['x']],
    ['a promise', Promise.resolve('x')],
  ])('%s is refused, in words', (_name, mapped) => {
    expect(() => show(1, () => mapped)).toThrow(/mapResult gave/);
  });
});

it('an error block is well formed', () => {
  expect(errorBlock('a', 'x\ud83d')).toEqual({
    type: 'tool_result',
    tool_use_id: 'a',
    content: 'x\ufffd',
    is_error: true,
  });
});
