import type { Hook, HookEventName } from '../contract/hooks.js';
import { commandHook } from './commandHook.js';
import { definedMembers } from './definedMembers.js';
import type { HookSession } from './hookPayload.js';
import { httpHook } from './httpHook.js';
import { parsed, type SettingsFile } from './settingsFile.js';
import { type CommandHandler, type HttpHandler, schemas, unreadMembers } from './settingsSchema.js';

/** What hooks of a settings file are run with. */
export interface SettingsHookOptions {
  /** Absolute: where they run, and what `CLAUDE_PROJECT_DIR` says. */
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly session?: HookSession;
  /** What a failure counts as where the file does not say. */
  readonly onFailure?: 'deny' | 'continue';
  /** Each list must name an address, with `*` for anything, before it is posted to. */
  readonly allowedUrls: readonly (readonly string[])[];
  /** Each list must name a variable before it is put into a header. */
  readonly allowedEnvVars: readonly (readonly string[])[];
  readonly warn: (warning: string) => void;
}

/** Where a handler stands, and which tools it is for. */
export interface HandlerPlace {
  readonly event: HookEventName;
  /** `hooks.PreToolUse[0].hooks[1]` */
  readonly where: string;
  readonly matcher: string | undefined;
}

/** The hook that a handler stands for; `undefined`, and a warning, where it can't be run. */
export const readHandler = (
  file: SettingsFile,
  place: HandlerPlace,
  given: { readonly type: string },
  options: SettingsHookOptions,
): Hook | undefined => {
  const { where } = place;
  if (given.type !== 'command' && given.type !== 'http') {
    options.warn(`${file.path}: \`${where}\` is of type ${given.type}, which is not supported; not run.`);
    return undefined;
  }
  const schema = schemas[given.type];
  const handler = parsed(schema, given, file.path, file.places, where);
  tellUnread(file, where, unreadMembers(handler, schema), options);
  if (handler.once === true) options.warn(`${file.path}: \`${where}.once\` is not applied.`);
  const conditions = conditionsOf(file, place, handler, options);
  return handler.type === 'command'
    ? ofCommand(file, place, handler, conditions, options)
    : ofServer(file, place, handler, conditions, options);
};

type Conditions = Pick<Hook, 'matcher' | 'if' | 'timeoutMs' | 'onFailure'>;

const conditionsOf = (
  file: SettingsFile,
  { event, where, matcher }: HandlerPlace,
  handler: CommandHandler | HttpHandler,
  options: SettingsHookOptions,
): Conditions => {
  const { timeout, onFailure: declared } = handler;
  const onFailure = declared === 'block' ? 'deny' : (declared ?? options.onFailure);
  let condition = handler.if;
  if (condition !== undefined && event === 'PostToolBatch') {
    options.warn(
      `${file.path}: \`${where}.if\` has no meaning for a batch; the hook is asked after every one.`,
    );
    condition = undefined;
  }
  const timeoutMs = timeout === undefined ? undefined : timeout * 1_000;
  return definedMembers({ matcher, if: condition, timeoutMs, onFailure });
};

const ofCommand = (
  file: SettingsFile,
  { event, where }: HandlerPlace,
  handler: CommandHandler,
  conditions: Conditions,
  { projectDir, env, session, warn }: SettingsHookOptions,
): Hook => {
  if (handler.async === true || handler.asyncRewake === true) {
    warn(`${file.path}: \`${where}\` is asynchronous; it is waited for all the same.`);
  }
  const { command, args, shell } = handler;
  const program = { command, ...definedMembers({ args, shell, session }) };
  return commandHook(event, { ...conditions, ...program, cwd: projectDir, projectDir, env });
};

const ofServer = (
  file: SettingsFile,
  { event, where }: HandlerPlace,
  { url, headers, allowedEnvVars = [] }: HttpHandler,
  conditions: Conditions,
  options: SettingsHookOptions,
): Hook | undefined => {
  const { projectDir, env, session, warn } = options;
  if (!options.allowedUrls.every((list) => list.some((pattern) => matchesUrl(pattern, url)))) {
    warn(`${file.path}: \`${where}.url\` is not one of \`allowedHttpHookUrls\`; not run.`);
    return undefined;
  }
  const named = allowedEnvVars.filter((name) => options.allowedEnvVars.every((list) => list.includes(name)));
  const about = definedMembers({ headers, session });
  return httpHook(event, { ...conditions, url, ...about, allowedEnvVars: named, env, cwd: projectDir });
};

const matchesUrl = (pattern: string, url: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(url);
};

/** Names the members of a part of a file that nobody reads. */
export const tellUnread = (
  file: SettingsFile,
  where: string,
  members: readonly string[],
  { warn }: SettingsHookOptions,
): void => {
  if (members.length > 0) warn(`${file.path}: of \`${where}\` not read: ${members.join(', ')}.`);
};
