import { z } from 'zod';

/* The parts of a settings file that millrace reads. Other members pass, and are told. */

const texts = z.array(z.string());
export const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;

const handler = z.looseObject({ type: z.string() });

/** What handlers of every kind have. `timeout` is in seconds. */
const common = {
  timeout: z.number().positive().optional(),
  if: z.string().min(1).optional(),
  onFailure: z.enum(['block', 'continue']).optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
};

const commandHandler = z.looseObject({
  ...common,
  type: z.literal('command'),
  command: z.string().trim().min(1),
  args: texts.optional(),
  shell: z.string().min(1).optional(),
  async: z.boolean().optional(),
  asyncRewake: z.boolean().optional(),
});

const httpHandler = z.looseObject({
  ...common,
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: texts.optional(),
});

const group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(handler) });

const permissions = z.looseObject({
  allow: texts.optional(),
  ask: texts.optional(),
  deny: texts.optional(),
  defaultMode: z.enum(modes).optional(),
  additionalDirectories: texts.optional(),
  disableBypassPermissionsMode: z.literal('disable').optional(),
});

export const settingsFile = z.looseObject({
  hooks: z.record(z.string(), z.array(group)).optional(),
  permissions: permissions.optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  disableAllHooks: z.boolean().optional(),
  allowedHttpHookUrls: texts.optional(),
  httpHookAllowedEnvVars: texts.optional(),
  allowManagedHooksOnly: z.boolean().optional(),
  allowManagedPermissionRulesOnly: z.boolean().optional(),
});

export type Settings = z.output<typeof settingsFile>;
export type HookGroup = z.output<typeof group>;
export type CommandHandler = z.output<typeof commandHandler>;
export type HttpHandler = z.output<typeof httpHandler>;

/** Members of an object that its schema does not name. */
export const unreadMembers = (
  value: object,
  schema: { readonly shape: Readonly<Record<string, unknown>> },
): readonly string[] =>
  // `$schema` says what the file is; it is read by editors.
  Object.keys(value).filter((member) => !Object.hasOwn(schema.shape, member) && member !== '$schema');

export const schemas = { group, permissions, command: commandHandler, http: httpHandler };
