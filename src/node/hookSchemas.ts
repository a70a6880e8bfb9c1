import { z } from 'zod';

/*
 * The JSON a hook's process may print. Members that are not known pass: the contract grows. Scripts print `null`
 * for what they leave out; only where that would hide a wish (a rewritten input) is it refused.
 */

const text = z.string().nullish();
const flag = z.boolean().nullish();
const rewritten = z.record(z.string(), z.unknown()).optional();
const common = { continue: flag, stopReason: text, systemMessage: text };

/** `permissionDecision` beside `hookSpecificOutput` would be read as no opinion, and a denial would be lost. */
const misplaced = <S extends z.ZodType>(schema: S, members: readonly string[]): S =>
  schema.superRefine((value, { addIssue }) => {
    for (const member of members) {
      if (!Object.hasOwn(value as object, member)) continue;
      addIssue({ code: 'custom', path: [member], message: 'belongs into `hookSpecificOutput`' });
    }
  });

const specific = <E extends string, S extends z.ZodRawShape>(event: E, shape: S) =>
  z.looseObject({ hookEventName: z.literal(event).optional(), ...shape }).nullish();

export const preToolUseOutput = misplaced(
  z.looseObject({
    ...common,
    decision: z.enum(['approve', 'block']).nullish(),
    reason: text,
    hookSpecificOutput: specific('PreToolUse', {
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).nullish(),
      permissionDecisionReason: text,
      updatedInput: rewritten,
      additionalContext: text,
    }),
  }),
  ['permissionDecision', 'updatedInput'],
);

const rule = z.looseObject({ toolName: z.string().min(1), ruleContent: text });
const modes = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;

const permissionUpdate = z.union([
  z.looseObject({
    type: z.literal('addRules'),
    rules: z.array(rule),
    behavior: z.enum(['allow', 'deny', 'ask']),
  }),
  z.looseObject({ type: z.literal('setMode'), mode: z.enum(modes) }),
  z.looseObject({
    type: z.enum(['replaceRules', 'removeRules', 'addDirectories', 'removeDirectories']),
  }),
]);

export const permissionRequestOutput = misplaced(
  z.looseObject({
    ...common,
    hookSpecificOutput: specific('PermissionRequest', {
      decision: z
        .looseObject({
          behavior: z.enum(['allow', 'deny']),
          updatedInput: rewritten,
          updatedPermissions: z.array(permissionUpdate).nullish(),
          message: text,
          interrupt: flag,
        })
        .nullish(),
      additionalContext: text,
    }),
  }),
  ['behavior', 'decision', 'updatedInput'],
);

const block = { decision: z.literal('block').nullish(), reason: text };

export const postToolUseOutput = z.looseObject({
  ...common,
  ...block,
  hookSpecificOutput: specific('PostToolUse', {
    additionalContext: text,
    updatedToolOutput: z.unknown().optional(),
    updatedMCPToolOutput: z.unknown().optional(),
  }),
});

export const postToolUseFailureOutput = z.looseObject({
  ...common,
  hookSpecificOutput: specific('PostToolUseFailure', { additionalContext: text }),
});

export const postToolBatchOutput = z.looseObject({
  ...common,
  ...block,
  hookSpecificOutput: specific('PostToolBatch', { additionalContext: text }),
});
