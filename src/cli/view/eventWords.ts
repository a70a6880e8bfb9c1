import { duration } from '../../../marbles/draw/duration.js';
import type {
  CallEvent,
  CompletedEvent,
  Outcome,
  StopEvent,
  ToolEvent,
  TurnEvent,
  WaitingEvent,
} from '../../contract/index.js';
import { brief, gistOf, progressOf } from './brief.js';
import type { CallNames } from './callNames.js';
import { causeWords } from './causeWords.js';
import { hookWords, permissionWords } from './guardWords.js';
import type { Tone, Words } from './words.js';

/** Milliseconds; a shorter hold is the time the events themselves take. */
const HELD_MS = 5;

const words = (what: string, more = '', tone: Tone = 'plain'): Words => ({ what, more, tone });

/** What an event tells in a line; nothing where it changes no state. */
export const eventWords = (event: ToolEvent, names: CallNames): Words | undefined =>
  isOfCall(event) ? callWords(event, names) : turnWords(event, names);

/** Whether an event changes the state of a call; an anomaly may name one, and changes nothing. */
export const isOfCall = (event: ToolEvent): event is CallEvent =>
  'toolUseId' in event && event.type !== 'anomaly';

type CallWords = {
  readonly [T in CallEvent['type']]?: (
    event: Extract<CallEvent, { readonly type: T }>,
    names: CallNames,
  ) => Words;
};

/** The writing of an input has no line: it comes in many small pieces. */
const ofCall: CallWords = {
  queued: ({ isConcurrencySafe, toolUse }) =>
    words('queued', `${isConcurrencySafe ? 'shared' : 'alone '}  ${gistOf(toolUse.input)}`, 'quiet'),
  waiting: (event, names) => words('waits', waitWords(event, names), 'quiet'),
  hook: (event) => hookWords(event),
  permission: (event) => permissionWords(event),
  started: ({ attempt }) => words('started', attempt > 1 ? `attempt ${attempt}` : ''),
  progress: ({ data }) => words('progress', progressOf(data), 'quiet'),
  'attempt-failed': ({ attempt, delayMs, error }) => {
    const more = `attempt ${attempt}, again in ${duration(delayMs)}: ${brief(error.message)}`;
    return words('failed', more, 'warning');
  },
  stopping: ({ cause }, names) => words('stopping', `asked to stop: ${causeWords(cause, names)}`, 'warning'),
  completed: (event, names) => completedWords(event, names),
  result: ({ synthetic, outcome }) => {
    const { held } = outcome.durations;
    const kind = synthetic ? 'released, written by millrace' : 'released';
    return words('result', held < HELD_MS ? kind : `${kind}, held ${duration(held)}`, 'quiet');
  },
};

const callWords = (event: CallEvent, names: CallNames): Words | undefined => {
  // The table has for every type the words of that type, which TypeScript can't follow through an index.
  const tell = ofCall[event.type] as ((event: CallEvent, names: CallNames) => Words) | undefined;
  return tell?.(event, names);
};

const reasons: Readonly<Record<WaitingEvent['reason'], (calls: string) => string>> = {
  exclusive: (calls) => `runs alone, needs ${calls || 'those before it'} ended`,
  batch: (calls) => `behind ${calls || 'a call'}, which runs alone`,
  limit: (calls) => `no free slot${calls && `, taken by ${calls}`}`,
  pool: (calls) => `no free slot in the pool${calls && `, taken by ${calls}`}`,
  message: () => 'until the message has ended',
  validation: (calls) => `until ${calls ? `the input of ${calls}` : 'its input'} is checked`,
  hooks: () => 'for its hooks',
  permission: () => 'for a permission',
  backoff: () => 'for its next attempt',
  settling: () => 'tools of an abandoned attempt have not stopped',
};

const waitWords = ({ reason, on, count }: WaitingEvent, names: CallNames): string =>
  `${reason}: ${reasons[reason](names.list(on, count))}`;

const ofTurn: ReadonlySet<string> = new Set(['user', 'signal', 'discard']);

const completedWords = ({ outcome }: CompletedEvent, names: CallNames): Words => {
  const { code, executed, by, durations, error, adopted } = outcome;
  const time = executed === 'no' ? 'not run' : duration(durations.running);
  // What stops the whole turn has a line of its own.
  const why = by === undefined || ofTurn.has(by.type) ? '' : `, ${causeWords(by, names)}`;
  const said = error === undefined || error.message === '' ? '' : `: ${brief(error.message)}`;
  const text = `${code}  ${adopted === true ? 'adopted' : time}${why}${said}`;
  return words('completed', text, outcomeTone(outcome));
};

export const outcomeTone = ({ code }: Outcome): Tone => {
  if (code === 'ok') return 'good';
  return code === 'interrupted' || code === 'sibling_aborted' ? 'warning' : 'bad';
};

const turnWords = (event: TurnEvent, names: CallNames): Words | undefined => {
  switch (event.type) {
    case 'context':
      return words('context', 'changed', 'quiet');
    case 'tombstone': {
      const { target } = event;
      const whose = 'messageId' in target ? `message ${brief(target.messageId)}` : names.of(target.toolUseId);
      return words('withdrawn', whose, 'bad');
    }
    case 'discarded':
      return words('discarded', brief(event.cause), 'bad');
    case 'stop':
      return words('stop', stopWords(event), 'warning');
    case 'turn-hook':
      return hookWords(event);
    case 'after':
      return undefined;
    case 'anomaly':
      if (event.code === 'hook_warning') return words('hook', `warns  ${brief(event.message)}`, 'warning');
      return words('anomaly', `${brief(event.code)}: ${brief(event.message)}`, 'warning');
  }
};

const stopWords = ({ reason, by, message = '' }: StopEvent): string =>
  `${brief(reason)}${by && ` by ${brief(by)}`}${message && `: ${brief(message)}`}`;
