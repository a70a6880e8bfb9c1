import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/cli/cliError.js';
import { parseReply } from '../../../src/cli/reply/parseReply.js';
import { bash, replyText } from '../command.js';

const start = 'data: {"type":"message_start","message":{}}\n\n';
const parse = (text: string) => parseReply(text, 'a.sse');
const timesOf = (text: string): number[] => parse(text).frames.map(({ at }) => at);

describe('parseReply', () => {
  it('keeps the text of every event as it stands', () => {
    const text = replyText([bash('true')]);
    const { frames, hasDelays } = parse(text);
    expect(frames.map((frame) => frame.text).join('')).toBe(text);
    expect(hasDelays).toBe(false);
    expect(new Set(frames.map(({ at }) => at))).toEqual(new Set([0]));
  });

  it('adds up the delays before each event, and takes other comments for what they are', () => {
    expect(timesOf(`: +120\n${start}: hello\n${start}: +30\n${start}:+1.5\n${start}`)).toEqual([
      120, 120, 150, 151.5,
    ]);
    expect(parse(`: +0\n${start}`).hasDelays).toBe(true);
    expect(parse(`: hello\n${start}`).hasDelays).toBe(false);
  });

  it('reads every kind of line end, and a byte order mark', () => {
    const text = `: +5\nevent: ping\ndata: {"type":"ping"}\n\n${start}`;
    for (const end of ['\r\n', '\r', '\n']) {
      expect(timesOf(`\uFEFF${text.replaceAll('\n', end)}`)).toEqual([5, 5]);
    }
  });

  it('lets a last event through that is cut, and leaves it open', () => {
    expect(parse(`${start}event: ping\ndata: {"ty`).frames.at(-1)?.text).toBe('event: ping\ndata: {"ty');
    expect(parse(start.trimEnd()).frames).toHaveLength(1);
  });

  it('lets an error through whose text is no JSON', () => {
    expect(parse('event: error\ndata: upstream is down\n\n').frames).toHaveLength(1);
  });

  it.each([
    ['', 1, 'not a reply'],
    ['<html>\n\n</html>\n', 1, 'not a reply'],
    ['data: {"type":"ping"}\n\n', 1, 'not a reply'],
    ['data: {"object":"chat.completion.chunk"}\n\n', 1, 'it has no "type"'],
    [`${start}data: [1]\n\n`, 3, 'expected a JSON object'],
    [`${start}: +1\nevent: ping\ndata: {\ndata: "a" 1}\n\n${start}`, 5, 'data is no JSON'],
    [`${start}data: [DONE]\n\n`, 3, 'data is no JSON'],
    [`${start}data: \x1b[2J\n\n`, 3, 'data is no JSON'],
  ])('names file, line and reason of %j', (text, line, reason) => {
    expect(() => parse(text)).toThrow(CliError);
    expect(() => parse(text)).toThrow(`a.sse, line ${line}: `);
    expect(() => parse(text)).toThrow(reason);
    expect(() => parse(text)).not.toThrow('\x1b');
  });
});
