import { defer, finalize, from, type Observable } from 'rxjs';
import { InvalidOptionError } from '../contract/errors.js';
import type { Hook, HookAnswer, HookEventName, HookInput } from '../contract/hooks.js';
import { hookEvents } from '../hooks/index.js';
import { HookOutputError, readHookJson } from './hookJson.js';
import { type HookSession, hookPayload } from './hookPayload.js';
import { keptChars } from './hookProcess.js';

export interface HttpHookOptions<E extends HookEventName = HookEventName>
  extends Omit<Hook<E>, 'run' | 'key'> {
  /** `http:` or `https:`. */
  readonly url: string;
  /** `$NAME` and `${NAME}` in them stand for a variable, where `allowedEnvVars` names it; else for nothing. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedEnvVars?: readonly string[];
  /** Added to this program's environment, for `headers`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute folder that relative paths of inputs start from. Default: this program's. */
  readonly cwd?: string;
  readonly session?: HookSession;
}

/**
 * A hook that is a server: the JSON of a command hook is posted to it, its answer is the JSON a command hook prints.
 *
 * An empty answer is no opinion. A status other than 2xx, a redirection, or anything but a JSON object is a failure:
 * a status can't decide, and a guard that is not reached must not let calls pass.
 *
 * @throws InvalidOptionError for a `url` that is none
 * @example
 * ```ts
 * const guard = httpHook('PreToolUse', { matcher: 'Bash', url: 'http://localhost:8080/guard', timeoutMs: 5_000 });
 * ```
 */
export const httpHook = <E extends HookEventName>(event: E, options: HttpHookOptions<E>): Hook<E> => {
  const { url, headers, allowedEnvVars, env, cwd, session, ...conditions } = options;
  if (!hookEvents.includes(event)) throw new InvalidOptionError('event', hookEvents.join(', '), event);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new InvalidOptionError('url', 'an address that begins with http: or https:', url);
  }
  const ask = (input: HookInput) =>
    defer(() => {
      const controller = new AbortController();
      return from(post(input, options, controller.signal)).pipe(finalize(() => controller.abort()));
    });
  return {
    ...conditions,
    name: conditions.name ?? url,
    key: JSON.stringify(['http', url, headers, allowedEnvVars, cwd, env]),
    // The answer is read by the event of this very input.
    run: (input) => ask(input) as Observable<HookAnswer<E> | undefined>,
  };
};

const post = async (
  input: HookInput,
  options: HttpHookOptions<never>,
  signal: AbortSignal,
): Promise<unknown> => {
  const { url, cwd = process.cwd(), session = {} } = options;
  const body = hookPayload(input, session, cwd);
  const headers = { 'content-type': 'application/json', ...filledHeaders(options) };
  const response = await reach(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  const text = await readBody(response);
  if (!response.ok) throw new HookOutputError(`its server answered with status ${response.status}`);
  return text.trim() === '' ? undefined : readHookJson(text, input);
};

const reach = async (url: string, request: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, request);
  } catch (error) {
    // `fetch failed` says nothing; its cause does.
    const { cause, message } = error as Error;
    throw new HookOutputError(
      `its server was not reached: ${cause instanceof Error ? cause.message : message}`,
    );
  }
};

const readBody = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > keptChars) throw new HookOutputError('its answer is longer than is read');
  }
  return text + decoder.decode();
};

const filledHeaders = ({ headers = {}, allowedEnvVars = [], env }: HttpHookOptions<never>) => {
  const variables: NodeJS.ProcessEnv = { ...process.env, ...env };
  const variable = (name: string): string => (allowedEnvVars.includes(name) ? (variables[name] ?? '') : '');
  const fill = (text: string): string =>
    text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) =>
      variable(braced ?? bare ?? ''),
    );
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text)]));
};
