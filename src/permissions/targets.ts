import { z } from 'zod';
import type { RuleTarget } from '../contract/permissions.js';
import { isAbsolute, segmentsOf } from './folders.js';

const path = z
  .string()
  .refine((text) => isAbsolute(text) && !segmentsOf(text).some((segment) => /^\.{1,2}$/.test(segment)));

const target = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('command'),
    allowText: z.string().optional(),
    forms: z.array(z.string()).min(1),
    isReadOnly: z.boolean(),
  }),
  z.object({
    type: z.literal('path'),
    access: z.enum(['read', 'edit']),
    paths: z.array(path).min(1),
    ofCommand: z.literal(true).optional(),
    below: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('host'), host: z.string().min(1) }),
  z.object({ type: z.literal('unparsed'), reason: z.string() }),
]);

/**
 * What a tool's `ruleTargets` answered, as rules may trust it. Nothing is no target.
 *
 * What is no target, or a path that is relative or holds `..`, counts as `unparsed`: a rule that forbids it could
 * miss it.
 */
export const readTargets = (answer: unknown): readonly RuleTarget[] => {
  if (answer === undefined || answer === null) return [];
  try {
    const list = z.array(z.unknown()).safeParse(answer);
    return list.success ? list.data.map(readTarget) : [unreadable];
  } catch {
    // A getter of the tool's own that throws.
    return [unreadable];
  }
};

const unreadable: RuleTarget = {
  type: 'unparsed',
  reason: 'what the tool says it would do could not be read',
};

const readTarget = (answer: unknown): RuleTarget => {
  const read = target.safeParse(answer);
  if (!read.success) return unreadable;
  if (read.data.type === 'path') {
    const { ofCommand, below, ...named } = read.data;
    return {
      ...named,
      ...(ofCommand === undefined ? undefined : { ofCommand }),
      ...(below === undefined ? undefined : { below }),
    };
  }
  if (read.data.type !== 'command') return read.data;
  const { allowText, ...command } = read.data;
  return allowText === undefined ? command : { ...command, allowText };
};
