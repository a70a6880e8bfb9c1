import { MillraceError } from '../../src/contract/errors.js';
import { EVENTS_VERSION, type ToolEvent } from '../../src/contract/events.js';
import { RECORDING_FORMAT, RECORDING_VERSION, type Recording, type RecordingHeader } from './recording.js';

/** A recording that can't be read; `line` counts from 1. */
export class RecordingError extends MillraceError {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super('invalid_recording', `line ${line}: ${reason}`);
  }
}

/**
 * Reads a recording: its header, then its events.
 *
 * A last line without its line end was being written when the recorder stopped: it is left out, and `cut` says so.
 *
 * @throws RecordingError for what is no recording, for one of a newer version, and for a line that is no event.
 */
export const readRecording = (text: string): Recording => {
  const lines = text.split('\n');
  const cut = lines.pop() !== '';
  const header = headerOf(lines[0]);
  const events = lines.slice(1).flatMap((line, i) => (line.trim() === '' ? [] : [eventOf(line, i + 2)]));
  return { header, events, cut };
};

const headerOf = (line: string | undefined): RecordingHeader => {
  const header = line === undefined ? undefined : parse(line);
  if (!isRecord(header) || header.format !== RECORDING_FORMAT) {
    throw new RecordingError(1, `no recording: it would begin with {"format":"${RECORDING_FORMAT}",…}`);
  }
  checkVersion('version', header.version, RECORDING_VERSION);
  checkVersion('events', header.events, EVENTS_VERSION);
  // Format and versions have just been checked; the other members are optional.
  return header as unknown as RecordingHeader;
};

const checkVersion = (member: string, version: unknown, known: number): void => {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new RecordingError(1, `"${member}" is no version`);
  }
  if (version > known) {
    throw new RecordingError(1, `"${member}" is ${version}; this version of millrace reads up to ${known}`);
  }
};

const eventOf = (line: string, number: number): ToolEvent => {
  const event = parse(line);
  if (event === undefined) throw new RecordingError(number, 'no JSON');
  if (!isRecord(event) || typeof event.type !== 'string' || typeof event.at !== 'number') {
    throw new RecordingError(number, 'no event: an object with "type" and "at"');
  }
  // Written by this version or an older one: the version in the header vouches for the members.
  return event as unknown as ToolEvent;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};
