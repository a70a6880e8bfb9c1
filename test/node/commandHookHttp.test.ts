import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Observable } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Hook, HookEventName } from '../../src/contract/hooks.js';
import { type HttpHookOptions, httpHook } from '../../src/node/httpHook.js';
import { answerOf, inputOf } from './hookInputs.js';
import { eventually } from './processes.js';

interface Heard {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A server of hooks; `answer` is a text, or answers itself. */
const serve = async (answer: string | ((response: ServerResponse) => void), status = 200) => {
  const heard: Heard[] = [];
  const closed = { count: 0 };
  const server = createServer((request, response) => {
    let text = '';
    response.on('close', () => void closed.count++);
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      heard.push({ method: request.method, headers: request.headers, body: JSON.parse(text) });
      if (typeof answer === 'string') response.writeHead(status).end(answer);
      else answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { heard, closed, url: `http://127.0.0.1:${port}/guard` };
};
const hookOf = (url: string, options: Partial<HttpHookOptions> = {}, event: HookEventName = 'PreToolUse') =>
  httpHook(event, { url, ...options } as never) as Hook;
const ask = (hook: Hook, event: HookEventName = 'PreToolUse') => answerOf(hook, inputOf(event));

describe('a hook that is a server', () => {
  it('is posted what a command hook reads, and answers what it prints', async () => {
    const { heard, url } = await serve(
      JSON.stringify({ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } }),
    );
    expect(await ask(hookOf(url, { session: { id: 's' } }))).toEqual({ decision: 'deny', reason: 'no' });
    expect(heard).toMatchObject([
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't1' },
      },
    ]);
  });

  it('has no opinion where its answer is empty', async () => {
    const { url } = await serve(' \n', 204);
    expect(await ask(hookOf(url))).toBeUndefined();
  });

  it.each<[string, number, string]>([
    ['{"decision":"block"}', 403, 'status 403'],
    ['', 500, 'status 500'],
    ['all is well', 200, 'is no JSON'],
    ['["allow"]', 200, 'does not fit PreToolUse'],
    ['{"decision":"perhaps"}', 200, 'does not fit PreToolUse: decision'],
    ['x'.repeat(1_100_000), 200, 'longer than is read'],
  ])('fails with %.30s and status %i', async (answer, status, why) => {
    const { url } = await serve(answer, status);
    await expect(ask(hookOf(url))).rejects.toThrow(why);
  });

  it('fails where it is not reached, or sends somewhere else', async () => {
    await expect(ask(hookOf('http://127.0.0.1:1/'))).rejects.toThrow(/its server was not reached: .+/);
    const { url } = await serve((response) => response.writeHead(302, { location: '/other' }).end());
    await expect(ask(hookOf(url))).rejects.toThrow('its server was not reached');
  });

  it('is left when its answer is not wanted any more', async () => {
    const { url, heard, closed } = await serve(() => undefined);
    const running = (hookOf(url).run(inputOf('PreToolUse') as never) as Observable<unknown>).subscribe();
    expect(await eventually(() => heard.length === 1)).toBe(true);
    running.unsubscribe();
    expect(await eventually(() => closed.count === 1)).toBe(true);
  });

  it('gets variables in its headers, but none that is not named', async () => {
    const { url, heard } = await serve('');
    const bare = 'Bearer $TOKEN';
    const braced = `a\${TOKEN}b$SECRET-`;
    const headers = { authorization: bare, 'x-both': braced };
    await ask(hookOf(url, { headers, allowedEnvVars: ['TOKEN'], env: { TOKEN: 't', SECRET: 's' } }));
    expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-both': 'atb-' });
  });

  it.each(['', 'localhost', 'file:///etc/passwd', '/guard'])('is refused at %j', (url) => {
    expect(() => httpHook('PreToolUse', { url })).toThrow('expected `url` to be an address');
  });
});
