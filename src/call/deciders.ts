import type { Cause } from '../contract/outcome.js';
import type { DecidedBy } from '../contract/permissions.js';

/** Who decided, in a few words. */
export const nameOfDecider = (by: DecidedBy): string => {
  switch (by.type) {
    case 'rule':
      return by.source === undefined ? `rule ${by.rule}` : `rule ${by.rule} (${by.source})`;
    case 'hook':
      return `hook ${by.hook}`;
    case 'mode':
      return `mode ${by.mode}`;
    case 'protected':
      return `protected path ${by.path}`;
    case 'limit':
      return `limit of ${by.ms} ms`;
    default:
      return by.type;
  }
};

/** The same as the cause of a denial. */
export const causeOf = (by: DecidedBy, tool: string): Cause => {
  switch (by.type) {
    case 'rule':
      return { type: 'rule', rule: by.rule };
    case 'hook':
      return { type: 'hook', hook: by.hook };
    case 'mode':
      return { type: 'mode', mode: by.mode };
    case 'limit':
      return { type: 'limit', limit: 'permission', ms: by.ms };
    case 'callback':
      return { type: 'callback', callback: 'canUseTool' };
    case 'tool':
      return { type: 'tool', name: tool };
    default:
      return { type: 'nobody' };
  }
};
