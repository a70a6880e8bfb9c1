import stringWidth from 'string-width';
import type { Run, TurnCause } from '../model/run.js';
import type { Axis } from './axis.js';
import { scaleWords } from './axisRow.js';
import { duration } from './duration.js';
import { wrapItems } from './fitText.js';
import { harmless } from './harmless.js';
import type { Layout } from './layout.js';

/** What a recording knows beside its events. */
export interface HeaderOptions {
  /** The run's name. */
  readonly run?: string;
  /** The turn's number within the run. */
  readonly turn?: number;
  /** `limits.concurrency` of the turn. */
  readonly limit?: number;
}

/** The scale stands this far from the right edge. */
const SCALE_ROOM = 20;

export interface Header {
  readonly lines: readonly string[];
  /** Whether the scale stands in it; where it has no room, it stands before the axis. */
  readonly hasScale: boolean;
}

/** The first line: what was run, how long, how parallel or how it was stopped, and the scale. */
export const headerOf = (run: Run, axis: Axis, options: HeaderOptions, layout: Layout): Header => {
  const { width, ellipsis } = layout;
  const items = itemsOf(run, options);
  const scale = scaleWords(axis);
  const line = items.join('  ');
  const start = Math.max(stringWidth(line) + 2, width - SCALE_ROOM);
  if (start + scale.length <= width) {
    return { lines: [line + ' '.repeat(start - stringWidth(line)) + scale], hasScale: true };
  }
  const lines = wrapItems(items, { width, first: '', further: '  ', separator: '  ', ellipsis });
  return { lines, hasScale: false };
};

const itemsOf = (run: Run, options: HeaderOptions): readonly string[] => {
  const calls = run.calls.length;
  return [
    ...(options.run === undefined ? [] : [`run ${harmless(options.run)}`]),
    ...(options.turn === undefined ? [] : [`turn ${options.turn}`]),
    `${calls} call${calls === 1 ? '' : 's'}`,
    `wall ${duration(run.wall)}`,
    ...(stopsOf(run) ?? loadOf(run, options.limit)),
  ];
};

const loadOf = ({ busy, wall, peak }: Run, limit: number | undefined): readonly string[] => [
  `busy ${duration(busy)}${wall > 0 ? ` (${(busy / wall).toFixed(2)}x)` : ''}`,
  `peak ${peak}${limit === undefined ? '' : ` of ${limit}`}`,
];

const words: Readonly<Record<Exclude<TurnCause['type'], 'timeout'>, string>> = {
  'sibling-abort': 'siblings aborted',
  interruption: 'interrupted',
  discard: 'discarded',
};

/** A turn that was stopped says so in place of its load, for there the line has no room for both. */
const stopsOf = ({ causes }: Run): readonly string[] | undefined => {
  const stops = causes.flatMap((cause) =>
    cause.type === 'timeout' ? [] : [`${words[cause.type]} at ${duration(cause.at)}`],
  );
  return stops.length > 0 ? [[...new Set(stops)].slice(0, 3).join(', ')] : undefined;
};
