import { duration } from '../../../marbles/draw/duration.js';
import { waitWords } from '../../../marbles/draw/explainWaits.js';
import type { Naming } from '../../../marbles/draw/naming.js';
import { type HeldBy, noteOf } from '../../../marbles/draw/note.js';
import type { LaneBuilder } from '../../../marbles/model/laneBuilder.js';
import type { CallEvent, ProgressEvent } from '../../contract/index.js';
import type { CallNames } from './callNames.js';
import { eventWords } from './eventWords.js';

/** Characters of a text that are looked at: more than a note has room for. */
const MOST_READ = 1000;

/** What the notes of a frame are written from. */
export interface LiveNoteContext {
  /** ms of the turn. */
  readonly at: number;
  /** Columns a note may take. */
  readonly room: number;
  readonly naming: Naming;
  readonly names: CallNames;
  readonly heldBy: HeldBy;
}

/** What a call that is not settled does just now; `last` is the last event that has words for it. */
export const liveNote = (
  lane: LaneBuilder,
  last: CallEvent | undefined,
  { at, room, naming, names, heldBy }: LiveNoteContext,
): string => {
  switch (lane.phase?.phase) {
    case 'input':
      return 'being written';
    case 'waiting':
      return (lane.wait && waitWords(lane.wait, naming)) ?? 'waiting';
    case 'running':
      return runningNote(at - (lane.startedAt ?? at), said(last, names));
    case 'held':
      return noteOf(lane, heldBy, naming, room);
    default:
      return said(last, names) || (lane.phase?.phase ?? '');
  }
};

const runningNote = (ms: number, text: string): string =>
  text === '' ? `running for ${elapsed(ms)}` : `${elapsed(ms)}  ${text}`;

/** A time that is still growing: finer figures would only flicker. */
export const elapsed = (ms: number): string =>
  ms < 59_950 ? `${(ms / 1000).toFixed(1)}s` : duration(ms - (ms % 1000));

const said = (last: CallEvent | undefined, names: CallNames): string => {
  const words = last && eventWords(last.type === 'progress' ? lastLineOf(last) : last, names);
  if (words === undefined) return '';
  return last?.type === 'hook' || last?.type === 'permission' ? `${words.what} ${words.more}` : words.more;
};

/** A piece of progress cut down to its last line, of text and of what `Bash` tells. */
const lastLineOf = (event: ProgressEvent): ProgressEvent => {
  const { data } = event;
  if (typeof data === 'string') return { ...event, data: lastLine(data) };
  if (typeof data !== 'object' || data === null || !('text' in data)) return event;
  return typeof data.text === 'string' ? { ...event, data: { ...data, text: lastLine(data.text) } } : event;
};

const lastLine = (text: string): string =>
  text
    .slice(-MOST_READ)
    .split(/[\r\n]+/)
    .findLast((line) => line.trim() !== '') ?? '';

/** The last event of each call that tells what it does. A start tells that by its row, and ends what was told. */
export class LastWords {
  readonly #events = new Map<string, CallEvent>();

  see(event: CallEvent): void {
    if (telling.has(event.type)) this.#events.set(event.toolUseId, event);
    else if (event.type === 'started' || event.type === 'result') this.#events.delete(event.toolUseId);
  }

  of(toolUseId: string): CallEvent | undefined {
    return this.#events.get(toolUseId);
  }
}

const telling: ReadonlySet<CallEvent['type']> = new Set([
  'progress',
  'hook',
  'permission',
  'attempt-failed',
  'stopping',
] as const);
