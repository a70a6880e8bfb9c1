import { z } from 'zod';
import type { PermissionAnswer, ToolPermission } from '../contract/permissions.js';

const behavior = z.enum(['allow', 'deny', 'ask']);

const opinion = z.object({
  behavior,
  message: z.string().optional(),
  requiresInteraction: z.boolean().optional(),
});

const answer = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    input: z.unknown().optional(),
    remember: z.array(z.object({ behavior, rule: z.string() })).optional(),
  }),
  z.object({
    behavior: z.literal('deny'),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
]);

/** What a tool's `checkPermissions` answered. Nothing is no opinion; what can't be read refuses the call. */
export const readToolPermission = (given: unknown): ToolPermission | undefined => {
  if (given === undefined || given === null) return undefined;
  return (
    readWith<ToolPermission>(opinion, given) ?? {
      behavior: 'deny',
      message: 'its own check of permissions gave an answer that is none',
    }
  );
};

/** What `canUseTool` answered; nothing where that is no answer. */
export const readPermissionAnswer = (given: unknown): PermissionAnswer | undefined =>
  readWith<PermissionAnswer>(answer, given);

const readWith = <T>(schema: z.ZodType, given: unknown): T | undefined => {
  try {
    const read = schema.safeParse(given);
    // Members that are there without a value stand for nothing; the types have no such members.
    return read.success ? (withoutUndefined(read.data as object) as T) : undefined;
  } catch {
    // A getter of the answer's own that throws.
    return undefined;
  }
};

const withoutUndefined = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
