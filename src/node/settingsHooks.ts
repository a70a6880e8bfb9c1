import { InvalidOptionError } from '../contract/errors.js';
import type { Hook, HookEventName } from '../contract/hooks.js';
import { hookEvents, readMatcher } from '../hooks/index.js';
import { SettingsError, type SettingsFile } from './settingsFile.js';
import { readHandler, type SettingsHookOptions, tellUnread } from './settingsHandlers.js';
import { type HookGroup, schemas, unreadMembers } from './settingsSchema.js';

export type FoundHook = { readonly event: HookEventName; readonly hook: Hook };

/**
 * The hooks of one file, in its order. Whatever can't be run is told to `warn`.
 *
 * @throws SettingsError for a matcher that can't be read, or a handler with a member of the wrong kind
 */
export const hooksOf = (file: SettingsFile, options: SettingsHookOptions): readonly FoundHook[] =>
  Object.entries(file.settings.hooks ?? {}).flatMap(([event, groups]) => {
    if (isEvent(event)) return groups.flatMap((group, n) => ofGroup(file, event, group, n, options));
    const count = groups.reduce((sum, { hooks }) => sum + hooks.length, 0);
    options.warn(`${file.path}: \`hooks.${event}\` is no point millrace asks hooks at; ${count} not run.`);
    return [];
  });

const isEvent = (event: string): event is HookEventName => (hookEvents as readonly string[]).includes(event);

const ofGroup = (
  file: SettingsFile,
  event: HookEventName,
  group: HookGroup,
  index: number,
  options: SettingsHookOptions,
): readonly FoundHook[] => {
  const at = `hooks.${event}[${index}]`;
  const matcher = matcherOf(file, event, group, at, options);
  tellUnread(file, at, unreadMembers(group, schemas.group), options);
  return group.hooks.flatMap((given, n) => {
    const where = `${at}.hooks[${n}]`;
    const hook = readHandler(file, { event, where, matcher }, given, options);
    return hook === undefined ? [] : [{ event, hook }];
  });
};

const matcherOf = (
  file: SettingsFile,
  event: HookEventName,
  { matcher }: HookGroup,
  at: string,
  { warn }: SettingsHookOptions,
): string | undefined => {
  try {
    if (readMatcher(matcher, `${at}.matcher`) === undefined) return undefined;
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    throw new SettingsError(file.path, file.places.lineOf(`${at}.matcher`), error.message);
  }
  if (event !== 'PostToolBatch') return matcher;
  warn(`${file.path}: \`${at}.matcher\` has no meaning for a batch; its hooks are asked after every one.`);
  return undefined;
};
