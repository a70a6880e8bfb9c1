import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ZodError, z } from 'zod';
import { MillraceError } from '../contract/errors.js';
import { type JsonPlaces, placesIn } from './jsonText.js';
import { type Settings, schemas, settingsFile, unreadMembers } from './settingsSchema.js';

/** Where settings come from, the weakest first. */
export type SettingsScope = 'user' | 'project' | 'local' | 'managed';

export interface SettingsFile {
  readonly scope: SettingsScope;
  readonly path: string;
  /** What rules beginning with `/` start from. */
  readonly base: string;
  readonly settings: Settings;
  readonly places: JsonPlaces;
}

/** A settings file that can't be meant; the message names the file, the line and the reason. */
export class SettingsError extends MillraceError {
  readonly path: string;
  readonly line: number | undefined;

  constructor(path: string, line: number | undefined, reason: string) {
    super('invalid_settings', `${path}${line === undefined ? '' : `:${line}`}: ${reason}`);
    this.path = path;
    this.line = line;
  }
}

/**
 * Reads and checks one file.
 *
 * @returns `undefined` where there is none
 * @throws SettingsError where it can't be read, is no JSON, or has a member of the wrong kind
 */
export const readSettingsFile = (
  scope: SettingsScope,
  path: string,
  base: string,
  warn: (warning: string) => void,
): SettingsFile | undefined => {
  const text = readText(path);
  if (text === undefined) return undefined;
  const places = placesIn(text);
  if (places.fault !== undefined) {
    const { line, column, reason } = places.fault;
    throw new SettingsError(path, line, `no JSON: ${reason} (column ${column})`);
  }
  const settings = parsed(settingsFile, JSON.parse(text), path, places, '');
  for (const member of places.twice) {
    warn(`${path}: \`${member}\` stands there twice; the last one counts.`);
  }
  tellUnread(settings, path, warn);
  return { scope, path, base, settings, places };
};

/** The four files, the weakest first; the same file is read once, for its weakest scope. */
export const settingsFilesOf = (dir: string, home: string, managed: string | undefined) => {
  const files: { readonly scope: SettingsScope; readonly path: string; readonly base: string }[] = [
    { scope: 'user', path: join(home, '.claude', 'settings.json'), base: join(home, '.claude') },
    { scope: 'project', path: join(dir, '.claude', 'settings.json'), base: dir },
    { scope: 'local', path: join(dir, '.claude', 'settings.local.json'), base: dir },
  ];
  if (managed !== undefined) files.push({ scope: 'managed', path: managed, base: dirname(managed) });
  return files.filter(({ path }, index) => files.findIndex((file) => file.path === path) === index);
};

/** Parses by a schema; an issue becomes an error with its line. */
export const parsed = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  path: string,
  places: JsonPlaces,
  at: string,
): z.output<S> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [where, message] = firstIssue(result.error, at);
  throw new SettingsError(path, lineNear(places, where), `\`${where || 'the file'}\`: ${message}`);
};

const firstIssue = (error: ZodError, at: string): readonly [string, string] => {
  const issue = error.issues[0];
  const steps = (issue?.path ?? []).map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${String(step)}`,
  );
  return [`${at}${steps.join('')}`.replace(/^\./, ''), issue?.message ?? 'it does not fit'];
};

/** The line of a member, or of the nearest thing around it where it is missing. */
const lineNear = (places: JsonPlaces, where: string): number | undefined => {
  for (let at = where; ; at = at.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const line = places.lineOf(at);
    if (line !== undefined || at === '') return line;
  }
};

const readText = (path: string): string | undefined => {
  try {
    // Editors of Windows write a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SettingsError(path, undefined, `it can not be read: ${message}`);
  }
};

const tellUnread = (settings: Settings, path: string, warn: (warning: string) => void): void => {
  const tell = (where: string, members: readonly string[]): void => {
    if (members.length > 0) warn(`${path}: ${where}not read: ${members.join(', ')}.`);
  };
  tell('', unreadMembers(settings, settingsFile));
  if (settings.permissions !== undefined) {
    tell('of `permissions` ', unreadMembers(settings.permissions, schemas.permissions));
  }
};
