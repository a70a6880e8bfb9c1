import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './checkFolder.js';

const fixtures = fileURLToPath(new URL('../fixtures/streams', import.meta.url));

const check = async (...args: readonly string[]) => {
  const lines: string[] = [];
  const code = await run(args, (line) => lines.push(line));
  return { code, lines };
};

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(dir, name, '..'), { recursive: true });
    await writeFile(join(dir, name), content);
  }
  return dir;
};

const body =
  'data: {"type":"message_start","message":{"id":"m","content":[],"usage":{}}}\n\ndata: {"type":"message_stop"}\n\n';

describe('check:recordings', () => {
  it('passes the fixtures, and names those where SPEC §4 is stricter', async () => {
    const { code, lines } = await check(fixtures);
    expect(lines).toEqual([
      expect.stringMatching(/^stricter tool-cut-max-tokens\.sse: .*SPEC §4\.3/),
      expect.stringMatching(/^stricter tool-invalid-json\.sse: .*SPEC §4\.2/),
      '5 streams: 3 match, 2 stricter by SPEC §4, 0 differ',
    ]);
    expect(code).toBe(0);
  });

  it('ends with 1 for any other difference, in folders below too', async () => {
    const dir = await folderWith({
      'a/content.sse': body,
      'a/content.expected.json': '{"content":[{"type":"text","text":"x"}],"stop_reason":null,"usage":{}}',
      'b/usage.sse': body,
      'b/usage.expected.json': '{"content":[],"stop_reason":null,"usage":{"output_tokens":1}}',
      'c/cut.sse': body.slice(0, -40),
      'c/cut.expected.json': '{"content":[],"stop_reason":null,"usage":{}}',
      'd/alone.sse': body,
    });
    const { code, lines } = await check(dir);
    expect(code).toBe(1);
    expect(lines).toEqual([
      'DIFFERS  a/content.sse: other content than expected',
      'DIFFERS  b/usage.sse: other usage than expected',
      'DIFFERS  c/cut.sse: The connection ended before the message did.',
      expect.stringContaining('DIFFERS  d/alone.sse: ENOENT'),
      '4 streams: 0 match, 0 stricter by SPEC §4, 4 differ',
    ]);
  });

  it('does not excuse a recording by its name alone', async () => {
    const dir = await folderWith({});
    await cp(join(fixtures, 'text-and-two-tools.sse'), join(dir, 'tool-invalid-json.sse'));
    await writeFile(join(dir, 'tool-invalid-json.expected.json'), '{"error":"unable to parse"}');
    expect((await check(dir)).code).toBe(1);
  });

  it('says what is wrong with its argument', async () => {
    expect(await check()).toMatchObject({ code: 2, lines: [expect.stringContaining('usage:')] });
    const missing = join(fixtures, 'nowhere');
    expect(await check(missing)).toEqual({
      code: 2,
      lines: [`error: ${missing} is no folder that can be read`],
    });
    const empty = await folderWith({});
    expect(await check(empty)).toEqual({ code: 2, lines: [`error: there is no .sse file below ${empty}`] });
  });
});
