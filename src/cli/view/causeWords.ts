import { roundDuration } from '../../../marbles/draw/duration.js';
import type { Cause } from '../../contract/index.js';
import { brief } from './brief.js';
import type { CallNames } from './callNames.js';

/** Who or what ends a call, in a few words. */
export const causeWords = (cause: Cause, names: CallNames): string => {
  switch (cause.type) {
    case 'call':
      return `${names.of(cause.toolUseId)} failed`;
    case 'limit':
      return `ran into its ${cause.limit} limit of ${roundDuration(cause.ms)}`;
    case 'user':
      return `the user stopped the run (${brief(cause.reason)})`;
    case 'signal':
      return `the program stopped the run (${brief(cause.reason)})`;
    case 'discard':
      return `the reply was abandoned (${brief(cause.reason)})`;
    case 'rule':
      return `rule ${brief(cause.rule)}`;
    case 'hook':
      return `hook ${brief(cause.hook)}`;
    case 'mode':
      return `mode ${brief(cause.mode)}`;
    case 'callback':
      // Nobody else is called back by this command.
      return 'the user';
    case 'tool':
      return `${cause.name} itself`;
    case 'nobody':
      return 'nobody could be asked';
  }
};
