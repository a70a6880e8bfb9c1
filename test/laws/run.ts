import type { ToolEvent } from '../../src/index.js';
import type { Played } from './play.js';
import type { Activity } from './tools.js';
import type { Deed } from './witness.js';

/** A law, as a question to a run; says what is wrong, or nothing. */
export type Law = (played: Played) => string | undefined;

export type EventOf<T extends ToolEvent['type']> = Extract<ToolEvent, { readonly type: T }>;

export const of = <T extends ToolEvent['type']>(played: Played, type: T): readonly EventOf<T>[] =>
  played.events.filter((event): event is EventOf<T> => event.type === type);

export const byId = <T extends { readonly toolUseId: string }>(
  events: readonly T[],
): ReadonlyMap<string, T> => new Map(events.map((event) => [event.toolUseId, event]));

export const over = (played: Played): boolean => played.ended === 'completed';

/** An event with its place among all events and deeds. */
export interface Placed<E extends ToolEvent = ToolEvent> {
  readonly event: E;
  readonly seq: number;
}

/** The same of every run is asked by every law. */
const remembered = <K, V>(make: (played: Played, key: K) => V): ((played: Played, key: K) => V) => {
  const all = new WeakMap<Played, Map<K, V>>();
  return (played, key) => {
    const ofRun = all.get(played) ?? new Map<K, V>();
    all.set(played, ofRun);
    const known = ofRun.get(key);
    if (known !== undefined) return known;
    const value = make(played, key);
    ofRun.set(key, value);
    return value;
  };
};

const allPlaced = remembered((played: Played, type: string): readonly Placed[] =>
  played.events.flatMap((event, i) =>
    event.type === type ? [{ event, seq: played.seqs[i] as number }] : [],
  ),
);

const eventsOfCall = remembered((played: Played, key: string): readonly Placed[] => {
  const [type = '', id] = key.split(' ');
  return allPlaced(played, type).filter(
    ({ event }) => (event as { readonly toolUseId?: string }).toolUseId === id,
  );
});

const deedsOfCall = remembered((played: Played, index: number): readonly Deed[] =>
  played.deeds.filter((deed) => deed.index === index),
);

export const placed = <T extends ToolEvent['type']>(played: Played, type: T) =>
  allPlaced(played, type) as readonly Placed<EventOf<T>>[];

export const ofCall = <T extends ToolEvent['type']>(played: Played, index: number, type: T) =>
  eventsOfCall(played, `${type} ${index}`) as readonly Placed<EventOf<T>>[];

export const deedsOf = (played: Played, index: number, ...whats: readonly Deed['what'][]): readonly Deed[] =>
  deedsOfCall(played, index).filter(({ what }) => whats.includes(what));

/** The attempts of a call. */
export const runsOf = (played: Played, index: number): readonly Activity[] =>
  played.activities.filter((each) => each.index === index);

/** The first thing wrong with any of these. */
export const firstWrong = <T>(
  all: readonly T[],
  wrong: (each: T) => string | undefined,
): string | undefined => {
  for (const each of all) {
    const found = wrong(each);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The calls that were taken in, by index. */
export const queuedIndexes = (played: Played): readonly number[] =>
  of(played, 'queued').map(({ toolUseId }) => Number(toolUseId));

/** Where the turn was stopped for all its calls, in the order of events and deeds; `Infinity`: never. */
export const stoppedAt = (played: Played): number => {
  const stops = placed(played, 'stop').filter(({ event }) =>
    ['interrupted', 'aborted'].includes(event.reason),
  );
  const discards = placed(played, 'completed').filter(({ event }) => event.outcome.code === 'discarded');
  const tombs = placed(played, 'tombstone');
  return Math.min(played.leftSeq, ...[...stops, ...discards, ...tombs].map(({ seq }) => seq));
};
