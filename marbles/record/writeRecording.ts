import { EVENTS_VERSION, type ToolEvent } from '../../src/contract/events.js';
import { jsonLine } from './jsonLine.js';
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordingHeader,
  type RecordingInfo,
} from './recording.js';

/** The first line of a recording, with its line end. */
export const headerLine = (info: RecordingInfo = {}): string => {
  const header: RecordingHeader = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    events: EVENTS_VERSION,
    ...info,
  };
  return `${jsonLine(header)}\n`;
};

/** One event as a line of a recording, with its line end. */
export const eventLine = (event: ToolEvent): string => `${jsonLine(recordable(event))}\n`;

/**
 * A ledger's context modifications are functions. As text they would come back as something to call that can't
 * be called, so they are left out.
 */
const recordable = (event: ToolEvent): ToolEvent => {
  if (event.type !== 'discarded') return event;
  return { ...event, ledger: event.ledger.map(({ modifyContext: _, ...entry }) => entry) };
};
