import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolEvent } from '../../src/contract/index.js';
import { temporaryFolder } from '../node/processes.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const commandLine = [process.execPath, '--import', 'tsx', join(root, 'src/cli/main.ts')] as const;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command as a process of its own; `see` is told all of stdout each time more has come. */
export const millrace = (
  args: readonly string[],
  { env = {}, see }: { env?: NodeJS.ProcessEnv; see?: (stdout: string, child: ChildProcess) => void } = {},
): Promise<Ended> => {
  const [program, ...options] = commandLine;
  return collect(spawn(program, [...options, ...args], { cwd: root, env: { ...process.env, ...env } }), see);
};

export const collect = (
  child: ChildProcess,
  see: (stdout: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      see(stdout, child);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });

export interface ReplyCall {
  readonly name: string;
  readonly input: object;
}

const frame = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A reply of calls, each written in three pieces, as text of server-sent events. */
export const replyText = (
  calls: readonly ReplyCall[],
  { stopReason = 'tool_use', text }: { readonly stopReason?: string; readonly text?: string } = {},
): string => {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    usage: {},
  };
  const frames = [frame({ type: 'message_start', message } as never)];
  if (text !== undefined) {
    frames.push(
      frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text } } as never),
    );
    frames.push(frame({ type: 'content_block_stop', index: 0 } as never));
  }
  calls.forEach(({ name, input }, i) => {
    const index = i + (text === undefined ? 0 : 1);
    const content_block = { type: 'tool_use', id: `toolu_${i + 1}`, name, input: {} };
    frames.push(frame({ type: 'content_block_start', index, content_block } as never));
    const json = JSON.stringify(input);
    const third = Math.ceil(json.length / 3);
    for (let at = 0; at < json.length; at += third) {
      const delta = { type: 'input_json_delta', partial_json: json.slice(at, at + third) };
      frames.push(frame({ type: 'content_block_delta', index, delta } as never));
    }
    frames.push(frame({ type: 'content_block_stop', index } as never));
  });
  frames.push(frame({ type: 'message_delta', delta: { stop_reason: stopReason }, usage: {} } as never));
  return frames.join('') + frame({ type: 'message_stop' });
};

/** A file of this text, in a folder of its own that is also fit to work in. */
export const replyFile = (text: string): { readonly path: string; readonly folder: string } => {
  const folder = temporaryFolder();
  const path = join(folder, 'reply.sse');
  writeFileSync(path, text);
  return { path, folder };
};

export const bash = (command: string): ReplyCall => ({ name: 'Bash', input: { command } });

export const eventsOf = (lines: string): ToolEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ToolEvent);
