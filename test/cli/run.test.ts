import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolEvent } from '../../src/contract/index.js';
import { LawChecker } from '../../src/engine/checkLaws.js';
import { bash, eventsOf, millrace, replyFile, replyText } from './command.js';

const checkLaws = (events: readonly ToolEvent[]): void => {
  const laws = new LawChecker();
  for (const event of events) laws.see(event);
  laws.end();
};

const typesOf = (events: readonly ToolEvent[], type: ToolEvent['type']): ToolEvent[] =>
  events.filter((event) => event.type === type);

describe('millrace run', () => {
  it('tells each change of state, the message for the model and the drawing; a failed call is a result', async () => {
    const calls = [
      { name: 'Write', input: { file_path: 'a.txt', content: 'one\n' } },
      bash('cat a.txt; exit 3'),
    ];
    const { path, folder } = replyFile(replyText(calls, { text: 'First I write.\nThen I look.' }));
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
    expect(stdout).toMatch(/model +says +First I write\. \(\+1 line\)/);
    expect(stdout).toMatch(/#1 Write +queued +alone +a\.txt/);
    expect(stdout).toMatch(/#2 Bash +waits +batch: behind #1 Write, which runs alone/);
    expect(stdout).toMatch(/#2 Bash +progress +one/);
    expect(stdout).toMatch(/#2 Bash +completed +tool_error +\S+: Exit code 3/);
    expect(stdout).toMatch(/tool_result {2}#2 Bash {2}is_error\n {4}Exit code 3\n {4}one/);
    expect(stdout).toMatch(/run reply {2}2 calls .*\n[\s\S]* {3}2 Bash cat a.*✗/);
    expect(stdout).not.toContain('\x1b');
  });

  it('prints events as JSON and nothing else, and they keep the laws', async () => {
    const { path, folder } = replyFile(
      replyText([bash('echo 1'), bash('true'), { name: 'Nope', input: {} }]),
    );
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const events = eventsOf(stdout);
    checkLaws(events);
    expect(typesOf(events, 'result')).toHaveLength(3);
    expect(typesOf(events, 'input-delta')[0]).toMatchObject({ toolUseId: 'toolu_1', name: 'Bash' });
    expect(typesOf(events, 'completed')).toMatchObject([
      { outcome: { code: 'ok' } },
      { outcome: { code: 'ok' } },
      { outcome: { code: 'unknown_tool' } },
    ]);
  });

  it('tells a reply that was cut: the turn is discarded, with what had taken effect', async () => {
    const whole = replyText([bash('touch ran'), bash('sleep 0.01')]);
    const { path, folder } = replyFile(whole.slice(0, whole.indexOf('event: message_delta') + 40));
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder]);
    expect(code).toBe(1);
    expect(stderr).toBe('millrace: The connection ended before the message did. The turn was discarded.\n');
    expect(stdout).toMatch(/turn +discarded +The connection ended/);
    expect(stdout).toMatch(/#1 Bash +ledger +ran: (unknown|yes)/);
    expect(stdout).toMatch(/#2 Bash +ledger +ran: no/);
    expect(stdout).not.toContain('message for the model');
  });

  it('discards the turn of a message that ends as a refusal', async () => {
    const { path, folder } = replyFile(replyText([bash('true')], { stopReason: 'refusal' }));
    const { code, stdout, stderr } = await millrace(['run', path, '--cwd', folder]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/turn +discarded +the model refused/);
    expect(stderr).toBe('millrace: The reply was abandoned: the model refused. The turn was discarded.\n');
  });

  it('says so where a reply calls no tool', async () => {
    const { path } = replyFile(replyText([], { text: 'Done.', stopReason: 'end_turn' }));
    const { code, stdout } = await millrace(['run', path]);
    expect(code).toBe(0);
    expect(stdout).toContain('the reply calls no tool');
  });

  it('makes what tools print harmless, on lines and in JSON', async () => {
    const evil = '\x1b[2J\u202edone\x9b';
    const { path, folder } = replyFile(replyText([bash(`printf '${evil}'`)]));
    const plain = await millrace(['run', path, '--cwd', folder]);
    expect(plain.stdout).toContain('\\x1b[2J\\u202edone\\x9b');
    const json = await millrace(['run', path, '--cwd', folder, '--json']);
    for (const { stdout } of [plain, json]) {
      for (const character of ['\x1b', '\u202e', '\x9b']) expect(stdout).not.toContain(character);
    }
    expect(typesOf(eventsOf(json.stdout), 'progress')[0]).toMatchObject({ data: { text: evil } });
  });

  it('bounds the lines of a command that prints a lot', async () => {
    const { path, folder } = replyFile(replyText([bash('for i in $(seq 2000); do echo line $i; done')]));
    const { stdout } = await millrace(['run', path, '--cwd', folder, '--no-color']);
    expect(stdout.split('\n').length).toBeLessThan(80);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('plays the delays of the file, or N times as fast', async () => {
    const delayed = replyText([bash('true')]).replace('event: message_stop', ': +600\nevent: message_stop');
    const { path, folder } = replyFile(delayed);
    const endOf = async (...pace: string[]): Promise<number> => {
      const { stdout } = await millrace(['run', path, '--cwd', folder, ...pace]);
      return Number(/([\d.]+)s +model +ended/.exec(stdout)?.[1]);
    };
    expect(await endOf()).toBeGreaterThanOrEqual(0.6);
    const faster = await endOf('--pace', '3');
    expect(faster).toBeGreaterThanOrEqual(0.2);
    expect(faster).toBeLessThan(0.6);
    expect(await endOf('--pace', 'fast')).toBeLessThan(0.2);
  });

  it('plays the example as it is meant: the failed check stops what comes after it', async () => {
    const { code, stdout } = await millrace(['example', '--pace', 'fast', '--ascii']);
    expect(code).toBe(0);
    const folder = /tools work in (\S+)/.exec(stdout)?.[1] ?? '';
    expect(folder).toContain('millrace-example-');
    expect(stdout).toContain(`removed ${folder}`);
    expect(existsSync(folder)).toBe(false);
    expect(stdout).toMatch(/#8 Bash failed and aborts siblings: #9 #10 answered without running/);
    const { stdout: json } = await millrace(['example', '--pace', 'fast', '--json']);
    checkLaws(eventsOf(json));
  });
});
