import type { CommandTarget, PathTarget, RuleTarget } from '../../src/contract/permissions.js';
import type { RuleCall } from '../../src/permissions/index.js';

export const command = (text: string, more: Partial<CommandTarget> = {}): CommandTarget => ({
  type: 'command',
  allowText: text,
  forms: [text],
  isReadOnly: false,
  ...more,
});

export const reading = (...paths: readonly string[]): PathTarget => ({ type: 'path', access: 'read', paths });
export const editing = (...paths: readonly string[]): PathTarget => ({ type: 'path', access: 'edit', paths });
export const host = (name: string): RuleTarget => ({ type: 'host', host: name });
export const unparsed: RuleTarget = { type: 'unparsed', reason: 'the quote has no end' };

export const call = (
  names: string | readonly string[],
  targets: readonly RuleTarget[] = [],
  input: unknown = {},
  parsed: unknown = input,
): RuleCall => ({ names: typeof names === 'string' ? [names] : names, targets, input, parsed });

export const bash = (...texts: readonly string[]): RuleCall =>
  call(
    'Bash',
    texts.map((text) => command(text)),
  );
