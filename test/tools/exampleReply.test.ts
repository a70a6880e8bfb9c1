import { cpSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/contract/index.js';
import { builtinTools } from '../../src/tools/index.js';
import { temporaryFolder } from '../node/processes.js';
import { callTool } from './callTool.js';

const example = (path: string) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
const reply = readFileSync(example('replies/fix-the-build.sse'), 'utf8');

interface Frame {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string; readonly name: string };
  readonly delta?: { readonly partial_json?: string };
}

const readReply = () => {
  const frames: Frame[] = [];
  const delays: string[] = [];
  const parser = createParser({
    onEvent: ({ data, event }) => {
      const frame = JSON.parse(data) as Frame;
      expect(frame.type).toBe(event);
      frames.push(frame);
    },
    onComment: (comment) => delays.push(comment),
  });
  parser.feed(reply);
  return { frames, delays };
};

const callsOf = (frames: readonly Frame[]) =>
  frames
    .filter(({ content_block }) => content_block?.type === 'tool_use')
    .map(({ index, content_block }) => {
      const deltas = frames.filter(
        (frame) => frame.index === index && frame.delta?.partial_json !== undefined,
      );
      const input = JSON.parse(deltas.map(({ delta }) => delta?.partial_json).join('')) as object;
      return { name: content_block?.name ?? '', pieces: deltas.length, input };
    });

describe('the example reply', () => {
  const { frames, delays } = readReply();
  const calls = callsOf(frames);

  it('is one message, whole, each event with its delay, at a pace one can watch', () => {
    expect([frames[0]?.type, frames.at(-1)?.type]).toEqual(['message_start', 'message_stop']);
    expect(delays).toHaveLength(frames.length);
    expect(delays.every((delay) => /^\+\d+$/.test(delay))).toBe(true);
    const total = delays.reduce((sum, delay) => sum + Number(delay), 0);
    expect(total).toBeGreaterThan(2000);
    expect(total).toBeLessThan(4000);
    expect(calls.every(({ pieces }) => pieces >= 3)).toBe(true);
  });

  it('does what it is for, in a copy of the workspace: the last command fails and cancels the rest', async () => {
    const cwd = temporaryFolder();
    cpSync(example('workspace'), cwd, { recursive: true });
    const tools: Readonly<Record<string, Tool>> = builtinTools({ cwd });
    const ends = [];
    for (const { name, input } of calls) {
      const tool = tools[name] as Tool;
      const { failure } = await callTool(tool, input);
      const call = { type: 'tool_use', id: 'toolu_1', name, input } as const;
      const { abortsSiblings } = tool;
      const cascades =
        failure !== undefined && typeof abortsSiblings === 'function' && abortsSiblings(failure, call);
      const isSafe = tool.isConcurrencySafe?.(input as never) === true;
      ends.push(
        `${name} ${isSafe ? 'safe' : 'alone'}${failure ? ' failed' : ''}${cascades ? ' cascades' : ''}`,
      );
      if (name === 'Bash' && failure)
        expect(failure.data).toMatchObject({ reason: 'exit-code', exitCode: 1 });
    }
    expect(ends).toEqual([
      ...['Read safe', 'Grep safe', 'Glob safe', 'Read safe', 'Bash safe', 'Edit alone', 'Bash safe'],
      'Bash alone failed cascades',
      ...['Write alone', 'Read safe'],
    ]);
  });
});
